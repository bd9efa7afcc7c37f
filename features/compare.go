package features

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/doc"
)

// SideBySide compares two sets of weights.
type SideBySide struct {
	A      Facts              `json:"a"`
	B      Facts              `json:"b"`
	Common []WeightPair       `json:"weights,omitempty"` // columns in both, the largest differences first
	Boards *Boards            `json:"boards,omitempty"`
	By     []FamilyDifference `json:"families,omitempty"`
}

// WeightPair is a column's weights in both, in points.
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

// Boards compares the values of random boards.
type Boards struct {
	Boards int     `json:"boards"`
	R      float64 `json:"r"`
	MAE    float64 `json:"mae"` // mean absolute difference, points
	Most   string  `json:"most"`
	A      float64 `json:"a"` // of the board with the largest difference
	B      float64 `json:"b"`
}

// commonPairs limits the columns listed for large sets.
const commonPairs = 40

// Compare implements [Loaded].
func (o *Opened[P]) Compare(other Loaded) (*SideBySide, error) {
	y, same := other.(*Opened[P])
	if !same {
		i := other.Facts()
		return nil, fmt.Errorf("%s: weights for %s: expected weights for %s, as %s", i.Name, i.Game(), o.Game.Name, o.Name)
	}
	s := &SideBySide{A: o.Facts(), B: y.Facts()}
	switch {
	case o.Named != nil && y.Named != nil:
		s.Common = pairsByName(o.Named, y.Named)
	case o.Model != nil && y.Model != nil && o.Model.Set.Hash() == y.Model.Set.Hash():
		s.Common, s.By = pairsByColumn(o.Model, y.Model)
	}
	slices.SortStableFunc(s.Common, func(p, q WeightPair) int { return cmp.Compare(math.Abs(q.A-q.B), math.Abs(p.A-p.B)) })
	s.Common = s.Common[:min(len(s.Common), commonPairs)]
	var err error
	s.Boards, err = onBoards(o, y)
	return s, err
}

// pairsByName lists the features of both; a missing feature has weight 0.
func pairsByName(a, b *Weights) (all []WeightPair) {
	weight := func(w *Weights, name string) float64 {
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

func pairsByColumn[P games.Position[P]](a, b *Model[P]) (all []WeightPair, by []FamilyDifference) {
	for _, f := range a.Set.Families() {
		x, y := a.Weights[f.From:f.To], b.Weights[f.From:f.To]
		squares := 0.0
		for i, p := range x {
			squares += (p - y[i]) * (p - y[i])
			if p != y[i] {
				all = append(all, WeightPair{a.Set.ColumnName(f.From + i), p, y[i]})
			}
		}
		by = append(by, FamilyDifference{f.Name, agreement.Correlation(x, y), math.Sqrt(squares / float64(len(x)))})
	}
	return all, by
}

// onBoards evaluates the same random boards with both; it returns nil if the rules differ.
func onBoards[P games.Position[P]](a, b *Opened[P]) (*Boards, error) {
	if a.Rules() != b.Rules() {
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
		p, err := a.Game.Random(rng, a.Rules())
		if err != nil {
			return nil, err
		}
		u, v := f(p), g(p)
		if i == 0 || math.Abs(u-v) > math.Abs(r.A-r.B) {
			r.Most, r.A, r.B = a.Game.Print(p), u, v
		}
		all.Add(u, v, 1)
	}
	s := all.Stats()
	r.R, r.MAE = s.R, s.MAE
	return r, nil
}

// Doc formats the comparison.
func (s *SideBySide) Doc() *doc.Doc {
	unit, perUnit := s.A.of.Unit, s.A.of.PointsPerUnit()
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
	if s.Boards == nil {
		d.Addf("boards are not compared, since the rules differ")
	}
	return d
}
