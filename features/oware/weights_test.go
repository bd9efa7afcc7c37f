package oware

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/features/oware/thesis"
	"kroo/internal/testkit"
)

func TestEveryNameStandsForWeights(t *testing.T) {
	names := Names()
	if names[0] != defaultName || !slices.Contains(names, "default-awari") || !slices.Contains(names, PointsName) || !slices.Contains(names, "thesis4") {
		t.Errorf("names %q", names)
	}
	for _, name := range names {
		w, err := Find(name, "abapa")
		if err != nil || (w.Model == nil) == (w.Compiled == nil) || w.Thesis != nil {
			t.Errorf("%s: %+v, error %v", name, w, err)
		}
	}
	other, _ := Find("default-awari", "abapa")
	if w, err := Find(defaultName, "awari"); err != nil || w.Compiled != other.Compiled || w.Compiled.Header().Rules != "awari" {
		t.Errorf("the default for awari: error %v", err)
	}
	if w, err := Find(defaultName, "simple"); err != nil || w.Model == nil || w.Model.Provenance.Name != "captures" {
		t.Errorf("the default for rules without weights: %+v, error %v", w, err)
	}
}

func TestWeightsFilesOfEveryKindAreFound(t *testing.T) {
	dir := t.TempDir()
	m, _ := Named("thesis4")
	e := compilationOf(t, m)
	set, _ := thesis.Published("thesis4")
	for name, save := range map[string]func(string) error{"model": m.Save, "compiled": e.save, "thesis": set.Save} {
		testkit.NoError(t, save(filepath.Join(dir, name)))
	}
	if w, err := Find(filepath.Join(dir, "model"), ""); err != nil || w.Model.Hash() != m.Hash() || w.Compiled != nil || w.Thesis != nil {
		t.Errorf("a model: %+v, error %v", w, err)
	}
	if w, err := Find(filepath.Join(dir, "compiled"), ""); err != nil || w.Compiled.Hash() != e.Hash() || w.Model != nil || w.Thesis != nil {
		t.Errorf("compiled weights: %+v, error %v", w, err)
	}
	if w, err := Find(filepath.Join(dir, "thesis"), ""); err != nil || w.Thesis.Hash() != set.Hash() || w.Model != nil || w.Compiled != nil {
		t.Errorf("weights of an antisymmetric set: %+v, error %v", w, err)
	}
	for name, text := range map[string]string{"broken": "kroowts\n and no more", "short": "{"} {
		if w, err := ParseWeights([]byte(text), name); err == nil || !strings.Contains(err.Error(), name) || w != (Weights{}) {
			t.Errorf("%s: %+v, error %v", name, w, err)
		}
	}
}
