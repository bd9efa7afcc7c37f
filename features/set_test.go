package features

import (
	"math"
	"slices"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

func TestColumnsOfASetAreTheDifferences(t *testing.T) {
	s := testSets.All[0]
	var c Columns[board] = s
	p := board{own: 7, opp: 4}
	ones, vals := c.AppendRow(nil, nil, p)
	if len(ones) != 0 || len(vals) != 12 || vals[11] != (Entry{11, 3}) {
		t.Errorf("columns %v, %v: want 12 of the value 3", ones, vals)
	}
	if ones, vals = c.AppendRow(nil, nil, board{own: 5, opp: 4}); len(ones) != 12 || len(vals) != 0 || ones[11] != 11 {
		t.Errorf("columns %v, %v: want 12 ones", ones, vals)
	}
	if ones, vals = c.AppendRow(nil, nil, board{}); len(ones)+len(vals) != 0 {
		t.Errorf("columns %v, %v: want none", ones, vals)
	}
	if f := c.Families(); len(f) != 12 || f[1].Name != "<1" || f[1].From != 1 || f[1].To != 2 || c.ColumnName(1) != "<1" {
		t.Errorf("families %v", f)
	}
}

func TestAppendRowAllocatesNothing(t *testing.T) {
	ones, vals := make([]uint32, 0, 12), make([]Entry, 0, 12)
	s := testSets.All[0]
	testkit.Equal(t, testing.AllocsPerRun(100, func() { ones, vals = s.AppendRow(ones[:0], vals[:0], board{3, 1}) }), 0, "testing.AllocsPerRun")
}

func TestExactIsTheSumOfPointsTimesDifference(t *testing.T) {
	w := published(t)
	sum := 0.0
	for _, x := range w.Points {
		sum += x
	}
	m := testkit.Must(testSets.Model(w))(t)
	if got := m.Exact(board{7, 4}); math.Abs(got-3*sum) > 1e-9 {
		t.Errorf("%g: want %g", got, 3*sum)
	}
	some := testkit.Must(New("oware", "abapa", testSets.All[0].Info, []string{">12", "captures"}, []float64{10, 100}))(t)
	testkit.Equal(t, testkit.Must(testSets.Model(some))(t).Exact(board{0, 2}), -220, "two features of twelve")
}

func TestByNameListsTheSets(t *testing.T) {
	_, err := testSets.ByName("thesis5")
	testkit.Refused(t, err, `unknown set "thesis5" of oware: expected thesis`)
	s, err := testSets.ByName("thesis")
	if err != nil || s.Name != "thesis" || !slices.Equal(testSets.Names(), []string{"thesis"}) {
		t.Errorf("set %v, error %v", s, err)
	}
}

// defined returns a definition.
func defined(definition string) func() string { return func() string { return definition } }

func TestTheDefinitionChangesTheHash(t *testing.T) {
	set := func(text func() string, meaning string) *Set[board] {
		return NewSet(Definition[board]{Name: "x", Features: []Feature[board]{{Name: "f", Meaning: meaning}}, Text: text})
	}
	a, b := set(defined("one"), ""), set(defined("two"), "")
	if one, two := set(nil, "seeds"), set(nil, "houses"); one.Hash() == two.Hash() {
		t.Error("another meaning has the same hash")
	}
	if a.Hash() == b.Hash() || len(a.Hash()) != 16 {
		t.Errorf("hashes %s and %s", a.Hash(), b.Hash())
	}
}

func TestValuesRefusesSlicesOfAnotherSize(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic for a slice that is too short")
		}
	}()
	testSets.All[0].Values(board{}, make([]int, 12), make([]int, 4))
}

// Files from when there was one game do not name it.
func TestWeightsWithoutAGameAreOwares(t *testing.T) {
	if w := published(t); w.Game != "" || w.gameName() != "oware" || strings.Contains(text(t, w), `"game"`) {
		t.Errorf("game %q, %q", w.Game, w.gameName())
	}
	if w := elsewhere(t); w.gameName() != "chess" {
		t.Errorf("game %q", w.gameName())
	}
}
