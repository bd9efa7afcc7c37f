package weights

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"kroo/features"
	squares "kroo/features/othello"
	"kroo/features/weightsfile"
	"kroo/games/othello"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// othelloFiles saves weights of both kinds for Othello: of patterns, and antisymmetric.
func othelloFiles(t *testing.T) (patterns, classes string) {
	t.Helper()
	dir := t.TempDir()
	set := testkit.Must(squares.PatternSets.Parse(othello.Small.String(), "corners/2"))(t)
	m := testkit.Must(squares.PatternSets.NewModel(othello.Small.String(), set, make([]float32, set.Len()), weightsfile.Provenance{}))(t)
	patterns = filepath.Join(dir, "corners.model")
	testkit.NoError(t, m.Save(patterns))
	s := testkit.Must(squares.Sets.ByName("squares"))(t)
	w := testkit.Must(features.New(othello.Descriptor().Name, othello.Large.String(), s.Info, squares.ClassNames(othello.Large), squares.Figure3[:9]))(t)
	classes = filepath.Join(dir, "squares.json")
	testkit.NoError(t, w.Save(classes))
	return patterns, classes
}

// Weights of another game are described; a board of oware they do not value.
func TestWeightsOfAnotherGameAreRefusedClearly(t *testing.T) {
	patterns, classes := othelloFiles(t)
	const want = "weights for othello: expected some for oware"
	refused := func(what string, err error) {
		t.Helper()
		testkit.Refused(t, err, want)
	}
	for _, path := range []string{patterns, classes} {
		w := testkit.Must(Load(path, known))(t)
		if i := w.Info(); i.Columns == 0 || i.Doc().Text("") == "" {
			t.Errorf("%s is described as %+v", path, i)
		}
		_, err := w.Board("", oware.Start(oware.Abapa).String())
		refused("Board", err)
		_, err = w.Explain(oware.Start(oware.Abapa))
		refused("Explain", err)
		_, err = w.Evaluator()
		refused("Evaluator", err)
		refused("Export as C", w.Export(&bytes.Buffer{}, "c"))
	}
	_, err := Compare(patterns, "default", known)
	refused("Compare", err)
	_, err = Compare("default", patterns, known)
	refused("Compare", err)
	_, err = Compare("default", classes, known)
	refused("Compare", err)
	if s, err := Compare(classes, classes, known); err != nil || s.Boards != nil || len(s.Common) != 9 {
		t.Errorf("two of Othello: %+v, %v", s, err)
	}
	var csv bytes.Buffer
	w := testkit.Must(Load(classes, known))(t)
	if err := w.Export(&csv, "csv"); err != nil || strings.Count(csv.String(), "\n") != 10 {
		t.Errorf("as CSV: %q, %v", csv.String(), err)
	}
}
