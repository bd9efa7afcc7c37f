package regress

import (
	"testing"

	"kroo/features"
	"kroo/features/oware"
	rules "kroo/games/oware"
	"kroo/internal/testkit"
)

func TestRareColumnsShareTheWeightOfCoarserOnes(t *testing.T) {
	labels := labelFile(t, 1, 3000, tame)
	const merge = 60
	req := request(t, labels)
	req.Set, req.Merge, req.Ridge = "store+houses+adjacent", merge, 1
	s := fitPatterns(t, req)
	m, err := oware.PatternSets.LoadModel(features.ModelPath(req.Out))
	testkit.NoError(t, err)
	l, err := readLabelled(t.Context(), rules.Descriptor(), req.Rows, "", "", nil)
	testkit.NoError(t, err)
	seen := make([]int, m.Set.Len())
	for _, p := range l.positions {
		ones, vals := m.Set.AppendRow(nil, nil, p)
		for _, i := range ones {
			seen[i]++
		}
		for _, v := range vals {
			seen[v.Index]++
		}
	}
	coarser := m.Set.(*oware.Set).Coarser()
	children := make([][]int, len(seen))
	for i, into := range coarser {
		if into >= 0 {
			children[into] = append(children[into], i)
		}
	}
	var total func(i int) int // rows of a column and of what is merged into it
	total = func(i int) int {
		n := seen[i]
		for _, c := range children[i] {
			if t := total(c); t < merge {
				n += t
			}
		}
		return n
	}
	own, shared := 0, 0
	for i, into := range coarser {
		switch n := total(i); {
		case n >= merge || n == 0:
			own++
		case into >= 0 && m.Weights[into] != 0:
			shared++
			if m.Weights[i] != m.Weights[into] {
				t.Fatalf("%s, seen %d times: weight %g, %s has %g", m.Set.ColumnName(i), seen[i], m.Weights[i], m.Set.ColumnName(int(into)), m.Weights[into])
			}
		}
	}
	if shared < 100 || s.Weights > own || s.Weights == 0 {
		t.Errorf("%d columns share a weight, %d weights, at most %d have their own", shared, s.Weights, own)
	}
	req.Merge = 0
	if all := fitPatterns(t, req); all.Weights < s.Weights+100 || all.Train.R <= s.Train.R {
		t.Errorf("not merged %d weights and R %.5f, merged %d and %.5f", all.Weights, all.Train.R, s.Weights, s.Train.R)
	}
}

func TestMergeAndMinCountExcludeEachOther(t *testing.T) {
	c := PatternConfig{Set: "store+houses", Merge: 5, MinCount: 5}
	testkit.Refused(t, CheckPatterns(oware.PatternSets, "", c), "min_count")
	c.MinCount = 1
	if err := CheckPatterns(oware.PatternSets, "", c); err != nil {
		t.Error(err)
	}
	if c.Merge = -1; CheckPatterns(oware.PatternSets, "", c) == nil {
		t.Error("merge -1 is accepted")
	}
}
