package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kroo/internal/strict"
)

// header is the first record of a journal, as JSON.
type header struct {
	Journal  string                     `json:"journal"` // the kind of work
	Settings map[string]json.RawMessage `json:"settings"`
}

// newHeader returns a header and its encoding.
func newHeader(kind string, settings any) (h header, text []byte, err error) {
	h.Journal = kind
	if text, err = json.Marshal(settings); err != nil {
		return h, nil, fmt.Errorf("settings: %w", err)
	}
	if err := json.Unmarshal(text, &h.Settings); err != nil || h.Settings == nil {
		return h, nil, errors.New("settings: expected a value that encodes as a JSON object")
	}
	text, err = json.Marshal(h)
	return h, text, err
}

// check compares the header found in a file with h.
func (h header) check(found []byte) error {
	var there header
	if err := strict.JSON(found, maxRecord, &there); err != nil || there.Journal != h.Journal {
		return fmt.Errorf("not a journal of kind %q: %s", h.Journal, whatToDo)
	}
	got, want := flatten(there.Settings), flatten(h.Settings)
	fields := maps.Clone(want)
	maps.Copy(fields, got)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if got[name] != want[name] && !isRecorded(name) {
			return fmt.Errorf("%w: %s is %s, expected %s%s: %s",
				ErrOther, strings.ReplaceAll(name, "_", " "), show(got[name]), show(want[name]), recorded(name, got, want), whatToDo)
		}
	}
	return nil
}

// ErrOther is wrapped by the error for a journal with other settings.
var ErrOther = errors.New("made with other settings")

// isRecorded reports whether a setting is only for people.
func isRecorded(name string) bool {
	return slices.Contains(strings.Split(name, "."), "recorded")
}

// recorded returns the "recorded" values next to a setting, of both journals.
func recorded(name string, there, here map[string]string) string {
	next := name[:strings.LastIndexByte(name, '.')+1] + "recorded"
	if there[next] == "" && here[next] == "" {
		return ""
	}
	return fmt.Sprintf(" (it was %s, now %s)", show(there[next]), show(here[next]))
}

const whatToDo = "delete it to start over, or choose another file"

// flatten maps the values of an object by name. Values of an inner object have names such as
// "outer.inner".
func flatten(object map[string]json.RawMessage) map[string]string {
	flat := map[string]string{}
	for name, value := range object {
		var inner map[string]json.RawMessage
		if json.Unmarshal(value, &inner) == nil && len(inner) > 0 {
			for below, v := range flatten(inner) {
				flat[name+"."+below] = v
			}
			continue
		}
		var text bytes.Buffer
		json.Compact(&text, value) // cannot fail: it was decoded before
		flat[name] = text.String()
	}
	return flat
}

// show formats a value for an error: on one line, truncated if long, with words for a missing
// field.
func show(value string) string {
	const maxLength = 120
	switch {
	case value == "":
		return "not set"
	case len(value) > maxLength:
		return strings.ToValidUTF8(value[:maxLength], "") + "…"
	}
	return value
}

// settingsOf returns the kind of work and the settings in a journal's header, with values as
// JSON. They are empty if it is not a journal's header.
func settingsOf(head []byte) (kind string, settings map[string]string) {
	var h header
	if err := strict.JSON(head, maxRecord, &h); err != nil {
		return "", nil
	}
	return h.Journal, flatten(h.Settings)
}
