// Package spec derives flags, strict TOML files, range checks with their errors, completion, a
// reference, and a record of the settings used from the tags of one struct.
//
// A setting is a field with a name tag. The tags are
//
//	name     in files; the flag has hyphens for underscores. The settings of a struct named "."
//	         belong to the struct around it, as those of an embedded struct do.
//	flag     another name for the flag, or "NAME,LETTER"; "-" for a flag that is only added by name
//	file     "-" for a setting that is not allowed in files, "in" for the name of an input file,
//	         "out" for an optional output file, "made" for a required one
//	help     description
//	default  the value if unset. Without it the default is the zero value, which can only be
//	         given explicitly if it is in the range
//	range    "LOW..HIGH" or "LOW.."
//	choices  the values of a string, separated by spaces
//	group    heading of the flag in a command's help
//	made     "-" for a setting that does not affect the output
//
// Fields are numbers, strings, booleans, slices of these, pointers to these (nil means unset), and
// types that implement encoding.TextMarshaler and encoding.TextUnmarshaler. A struct is a section
// of the file, a pointer to a struct an optional section, and a slice of structs a list of
// sections.
package spec

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// largest limits whole numbers without a range, so that sums of a few do not overflow.
const largest = 1_000_000_000_000_000

// setting is a field with a name tag.
type setting struct {
	name   string
	tag    reflect.StructTag
	value  reflect.Value
	hidden bool // has no flag of its own
}

// settings returns the settings of a struct, including those of embedded structs.
func settings(v reflect.Value) (list []setting) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch name := f.Tag.Get("name"); {
		case name == ".", name == "" && f.Anonymous && f.Type.Kind() == reflect.Struct:
			for _, s := range settings(v.Field(i)) {
				s.hidden = s.hidden || f.Tag.Get("flag") == "-"
				list = append(list, s)
			}
		case name != "":
			list = append(list, setting{name, f.Tag, v.Field(i), f.Tag.Get("flag") == "-"})
		}
	}
	return list
}

// of returns the settings of the struct that v points to.
func of(v any) []setting { return settings(reflect.ValueOf(v).Elem()) }

// base returns the setting's type, or the element type of a pointer or slice.
func (s setting) base() reflect.Type {
	t := s.value.Type()
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		return t.Elem()
	}
	return t
}

