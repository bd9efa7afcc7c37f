package oware

import (
	"math"
	"testing"

	"kroo/features"
	"kroo/internal/testkit"
)

func TestNewRefuses(t *testing.T) {
	s := parse(t, "store+phase")
	for _, c := range []struct {
		w    []float64
		want string
	}{
		{make([]float64, 49), "49 weights: expected 50"},
		{append(make([]float64, 49), math.NaN()), "column 49 (phase in play 48) is NaN"},
		{append(make([]float64, 49), math.Inf(-1)), "is -Inf"},
		{append([]float64{2 * features.MaxWeight}, make([]float64, 49)...), "column 0 (store difference) is 200000: expected at most 100000"},
	} {
		_, err := PatternSets.NewModel("abapa", s, c.w, features.Provenance{})
		testkit.Refused(t, err, c.want)
	}
	if _, err := PatternSets.NewModel("abapa", nil, nil, features.Provenance{}); err == nil {
		t.Error("accepts no set")
	}
	if _, err := PatternSets.NewModel("9", s, make([]float64, 50), features.Provenance{}); err == nil {
		t.Error("accepts unknown rules")
	}
	if _, err := Compile(&Model{}); err == nil {
		t.Error("compiles an empty model")
	}
}

// Each column with weight one alone gives its value.
func TestExactIsWeightTimesValue(t *testing.T) {
	s := parse(t, "store+houses")
	p := position(t, [houses]int{0, 1, 2, 3, 5, 8, 10, 12}, [2]int{4, 3})
	ones, vals := s.AppendRow(nil, nil, p)
	want := make([]float64, s.Len())
	for _, i := range ones {
		want[i] = 1
	}
	for _, v := range vals {
		want[v.Index] = float64(v.Value)
	}
	for i := range want {
		w := make([]float64, s.Len())
		w[i] = 2.5
		m := testkit.Must(PatternSets.NewModel("abapa", s, w, features.Provenance{}))(t)
		testkit.Equal(t, m.Exact(p), 2.5*want[i], "column %s", s.ColumnName(i))
	}
}

func TestHashOfAModelFollowsRulesSetAndWeights(t *testing.T) {
	seen := map[string]int{}
	note := func(m *Model, i int) {
		if other, ok := seen[m.Hash()]; ok {
			t.Errorf("models %d and %d have one hash", other, i)
		}
		seen[m.Hash()] = i
	}
	m := randomModel(t, "store+houses", 20)
	note(m, 0)
	m.Weights[288]++
	note(m, 1)
	m.Rules = "awari"
	note(m, 2)
	m.Set = parse(t, "store/2+phase")
	note(m, 3)
	h := m.Hash()
	m.Provenance.Note = "no matter for play"
	testkit.Equal(t, m.Hash(), h, "the hash depends on provenance")
}
