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
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/pflag"

	"kroo/internal/strict"
	"kroo/internal/wording"
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
		name, letter, _ := strings.Cut(s.tag.Get("flag"), ",")
		if s.isSection() || only == nil && s.hidden || only != nil && !slices.Contains(only, s.name) {
			continue
		}
		name = strings.ReplaceAll(cmp.Or(strings.Trim(name, "-"), s.name), "_", "-")
		flag := f.VarPF(value{s}, name, letter, s.tag.Get("help"))
		flag.Annotations = map[string][]string{Group: {s.tag.Get("group")}, Choices: s.choices(), File: {s.tag.Get("file")}}
		if s.kind() == "bool" {
			flag.NoOptDefVal = "true"
		}
	}
}

// value implements pflag.Value.
type value struct{ setting }

func (v value) String() string        { return v.text() }
func (v value) Set(text string) error { return v.parse(text) }
func (v value) Type() string          { return v.kind() }

// Duration is a time.Duration written as "200ms".
type Duration struct{ time.Duration }

// UnmarshalText implements [encoding.TextUnmarshaler]. Empty text is a zero duration.
func (d *Duration) UnmarshalText(text []byte) (err error) {
	if d.Duration = 0; len(text) > 0 {
		d.Duration, err = time.ParseDuration(string(text))
	}
	if err != nil || d.Duration < 0 {
		return errors.New("expected a time such as 200ms")
	}
	return nil
}

// MarshalText implements [encoding.TextMarshaler]. A zero duration is empty text.
func (d Duration) MarshalText() ([]byte, error) {
	if d.Duration == 0 {
		return nil, nil
	}
	return []byte(d.String()), nil
}

// Set parses text into the setting of that key in the struct that v points to. The key is the
// setting's name in files or on the command line, with or without separators.
func Set(v any, key, text string) error {
	var known []string
	for _, s := range of(v) {
		flag, _, _ := strings.Cut(s.tag.Get("flag"), ",")
		names := []string{cmp.Or(strings.Trim(flag, "-"), s.name), s.name}
		switch {
		case s.isSection():
			continue
		case !slices.ContainsFunc(names, func(name string) bool { return joined(name) == joined(key) }):
			known = append(known, names[0])
			continue
		case text == "":
			return errors.New("no value: expected " + s.expected())
		}
		return s.parse(text)
	}
	slices.Sort(known)
	return fmt.Errorf("unknown: expected one of %s", strings.Join(known, ", "))
}

// joined removes the underscores of a name.
func joined(name string) string { return strings.ReplaceAll(name, "_", "") }

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
