// Package spec derives from one struct all that a program needs of its settings: flags, a strict
// TOML file, the ranges of values and the errors that name them, completion, a reference, and
// a record of the settings that made a file.
//
// A setting is a field with a name. Its tags are
//
//	name     in files; a flag has hyphens for the underscores. "." is a struct whose settings
//	         are those of the struct around it, as those of an embedded struct are.
//	flag     another name of the flag, or "NAME,LETTER"; "-" for one that is only added by name
//	file     "-" for a setting that files do not have, "in" for the name of a file that is read,
//	         "out" for one that is written, "made" for one that has to be given
//	help     what it is
//	default  its value where none is given; without one that is the zero value, which can
//	         only be given if it is in the range
//	range    "LOW..HIGH" or "LOW.."
//	choices  the values of a string, separated by spaces
//	group    title of the flag in the help of a command
//	made     "-" for a setting that changes nothing in what is made
//
// Fields are numbers, strings, truth values, lists of these, pointers to these (nil is not
// given), and types that read and write text. A struct is a section of the file, a pointer to
// one a section that may be left out, and a slice of structs a list of sections.
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

// largest bounds whole numbers without a range of their own: sums of a few do not overflow.
const largest = 1_000_000_000_000_000

// setting is a field with a name.
type setting struct {
	name   string
	tag    reflect.StructTag
	value  reflect.Value
	hidden bool // no flag of the struct around it
}

// settings lists the fields of a struct, with those of embedded structs.
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

// of lists the settings of the struct that v points to.
func of(v any) []setting { return settings(reflect.ValueOf(v).Elem()) }

// base is the type of a value, without the pointer or the list.
func (s setting) base() reflect.Type {
	t := s.value.Type()
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		return t.Elem()
	}
	return t
}

// isText reports whether a type reads its values from text.
func isText(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// isSection reports whether a setting is a struct with settings of its own.
func (s setting) isSection() bool { return s.base().Kind() == reflect.Struct && !isText(s.base()) }

// Default gives the struct that v points to the defaults where it has zeros, but not its sections:
// one that a file does not have stays zero.
func Default(v any) {
	for _, s := range of(v) {
		if text := s.tag.Get("default"); text != "" && s.value.IsZero() {
			if err := s.parse(text); err != nil {
				panic(fmt.Sprintf("the default of %s: %v", s.name, err))
			}
		}
	}
}

// Check refuses values out of their ranges, in the words that flags and files have for them.
// It looks into no sections, whose own packages check them.
func Check(v any) error {
	for _, s := range of(v) {
		if s.isSection() || s.left() {
			continue
		}
		if err := s.inRange(); err != nil {
			data, failed := json.Marshal(s.value.Interface())
			if failed != nil { // of what is no number
				data = fmt.Append(nil, s.value.Interface())
			}
			return fmt.Errorf("%s is %s: %w", s.name, data, err)
		}
	}
	return nil
}

// left reports whether the setting is not given.
func (s setting) left() bool {
	return s.value.IsZero() && (s.tag.Get("default") == "" || s.base().Kind() == reflect.String)
}

// inRange refuses a value that nobody may give.
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

// bounds are the range of a number.
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

// kind is what help calls the value.
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

// expectedKinds are the words for values without a range.
var expectedKinds = map[string]string{
	"bool": "true or false", "duration": "a time above 0, such as 200ms", "uint64": "0 or more", "float64": "a number",
	"strings": "a list", "numbers": "a list of numbers", "string": "a text",
}

// expected are the words for the values that a setting takes.
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

// set gives the setting a value in JSON, unless it is out of range.
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

// parse sets the value by the text of a flag, which is JSON without the quotation marks.
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

// text is the value as a flag has it, "" for one that is not given.
func (s setting) text() string {
	data, _ := json.Marshal(s.value.Interface()) // of numbers, strings and texts that were read
	var list []string
	var text string
	switch {
	case s.kind() == "numbers":
		return strings.Trim(string(data), "[]nul") // of null there is nothing left
	case json.Unmarshal(data, &list) == nil:
		return strings.Join(list, ",")
	case json.Unmarshal(data, &text) == nil:
		return text
	}
	return string(data)
}
