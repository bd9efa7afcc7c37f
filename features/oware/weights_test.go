package oware

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/features"
	"kroo/internal/testkit"
)

func TestEveryNameStandsForWeights(t *testing.T) {
	names := Names()
	if names[0] != defaultName || !slices.Contains(names, "default-awari") || !slices.Contains(names, "thesis4") {
		t.Errorf("names %q", names)
	}
	for _, name := range names {
		w, err := Find(name, "abapa")
		if err != nil || (w.Model == nil) == (w.Tables == nil) || w.Named != nil {
			t.Errorf("%s: %+v, error %v", name, w, err)
		}
	}
	other, _ := Find("default-awari", "abapa")
	if w, err := Find(defaultName, "awari"); err != nil || w.Tables != other.Tables || w.Tables.Header().Rules != "awari" {
		t.Errorf("the default for awari: error %v", err)
	}
	if w, err := Find(defaultName, "simple"); err != nil || w.Model == nil || w.Model.Provenance.Name != "captures" {
		t.Errorf("the default for rules without weights: %+v, error %v", w, err)
	}
}

func TestWeightsFilesOfEveryKindAreFound(t *testing.T) {
	dir := t.TempDir()
	m, _ := FindByName("thesis4")
	e := compilationOf(t, m)
	set, _ := FindPublished("thesis4")
	for name, save := range map[string]func(string) error{"model": m.Save, "compiled": func(path string) error { return save(e, path) }, "thesis": set.Save} {
		testkit.NoError(t, save(filepath.Join(dir, name)))
	}
	if w, err := Find(filepath.Join(dir, "model"), ""); err != nil || w.Model.Hash() != m.Hash() || w.Tables != nil || w.Named != nil {
		t.Errorf("a model: %+v, error %v", w, err)
	}
	if w, err := Find(filepath.Join(dir, "compiled"), ""); err != nil || w.Tables.Hash() != e.Hash() || w.Model != nil || w.Named != nil {
		t.Errorf("compiled weights: %+v, error %v", w, err)
	}
	if w, err := Find(filepath.Join(dir, "thesis"), ""); err != nil || w.Named.Hash() != set.Hash() || w.Model.Named != w.Named || w.Tables != nil {
		t.Errorf("weights of an antisymmetric set: %+v, error %v", w, err)
	}
	for name, text := range map[string]string{"broken": "kroowts\n and no more", "short": "{"} {
		if w, err := features.Open(Sets, []byte(text), name); err == nil || !strings.Contains(err.Error(), name) || w != nil {
			t.Errorf("%s: %+v, error %v", name, w, err)
		}
	}
}

func TestEmbeddedWeightsAreReadOnce(t *testing.T) {
	for _, rules := range []string{"abapa", "awari", "simple"} {
		a := testkit.Must(Default(rules))(t)
		if b, err := Default(rules); err != nil || a != b {
			t.Errorf("%s: read twice, error %v", rules, err)
		}
		if a != nil && a.Header().Rules != rules {
			t.Errorf("%s: weights for %s", rules, a.Header().Rules)
		}
	}
	for _, name := range []string{"default-", "default-simple", "awari", ""} {
		if c := championOf(name, "abapa"); c != nil {
			t.Errorf("%q is the name of the champion for %s", name, c.rules)
		}
	}
}

// The same functions as antisymmetric sets of the thesis, with the weights as printed in their
// sources.
func TestNamedModelsAreThePublishedFunctions(t *testing.T) {
	for _, c := range []struct {
		name, set string
		points    []float64 // nil: those of the thesis
	}{
		{"captures", "captures", []float64{1000.0 / 24}},
		{"thesis4", "thesis4", nil},
		{"thesis12", "thesis", nil},
		{"quick4", "thesis4", []float64{42.9346, -24.3760, -51.6367, 33.2531}},
	} {
		exact, _ := FindPublished(c.set)
		if c.points != nil {
			set := testkit.Must(Sets.ByName(c.set))(t)
			exact = bound(t, "abapa", set.Info, set.Names(), c.points)
		}
		m, ok := FindByName(c.name)
		if !ok || m.Check() != nil || m.CheckRules("abapa") != nil || m.CheckRules("awari") == nil || m.Provenance.Source == "" {
			t.Fatalf("%s: %v", c.name, ok)
		}
		for _, p := range randomPositions(t, 1000) {
			if a, b := m.Exact(p), exact.Exact(p); math.Abs(a-b) > 1e-4 {
				t.Fatalf("%s %v: %v points: want %v", c.name, p, a, b)
			}
			if a, b := m.Exact(p), m.Exact(p.Swap()); math.Abs(a+b) > 1e-9 {
				t.Fatalf("%s %v: %v points, with the other side to move %v", c.name, p, a, b)
			}
		}
	}
	if _, ok := FindByName("champion"); ok || len(publishedModels) != 4 {
		t.Errorf("%d published functions, a champion among them: %t", len(publishedModels), ok)
	}
}
