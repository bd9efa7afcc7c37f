package spec

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"kroo/internal/strict"
	"kroo/internal/wording"
)

// Decode reads a TOML file into the struct that v points to. Errors about unknown settings end with
// known, which points to the list of known ones.
func Decode(text string, v any, known string) error { return reader{known, false}.read(text, v) }

// DecodeOld is Decode for files of older programs, in which 0 and "" mean that a setting is absent; it
// may also be one that this program no longer has.
func DecodeOld(text string, v any, known string) error { return reader{known, true}.read(text, v) }

// notFinite matches a line with an infinity or NaN.
var notFinite = regexp.MustCompile(`(?m)^.*=.*\b(inf|nan)\b`)

type reader struct {
	known string
	old   bool
}

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
func (r reader) fill(data []byte, v reflect.Value, section string) error {
	Default(v.Addr().Interface())
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil || given == nil {
		return fmt.Errorf("%s is %s: expected a section", strings.TrimRight(section, ".: "), data)
	}
	for _, s := range settings(v) {
		raw, ok := given[s.name]
		if !ok || s.tag.Get("file") == "-" {
			continue
		}
		delete(given, s.name)
		if err := r.take(raw, s, section+s.name); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if r.old && absent(given[name]) {
			continue
		}
		return fmt.Errorf("unknown setting %q: %s", section+name, r.known)
	}
	return nil
}

// absent reports whether a value means in old files that its setting is absent.
func absent(data []byte) bool { return slices.Contains([]string{"0", `""`, "false"}, string(data)) }

// take decodes a setting or a section.
func (r reader) take(data []byte, s setting, name string) error {
	var list []json.RawMessage
	switch v := s.value; {
	case !s.isSection():
		if err := s.set(data); err != nil && !(r.old && absent(data)) {
			return fmt.Errorf("%s is %s: %w", name, data, err)
		}
	case v.Kind() == reflect.Struct:
		return r.fill(data, v, name+".")
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(s.base()))
		return r.fill(data, v.Elem(), name+".")
	case json.Unmarshal(data, &list) != nil:
		return fmt.Errorf("%s is %s: expected [[%s]]", name, data, name)
	default:
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
		for i, one := range list {
			if err := r.fill(one, v.Index(i), fmt.Sprintf("%s %d: ", name, i+1)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Record returns the settings that differ from their defaults, except those that do not affect the
// output (made:"-").
func Record(v any) map[string]any {
	record := map[string]any{}
	given := reflect.Indirect(reflect.ValueOf(v))
	unset := reflect.New(given.Type()).Interface()
	Default(unset)
	for i, s := range settings(given) {
		if s.tag.Get("made") != "-" && s.text() != of(unset)[i].text() {
			record[s.name] = s.value.Interface()
		}
	}
	return record
}

// Files returns the values of the settings that name input files.
func Files(v any) (names []string) {
	for _, s := range settings(reflect.Indirect(reflect.ValueOf(v))) {
		if s.tag.Get("file") == "in" && s.text() != "" {
			names = append(names, s.text())
		}
	}
	return names
}

// Encode returns a TOML file of the struct that v points to, with help and range of every setting.
// Settings that are not set are commented out.
func Encode(v any) string {
	var b strings.Builder
	encode(&b, reflect.ValueOf(v).Elem(), "", "")
	return b.String()
}

// encode writes a struct's settings and then its sections, with mark at the start of each line.
func encode(b *strings.Builder, v reflect.Value, section, mark string) {
	w := tabwriter.NewWriter(b, 0, 0, 1, ' ', 0)
	var sections []setting
	for _, s := range settings(v) {
		help, value, mark := s.tag.Get("help"), "", mark
		switch data, _ := json.Marshal(s.value.Interface()); {
		case s.tag.Get("file") == "-":
			continue
		case s.isSection():
			sections = append(sections, s)
			continue
		case s.left() && s.kind() != "bool":
			mark = "#"
		case s.value.Kind() == reflect.Map:
			value = strings.ReplaceAll(string(data), `":`, `" = `)
		default:
			value = string(data)
		}
		if expected := s.expected(); (s.tag.Get("range") != "" || len(s.choices()) > 0) && !strings.Contains(help, expected) {
			help += " (" + expected + ")"
		}
		fmt.Fprintf(w, "%s%s\t= %s\t# %s\n", mark, s.name, value, help)
	}
	w.Flush() // never fails: writes to memory
	for _, s := range sections {
		name, of := section+s.name, []reflect.Value{reflect.Indirect(s.value)}
		begin, end, mark := "[", "]", mark
		if s.value.Kind() == reflect.Slice {
			begin, end, of = "[[", "]]", nil
			for i := range s.value.Len() {
				of = append(of, s.value.Index(i))
			}
		}
		if s.value.IsZero() {
			mark, of = "#", []reflect.Value{reflect.New(s.base()).Elem()}
			Default(of[0].Addr().Interface())
		}
		for _, v := range of {
			fmt.Fprintf(b, "\n%s%s%s%s # %s\n", mark, begin, name, end, s.tag.Get("help"))
			encode(b, v, name+".", mark)
		}
	}
}
