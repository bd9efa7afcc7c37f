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
