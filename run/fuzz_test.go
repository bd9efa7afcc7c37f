package run

import (
	"encoding/json"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/internal/testkit"
)

// An accepted configuration is still valid with nodes as limits.
func FuzzParseConfig(f *testing.F) {
	f.Add(tiny)
	f.Add(tinyRounds)
	for _, name := range PresetNames {
		text := testkit.Must(Preset(name))(f)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := ParseConfig(text, "name")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "name: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: want one line that begins with the name", err)
			}
			return
		}
		limited, err := Adapt(text, "name", Changes{Limit: engine.Config{Nodes: 1000}})
		if err != nil {
			return
		}
		if _, err := ParseConfig(limited, "name"); err != nil {
			t.Errorf("limited by nodes it is refused: %v\n%s", err, limited)
		}
	})
}

// An accepted manifest is equal after writing and reading it again.
func FuzzParseManifest(f *testing.F) {
	m := newManifest("")
	m.Stages = []StageRecord{{Name: "fit", Outputs: map[string]string{"a": "b"}, Figures: json.RawMessage(`{"r":1}`)}}
	for _, m.Version = range []int{1, manifestVersion} {
		m.Seal, _ = m.seal()
		text := testkit.Must(json.MarshalIndent(m, "", "  "))(f)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseManifest(data, "name")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "name: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: want one line that begins with the name", err)
			}
			return
		}
		m.Version = manifestVersion
		m.Seal = testkit.Must(m.seal())(t)
		text := testkit.Must(json.MarshalIndent(m, "", "  "))(t)
		again, err := parseManifest(text, "name")
		if err != nil || again.Seal != m.Seal || len(again.Stages) != len(m.Stages) {
			t.Errorf("%+v read again as %+v, %v", m, again, err)
		}
	})
}
