package spec

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// Annotations of the flags that [Flags] adds.
const (
	Group   = "group"   // title in the help
	Choices = "choices" // values to complete
	File    = "file"    // the tag of a file's name
)

// Flags adds a flag for each setting of the struct that v points to, whose values are the
// defaults: for those that are named, or for all that have one.
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

// value is a setting as pflag has it.
type value struct{ setting }

func (v value) String() string        { return v.text() }
func (v value) Set(text string) error { return v.parse(text) }
func (v value) Type() string          { return v.kind() }

// Duration is a time.Duration written as "200ms".
type Duration struct{ time.Duration }

// UnmarshalText parses the text form, and no text as no duration.
func (d *Duration) UnmarshalText(text []byte) (err error) {
	if d.Duration = 0; len(text) > 0 {
		d.Duration, err = time.ParseDuration(string(text))
	}
	if err != nil || d.Duration < 0 {
		return errors.New("expected a time such as 200ms")
	}
	return nil
}

// MarshalText gives the text form, nothing for no duration.
func (d Duration) MarshalText() ([]byte, error) {
	if d.Duration == 0 {
		return nil, nil
	}
	return []byte(d.String()), nil
}

// Set gives the setting that a key names a value, in the struct that v points to. The key is the name of
// the flag or in files, with or without underscores.
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

// joined is a name without underscores.
func joined(name string) string { return strings.ReplaceAll(name, "_", "") }
