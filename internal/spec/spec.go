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
	"text/tabwriter"

	"github.com/spf13/pflag"

	"kroo/internal/strict"
	"kroo/internal/wording"
)

// largest limits whole numbers without a range, so that sums of a few do not overflow.
const largest = 1_000_000_000_000_000

// setting is a field with a name tag. It implements [pflag.Value].
type setting struct {
	name, flag string // in files and on the command line
	tag        reflect.StructTag
	value      reflect.Value
	hidden     bool // has no flag of its own
}

// settings returns the settings of a struct, including those of embedded structs.
func settings(v reflect.Value) (list []setting) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, flag := f.Tag.Get("name"), f.Tag.Get("flag")
		switch {
		case name == ".", name == "" && f.Anonymous && f.Type.Kind() == reflect.Struct:
			for _, s := range settings(v.Field(i)) {
				s.hidden = s.hidden || flag == "-"
				list = append(list, s)
			}
		case name != "":
			long, _, _ := strings.Cut(flag, ",")
			list = append(list, setting{name, cmp.Or(strings.Trim(long, "-"), name), f.Tag, v.Field(i), flag == "-"})
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

// isText reports whether the setting implements encoding.TextUnmarshaler.
func (s setting) isText() bool {
	return reflect.PointerTo(s.base()).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// isSection reports whether a setting is a struct with settings of its own.
func (s setting) isSection() bool { return s.Type() == section }

const section = "section"

// Type implements [pflag.Value]: it returns the name of the value's type in help.
func (s setting) Type() string {
	switch t := s.base(); {
	case t == reflect.TypeFor[Duration]():
		return "duration"
	case s.isText():
		return "string"
	case t.Kind() == reflect.Struct:
		return section
	case s.value.Kind() != reflect.Slice:
		return t.Kind().String()
	case t.Kind() == reflect.String:
		return "strings"
	}
	return "numbers"
}

// Default sets zero settings of the struct that v points to to their defaults. It leaves sections
// alone: one that is absent from a file stays zero.
func Default(v any) {
	for _, s := range of(v) {
		if text := s.tag.Get("default"); text != "" && s.value.IsZero() {
			if err := s.Set(text); err != nil {
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
	v, ok := reflect.Indirect(s.value), true
	switch choices := s.choices(); {
	case len(choices) > 0:
		if !slices.Contains(choices, v.String()) {
			return errors.New(wording.Expect(v.String(), choices))
		}
	case s.Type() == "numbers":
		for i := range v.Len() {
			ok = ok && s.within(v.Index(i))
		}
	case s.isText():
		d, timed := v.Interface().(Duration)
		ok = (!v.IsZero() || s.value.Kind() == reflect.Pointer || s.tag.Get("default") != "") && !(timed && d.Duration < 0)
	case v.CanInt(), v.CanUint(), v.CanFloat():
		ok = s.within(v)
	}
	if !ok {
		return errors.New("expected " + s.expectation())
	}
	return nil
}

func (s setting) choices() []string { return strings.Fields(s.tag.Get("choices")) }

// within reports whether a number is in the range.
func (s setting) within(v reflect.Value) bool {
	low, high := -math.MaxFloat64, math.MaxFloat64
	if v.CanInt() {
		low, high = -largest, largest
	}
	from, to, _ := strings.Cut(s.tag.Get("range"), "..")
	if x, err := strconv.ParseFloat(from, 64); err == nil {
		low = x
	}
	if x, err := strconv.ParseFloat(to, 64); err == nil {
		high = x
	}
	x := v.Convert(reflect.TypeFor[float64]()).Float()
	return x >= low && x <= high
}

// expectedKinds describes the values of kinds without a range.
var expectedKinds = map[string]string{
	"bool": "true or false", "duration": "a time above 0, such as 200ms", "uint64": "0 or more", "float64": "a number",
	"strings": "a list", "numbers": "a list of numbers", "string": "a text",
}

// expectation describes the accepted values.
func (s setting) expectation() string {
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
	return cmp.Or(expectedKinds[s.Type()], fmt.Sprintf("a whole number up to %d", int64(largest)))
}

// mismatch is the error for a text that is not of the setting's type.
func (s setting) mismatch(given string) error {
	return errors.New(s.suggestDigits(given) + "expected " + s.expectation())
}

// suggestDigits suggests how to write a whole number such as 1e4, 10_000 or 10k; it returns "" for other texts.
func (s setting) suggestDigits(given string) string {
	if base := reflect.New(s.base()).Elem(); s.value.Kind() == reflect.Slice || !base.CanInt() && !base.CanUint() {
		return ""
	}
	plain := strings.NewReplacer("_", "", ",", "", "'", "", "k", "e3", "K", "e3", "M", "e6").Replace(given)
	n, err := strconv.ParseFloat(plain, 64)
	if err != nil || n != math.Trunc(n) || math.Abs(n) > largest {
		return ""
	}
	meant := fmt.Sprintf("%.0f", n)
	if meant == given {
		return ""
	}
	return fmt.Sprintf("did you mean %s? ", meant)
}

// decode reads JSON into the setting, unless it is out of range.
func (s setting) decode(data []byte) error {
	to := s
	to.value = reflect.New(s.value.Type()).Elem()
	err := json.Unmarshal(data, to.value.Addr().Interface())
	switch {
	case err == nil:
		err = to.inRange()
	case !s.isText() || data[0] != '"':
		err = s.mismatch(string(data))
	}
	if err == nil {
		s.value.Set(to.value)
	}
	return err
}

// Set implements [pflag.Value]: the text is JSON without quotation marks.
func (s setting) Set(text string) error {
	if err := strict.CheckText(text); err != nil {
		return err
	}
	var v any = json.RawMessage(text)
	switch {
	case s.Type() == "strings":
		v = strings.Split(text, ",")
	case s.Type() == "numbers":
		v = json.RawMessage("[" + text + "]")
	case s.isText() || s.base().Kind() == reflect.String:
		v = text
	case strings.HasPrefix(text, "."):
		v = json.RawMessage("0" + text)
	}
	data, err := json.Marshal(v)
	if err != nil {
		return s.mismatch(text)
	}
	return s.decode(data)
}

// String implements [pflag.Value]. It returns "" if the setting is unset.
func (s setting) String() string {
	data, _ := json.Marshal(s.value.Interface()) // never fails for values that were decoded
	var list []string
	var text string
	switch {
	case s.Type() == "numbers":
		return strings.Trim(string(data), "[]nul") // "null" becomes ""
	case json.Unmarshal(data, &list) == nil:
		return strings.Join(list, ",")
	case json.Unmarshal(data, &text) == nil:
		return text
	}
	return string(data)
}

// Annotations of the flags that [Flags] adds.
const (
	Group   = "group"   // heading in the help
	Choices = "choices" // values for completion
	File    = "file"    // the setting's file tag
)

// Flags adds a flag for each setting of the struct that v points to, with the present values as
// defaults. If names are given, it adds only those settings.
func Flags(f *pflag.FlagSet, v any, only ...string) {
	for _, s := range of(v) {
		if s.isSection() || only == nil && s.hidden || only != nil && !slices.Contains(only, s.name) {
			continue
		}
		_, letter, _ := strings.Cut(s.tag.Get("flag"), ",")
		flag := f.VarPF(s, strings.ReplaceAll(s.flag, "_", "-"), letter, s.tag.Get("help"))
		flag.Annotations = map[string][]string{Group: {s.tag.Get("group")}, Choices: s.choices(), File: {s.tag.Get("file")}}
		if s.Type() == "bool" {
			flag.NoOptDefVal = "true"
		}
	}
}

// Set parses text into the setting of that key in the struct that v points to. The key is the
// setting's name in files or on the command line, with or without separators.
func Set(v any, key, text string) error {
	var known []string
	joined := func(name string) string { return strings.ReplaceAll(name, "_", "") }
	for _, s := range of(v) {
		switch {
		case s.isSection():
		case joined(key) != joined(s.name) && joined(key) != joined(s.flag):
			known = append(known, s.flag)
		case text == "":
			return errors.New("no value: expected " + s.expectation())
		default:
			return s.Set(text)
		}
	}
	slices.Sort(known)
	return &UnknownError{Key: key, Known: known}
}

// Record returns the settings that differ from their defaults, except those that do not affect the
// output (made:"-").
func Record(v any) map[string]any {
	record := map[string]any{}
	given := reflect.Indirect(reflect.ValueOf(v))
	unset := reflect.New(given.Type()).Interface()
	Default(unset)
	for i, s := range settings(given) {
		if s.tag.Get("made") != "-" && s.String() != of(unset)[i].String() {
			record[s.name] = s.value.Interface()
		}
	}
	return record
}

// Files returns the values of the settings that name input files.
func Files(v any) (names []string) {
	for _, s := range settings(reflect.Indirect(reflect.ValueOf(v))) {
		if s.tag.Get("file") == "in" && s.String() != "" {
			names = append(names, s.String())
		}
	}
	return names
}

// Values returns the settings of the struct that v points to and of its sections, by their names in files
// ("label.nodes", "round 1.keep"), as texts; "" is an unset one. The value of a section
// is "given"; absent ones are left out, and so are settings that do not affect the output (made:"-").
func Values(v any) map[string]string {
	all := map[string]string{}
	addValues(all, reflect.ValueOf(v).Elem(), "")
	return all
}

// given is the value of a section in [Values].
const given = "given"

func addValues(all map[string]string, v reflect.Value, place string) {
	for _, s := range settings(v) {
		name := place + s.name
		switch {
		case s.tag.Get("made") == "-":
		case !s.isSection():
			all[name] = s.String()
		case s.value.Kind() == reflect.Slice:
			for i := range s.value.Len() {
				one := fmt.Sprintf("%s %d", name, i+1)
				all[one] = given
				addValues(all, s.value.Index(i), one+".")
			}
		case s.value.Kind() == reflect.Pointer && s.value.IsNil():
		default:
			all[name] = given
			addValues(all, reflect.Indirect(s.value), name+".")
		}
	}
}

// Encode returns a TOML file of the struct that v points to, with help and range of every setting.
// Settings that are not set are commented out.
func Encode(v any) string {
	var b strings.Builder
	encode(&b, reflect.ValueOf(v).Elem(), "", "")
	return b.String()
}

// encode writes a struct's settings and then its sections, with mark at the start of each line.
func encode(b *strings.Builder, v reflect.Value, place, mark string) {
	w := tabwriter.NewWriter(b, 0, 0, 1, ' ', 0)
	var sections []setting
	for _, s := range settings(v) {
		help := s.tag.Get("help")
		value := ""
		mark := mark
		switch data, _ := json.Marshal(s.value.Interface()); {
		case s.tag.Get("file") == "-":
			continue
		case s.isSection():
			sections = append(sections, s)
			continue
		case s.left() && s.Type() != "bool":
			mark = "#"
		case s.value.Kind() == reflect.Map:
			value = strings.ReplaceAll(string(data), `":`, `" = `)
		default:
			value = string(data)
		}
		if expected := s.expectation(); (s.tag.Get("range") != "" || len(s.choices()) > 0) &&
			!strings.Contains(help, expected) {
			help += " (" + expected + ")"
		}
		fmt.Fprintf(w, "%s%s\t= %s\t# %s\n", mark, s.name, value, help)
	}
	w.Flush() // never fails: writes to memory
	for _, s := range sections {
		begin := "["
		end := "]"
		all := []reflect.Value{reflect.Indirect(s.value)}
		if s.value.Kind() == reflect.Slice {
			begin = "[["
			end = "]]"
			all = nil
			for i := range s.value.Len() {
				all = append(all, s.value.Index(i))
			}
		}
		mark := mark
		if s.value.IsZero() {
			mark, all = "#", []reflect.Value{reflect.New(s.base()).Elem()}
			Default(all[0].Addr().Interface())
		}
		for _, v := range all {
			fmt.Fprintf(b, "\n%s%s%s%s # %s\n", mark, begin, place+s.name, end, s.tag.Get("help"))
			encode(b, v, place+s.name+".", mark)
		}
	}
}
