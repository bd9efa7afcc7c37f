package datasets

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"kroo/games/oware"
	"kroo/internal/strictjson"
)

// The kinds of table, as [Meta.Kind] names them.
const (
	Positions = "positions"
	Labels    = "labels"
	Features  = "features"
)

const (
	maxFeatures  = 1000      // features a table may have
	maxMetaBytes = 256 << 10 // of its JSON
)

// Meta says what a table holds and what made it. It is stored in the file (as
// JSON under the schema metadata key "kroo") and in the manifest. Fields that
// do not apply stay empty. It must hold nothing that differs between two runs
// with the same input, such as a date.
type Meta struct {
	Kind       string   `json:"kind"`                  // one of Positions, Labels, Features
	Rules      string   `json:"rules"`                 // rule set of the positions, as oware.Rules names it
	Seed       uint64   `json:"seed,omitempty"`        // of the drawing
	Method     string   `json:"method,omitempty"`      // how the positions were drawn
	Limits     string   `json:"limits,omitempty"`      // of the labelling searches
	Engine     string   `json:"engine,omitempty"`      // signature of the searcher
	Evaluator  string   `json:"evaluator,omitempty"`   // of the labelling searches
	FeatureSet string   `json:"feature_set,omitempty"` // name of the set, features tables only
	Features   []string `json:"features,omitempty"`    // its features in column order, features tables only
	Parent     string   `json:"parent,omitempty"`      // SHA-256 in hex of the file this one was made from
	Tool       string   `json:"tool,omitempty"`        // revision of the program
	Note       string   `json:"note,omitempty"`
}

// CheckRules returns an error if the table was made under other rules.
func (m Meta) CheckRules(want oware.Rules) error {
	if m.Rules != want.String() {
		return fmt.Errorf("datasets: the %s table was made under the rules %q: expected %q", m.Kind, m.Rules, want)
	}
	return nil
}

func (m Meta) check() error {
	if m.Kind != Positions && m.Kind != Labels && m.Kind != Features {
		return fmt.Errorf("unknown kind of table %q: expected %s, %s or %s", m.Kind, Positions, Labels, Features)
	}
	if _, err := oware.ParseRules(m.Rules); err != nil {
		return fmt.Errorf("meta: %w", err)
	}
	if m.Parent != "" && !isHash(m.Parent) {
		return fmt.Errorf("meta: parent is %q: expected a SHA-256 of 64 hex digits", m.Parent)
	}
	if m.Kind != Features {
		if len(m.Features) != 0 || m.FeatureSet != "" {
			return fmt.Errorf("meta: a %s table has no features", m.Kind)
		}
		return nil
	}
	if len(m.Features) == 0 || len(m.Features) > maxFeatures {
		return fmt.Errorf("meta: %d features: expected 1 to %d", len(m.Features), maxFeatures)
	}
	seen := map[string]bool{}
	for i, name := range m.Features {
		if name == "" || seen[name] {
			return fmt.Errorf("meta: feature %d is named %q: names must be there and differ", i+1, name)
		}
		seen[name] = true
	}
	return nil
}

// encode gives the JSON that is stored, the same for the same meta.
func (m Meta) encode() ([]byte, error) {
	if len(m.Features) == 0 {
		m.Features = nil
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	data, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("meta: %w", err)
	}
	if len(data) > maxMetaBytes {
		return nil, fmt.Errorf("meta: %d bytes of JSON: at most %d", len(data), maxMetaBytes)
	}
	var back Meta
	if err := strictjson.Decode(data, maxMetaBytes, &back); err != nil || !reflect.DeepEqual(m, back) {
		return nil, errors.New("meta: a text is not valid UTF-8")
	}
	return data, nil
}

func isHash(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == 32
}
