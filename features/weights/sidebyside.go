package weights

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/agreement"
	"kroo/internal/doc"
)

// SideBySide compares two sets of weights.
type SideBySide struct {
	A      Info               `json:"a"`
	B      Info               `json:"b"`
	Common []WeightPair       `json:"weights,omitempty"` // of the same columns, those that differ most first
	Boards *Boards            `json:"boards,omitempty"`  // of oware's
	By     []FamilyDifference `json:"families,omitempty"`
}

// WeightPair is the weight of a column in both, points.
type WeightPair struct {
	Column string  `json:"column"`
	A      float64 `json:"a"`
	B      float64 `json:"b"`
}

// FamilyDifference compares the weights of a family.
type FamilyDifference struct {
	Name string  `json:"name"`
	R    float64 `json:"r"`   // correlation of the weights
	RMS  float64 `json:"rms"` // root mean square of the differences, points
}

// Boards compares the values that both give to random boards.
type Boards struct {
	Boards int     `json:"boards"`
	R      float64 `json:"r"`
	MAE    float64 `json:"mae"` // mean absolute difference, points
	Most   string  `json:"most"`
	A      float64 `json:"a"` // of the board where they differ most
	B      float64 `json:"b"`
}

// commonPairs bounds the columns of large sets that are listed.
const commonPairs = 40

// Compare puts two weights, by file or name, side by side.
func Compare(a, b string, all Games) (*SideBySide, error) {
	x, err := Load(a, all)
	if err != nil {
		return nil, err
	}
	y, err := Load(b, all)
	if err != nil {
		return nil, err
	}
	if x.Other != nil || y.Other != nil {
		return nil, cmp.Or(x.needOware(), y.needOware())
	}
	if x.game() != y.game() {
		return nil, fmt.Errorf("%s: weights for %s: expected some for %s, as %s", y.Name, y.game(), x.game(), x.Name)
	}
	s := &SideBySide{A: x.Info(), B: y.Info()}
	switch {
	case x.Thesis != nil && y.Thesis != nil:
		s.Common = pairsOfThesis(x.Thesis, y.Thesis)
	case x.Model != nil && y.Model != nil && x.Model.Set.Hash() == y.Model.Set.Hash():
		s.Common, s.By = pairsOfModels(x.Model, y.Model)
	}
	slices.SortStableFunc(s.Common, func(p, q WeightPair) int { return cmp.Compare(math.Abs(q.A-q.B), math.Abs(p.A-p.B)) })
	s.Common = s.Common[:min(len(s.Common), commonPairs)]
	s.Boards, err = onBoards(x, y)
	return s, err
}

// pairsOfThesis lists the features of either; one that is not there weighs 0.
func pairsOfThesis(a, b *features.Weights) (all []WeightPair) {
	weight := func(w *features.Weights, name string) float64 {
		if i := slices.Index(w.Features, name); i >= 0 {
			return w.Points[i]
		}
		return 0
	}
	names := slices.Clone(a.Features)
	for _, name := range b.Features {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		all = append(all, WeightPair{name, weight(a, name), weight(b, name)})
	}
	return all
}

func pairsOfModels(a, b *patterns.Model) (all []WeightPair, by []FamilyDifference) {
	for _, f := range a.Set.Families() {
		var x, y []float64
		squares := 0.0
		for i := f.From; i < f.To; i++ {
			p, q := float64(a.Weights[i]), float64(b.Weights[i])
			x, y = append(x, p), append(y, q)
			squares += (p - q) * (p - q)
			if p != q {
				all = append(all, WeightPair{a.Set.ColumnName(i), p, q})
			}
		}
		by = append(by, FamilyDifference{f.Name, agreement.Correlation(x, y), math.Sqrt(squares / float64(len(x)))})
	}
	return all, by
}

// onBoards evaluates the same random boards with both; nil for other games.
func onBoards(a, b *Weights) (*Boards, error) {
	if a.game() != oware.Descriptor().Name { // b is for the same game
		return nil, nil
	}
	f, err := a.value()
	if err != nil {
		return nil, err
	}
	g, err := b.value()
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(1, 1))
	r := &Boards{Boards: 2000}
	var all agreement.Sums
	for i := range r.Boards {
		p, err := oware.Descriptor().Random(rng, oware.Abapa.String())
		if err != nil {
			return nil, err
		}
		u, v := f(p), g(p)
		if i == 0 || math.Abs(u-v) > math.Abs(r.A-r.B) {
			r.Most, r.A, r.B = p.String(), u, v
		}
		all.Add(u, v, 1)
	}
	s := all.Stats()
	r.R, r.MAE = s.R, s.MAE
	return r, nil
}

// value is the function, in points.
func (w *Weights) value() (func(oware.Position) float64, error) {
	if w.Compiled != nil {
		return func(p oware.Position) float64 { return float64(w.Compiled.Evaluate(p)) / centiSeeds }, nil
	}
	m, err := w.model()
	if err != nil {
		return nil, err
	}
	return m.Exact, nil
}

// Doc is the comparison.
func (s *SideBySide) Doc() *doc.Doc {
	unit, perUnit := s.A.unit()
	t := doc.NewTable("", "a", "b")
	for _, row := range [][]any{{"name", s.A.Name, s.B.Name}, {"kind", s.A.Kind, s.B.Kind}, {"set", s.A.Set, s.B.Set}, {"rules", s.A.Rules, s.B.Rules}, {"hash", s.A.Hash, s.B.Hash}, {"columns", s.A.Columns, s.B.Columns}} {
		t.Add(row...)
	}
	d := &doc.Doc{Value: s, Sections: []doc.Section{{Table: t}}}
	if s.By != nil {
		d.Add(doc.Section{Table: doc.TableOf([]string{"family", "correlation", "root mean square difference, " + unit + "s"}, s.By, func(f FamilyDifference) []any {
			return []any{f.Name, fmt.Sprintf("%.4f", f.R), fmt.Sprintf("%.3f", f.RMS/perUnit)}
		})})
	}
	if s.Common != nil {
		d.Add(doc.Section{Table: doc.TableOf([]string{"column", "a", "b", "difference, " + unit + "s"}, s.Common, func(p WeightPair) []any {
			return []any{p.Column, fmt.Sprintf("%+.3f", p.A/perUnit), fmt.Sprintf("%+.3f", p.B/perUnit), fmt.Sprintf("%+.3f", (p.B-p.A)/perUnit)}
		})})
	}
	if r := s.Boards; r != nil {
		d.Addf("on %d random boards: correlation %.4f, mean absolute difference %.2f %ss; most on %s: %+.2f and %+.2f %ss",
			r.Boards, r.R, r.MAE/perUnit, unit, r.Most, r.A/perUnit, r.B/perUnit, unit)
	}
	return d
}
