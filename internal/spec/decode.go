package spec

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"kroo/internal/strict"
	"kroo/internal/wording"
)

// UnknownError is the error of [Set] for a key that is not a setting's.
type UnknownError struct {
	Key   string
	Known []string
}

func (e *UnknownError) Error() string { return "unknown: " + wording.Expect(e.Key, e.Known) }

// Decode reads a TOML file into the struct that v points to. Errors about unknown settings end with
// known, which points to the list of known ones.
func Decode(text string, v any, known string) error { return reader{known}.read(text, v) }

// notFinite matches a line with an infinity or NaN.
var notFinite = regexp.MustCompile(`(?m)^.*=.*\b(inf|nan)\b`)

// reader decodes a file; known points to the list of known settings.
type reader struct{ known string }

func (r reader) read(text string, v any) error {
	given, err := strict.Table(text)
	if err != nil {
		return err
	}
	data, err := json.Marshal(given)
	if err != nil { // JSON cannot represent inf and nan
		return fmt.Errorf("%s: expected a number", wording.Short(notFinite.FindString(text)))
	}
	return r.fill(data, reflect.ValueOf(v).Elem(), "")
}

// fill decodes a JSON object into a struct.
func (r reader) fill(data []byte, v reflect.Value, place string) error {
	Default(v.Addr().Interface())
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil || given == nil {
		return fmt.Errorf("%s is %s: expected a section", strings.TrimRight(place, ".: "), data)
	}
	var names []string
	for _, s := range settings(v) {
		if s.tag.Get("file") == "-" {
			continue
		}
		names = append(names, s.name)
		raw, ok := given[s.name]
		if !ok {
			continue
		}
		delete(given, s.name)
		if err := r.take(raw, s, place+s.name); err != nil {
			return err
		}
	}
	if unknown := slices.Sorted(maps.Keys(given)); len(unknown) > 0 {
		return fmt.Errorf("unknown setting %q: %s%s", place+unknown[0], wording.Suggest(unknown[0], names), r.known)
	}
	return nil
}

// take decodes a setting or a section.
func (r reader) take(data []byte, s setting, name string) error {
	var list []json.RawMessage
	switch v := s.value; {
	case !s.isSection():
		if err := s.decode(data); err != nil {
			return fmt.Errorf("%s is %s: %w", name, data, err)
		}
		return nil
	case v.Kind() == reflect.Slice:
		if json.Unmarshal(data, &list) != nil {
			return fmt.Errorf("%s is %s: expected [[%s]]", name, data, name)
		}
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
		for i, one := range list {
			if err := r.fill(one, v.Index(i), fmt.Sprintf("%s %d: ", name, i+1)); err != nil {
				return err
			}
		}
		return nil
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(s.base()))
	}
	return r.fill(data, reflect.Indirect(s.value), name+".")
}