// isText reports whether a type implements encoding.TextUnmarshaler.
func isText(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// isSection reports whether a setting is a struct with settings of its own.
func (s setting) isSection() bool { return s.base().Kind() == reflect.Struct && !isText(s.base()) }

// Default sets zero settings of the struct that v points to to their defaults. It leaves sections
// alone: one that is absent from a file stays zero.
func Default(v any) {
	for _, s := range of(v) {
		if text := s.tag.Get("default"); text != "" && s.value.IsZero() {
			if err := s.parse(text); err != nil {
				panic(fmt.Sprintf("the default of %s: %v", s.name, err))
			}
		}
	}
}

// Check returns an error if a value is out of range, worded as for flags and files. It does not
// check sections: their own packages do.
func Check(v any) error {
	for _, s := range of(v) {
		if s.isSection() || s.left() {
			continue
		}
		if err := s.inRange(); err != nil {
			data, failed := json.Marshal(s.value.Interface())
			if failed != nil { // for NaN and infinities
				data = fmt.Append(nil, s.value.Interface())
			}
			return fmt.Errorf("%s is %s: %w", s.name, data, err)
		}
	}
	return nil
}

// left reports whether the setting is unset.
func (s setting) left() bool {
	return s.value.IsZero() && (s.tag.Get("default") == "" || s.base().Kind() == reflect.String)
}

// inRange returns an error if the value is out of range.
func (s setting) inRange() error {
	v := reflect.Indirect(s.value)
	low, high := s.bounds()
	within := func(v reflect.Value) bool {
		x := v.Convert(reflect.TypeFor[float64]()).Float()
		return x >= low && x <= high
	}
	ok := true
	switch choices := s.choices(); {
	case len(choices) > 0:
		ok = slices.Contains(choices, v.String())
	case s.kind() == "numbers":
		for i := range v.Len() {
			ok = ok && within(v.Index(i))
		}
	case isText(v.Type()):
		d, timed := v.Interface().(Duration)
		ok = (!v.IsZero() || s.value.Kind() == reflect.Pointer || s.tag.Get("default") != "") && !(timed && d.Duration < 0)
	case v.CanInt(), v.CanUint(), v.CanFloat():
		ok = within(v)
	}
	if !ok {
		return errors.New("expected " + s.expected())
	}
	return nil
}

func (s setting) choices() []string { return strings.Fields(s.tag.Get("choices")) }

// bounds returns the range of a number.
func (s setting) bounds() (low, high float64) {
	low, high = -math.MaxFloat64, math.MaxFloat64
	if t := s.base().Kind(); t == reflect.Int || t == reflect.Int64 {
		low, high = -largest, largest
	}
	from, to, _ := strings.Cut(s.tag.Get("range"), "..")
	if x, err := strconv.ParseFloat(from, 64); err == nil {
		low = x
	}
	if x, err := strconv.ParseFloat(to, 64); err == nil {
		high = x
	}
	return low, high
}

// kind returns the name of the value's type in help.
func (s setting) kind() string {
	switch t := s.base(); {
	case s.value.Kind() == reflect.Slice && t.Kind() != reflect.String:
		return "numbers"
	case s.value.Kind() == reflect.Slice:
		return "strings"
	case t == reflect.TypeFor[Duration]():
		return "duration"
	case isText(t):
		return "string"
	default:
		return t.Kind().String()
	}
}

// expectedKinds describes the values of kinds without a range.
var expectedKinds = map[string]string{
	"bool": "true or false", "duration": "a time above 0, such as 200ms", "uint64": "0 or more", "float64": "a number",
	"strings": "a list", "numbers": "a list of numbers", "string": "a text",
}

// expected describes the accepted values.
func (s setting) expected() string {
	low, high, ranged := strings.Cut(s.tag.Get("range"), "..")
	choices := s.choices()
	switch last := len(choices) - 1; {
	case last > 0:
		return strings.Join(choices[:last], ", ") + " or " + choices[last]
	case ranged && high == "":
		return low + " or more"
	case ranged:
		return low + " to " + high
	}
	return cmp.Or(expectedKinds[s.kind()], fmt.Sprintf("a whole number up to %d", int64(largest)))
}

// set decodes JSON into the setting, unless it is out of range.
func (s setting) set(data []byte) error {
	to := s
	to.value = reflect.New(s.value.Type()).Elem()
	if err := json.Unmarshal(data, to.value.Addr().Interface()); err != nil {
		if isText(s.base()) && data[0] == '"' {
			return err
		}
		return errors.New("expected " + s.expected())
	}
	if err := to.inRange(); err != nil {
		return err
	}
	s.value.Set(to.value)
	return nil
}

// parse sets the value from the text of a flag: JSON without quotation marks.
func (s setting) parse(text string) error {
	var v any = json.RawMessage(text)
	switch {
	case s.kind() == "strings":
		v = strings.Split(text, ",")
	case s.kind() == "numbers":
		v = json.RawMessage("[" + text + "]")
	case isText(s.base()) || s.base().Kind() == reflect.String:
		v = text
	case strings.HasPrefix(text, "."):
		v = json.RawMessage("0" + text)
	}
	data, err := json.Marshal(v)
	if err != nil {
		return errors.New("expected " + s.expected())
	}
	return s.set(data)
}

// text formats the value as the text of a flag; "" if unset.
func (s setting) text() string {
	data, _ := json.Marshal(s.value.Interface()) // never fails for values that were decoded
	var list []string
	var text string
	switch {
	case s.kind() == "numbers":
		return strings.Trim(string(data), "[]nul") // "null" becomes ""
	case json.Unmarshal(data, &list) == nil:
		return strings.Join(list, ",")
	case json.Unmarshal(data, &text) == nil:
		return text
	}
	return string(data)
}
