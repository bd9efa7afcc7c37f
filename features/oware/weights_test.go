package oware

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/features"
	"kroo/internal/testkit"
)

func TestEveryNameStandsForWeights(t *testing.T) {
	names := Names()
	if names[0] != defaultName || !slices.Contains(names, "default-awari") || !slices.Contains(names, PointsName) || !slices.Contains(names, "thesis4") {
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
	m, _ := Named("thesis4")
	e := compilationOf(t, m)
	set, _ := Published("thesis4")
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
		if w, err := features.Open(Sets, PatternSets, []byte(text), name); err == nil || !strings.Contains(err.Error(), name) || w != nil {
			t.Errorf("%s: %+v, error %v", name, w, err)
		}
	}
}
