package features

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"kroo/features/weightsfile"
	"kroo/games"
)

// Info is a set without its functions.
type Info struct {
	Name     string
	About    string   // one line
	Features []string // names, in the order of the columns
	hash     func() string
}

// Set is a named list of features, each a number of either side of a position
// of type P. Column i is the mover's number of feature i minus the other
// side's. Set implements Columns.
type Set[P any] struct {
	Info
	values func(p P, own, opp []int)
	spare  *sync.Pool // of *[2][]int
}

// NewSet makes a set. definition returns a text that changes when the meaning of a
// feature does: [Info.Hash] digests it. It is called only when a hash is asked for, since
// each start of the program makes all sets and few need their hash. values stores the
// number of each feature, 0 to 255, for the side to move and for the other side, in
// slices of the right length.
func NewSet[P any](name, about string, features []string, definition func() string, values func(p P, own, opp []int)) *Set[P] {
	hash := sync.OnceValue(func() string {
		sum := sha256.Sum256([]byte(definition()))
		return hex.EncodeToString(sum[:])[:16]
	})
	spare := &sync.Pool{New: func() any { return &[2][]int{make([]int, len(features)), make([]int, len(features))} }}
	return &Set[P]{Info{name, about, features, hash}, values, spare}
}

// Len is the number of features.
func (s Info) Len() int { return len(s.Features) }

// Names lists the features in their order.
func (s Info) Names() []string { return slices.Clone(s.Features) }

// String is the name of the set.
func (s Info) String() string { return s.Name }

// Hash identifies the set: 16 hexadecimal digits that change when a name, the
// order or a definition changes.
func (s Info) Hash() string { return s.hash() }

// ColumnName is the name of a feature.
func (s Info) ColumnName(column int) string { return s.Features[column] }

// Families has one family for each feature.
func (s Info) Families() (all []Family) {
	for i, name := range s.Features {
		all = append(all, Family{Name: name, From: i, To: i + 1, Stages: 1, Compiles: true})
	}
	return all
}

// Values stores each feature's number for the side to move in own and for the
// other side in opp. Both slices must hold [Info.Len] numbers; Values panics
// if they do not.
func (s *Set[P]) Values(p P, own, opp []int) {
	if len(own) != s.Len() || len(opp) != s.Len() {
		panic(fmt.Sprintf("features: Values into %d and %d numbers: set %s has %d features", len(own), len(opp), s.Name, s.Len()))
	}
	s.values(p, own, opp)
}

// AppendRow is as [Columns] says.
func (s *Set[P]) AppendRow(ones []uint32, vals []Entry, p P) ([]uint32, []Entry) {
	space := s.spare.Get().(*[2][]int)
	defer s.spare.Put(space)
	own, opp := space[0], space[1]
	s.values(p, own, opp)
	for i := range own {
		switch d := own[i] - opp[i]; d {
		case 0:
		case 1:
			ones = append(ones, uint32(i))
		default:
			vals = append(vals, Entry{uint32(i), float32(d)})
		}
	}
	return ones, vals
}

// Exact is the fitted function of a position, in points for the side to move:
// the slow twin of an evaluator. The weights must be of this set, as
// [Sets.Check] says.
func (s *Set[P]) Exact(w *Weights, p P) float64 {
	own, opp := make([]int, s.Len()), make([]int, s.Len())
	s.Values(p, own, opp)
	var sum float64
	for i, name := range s.Features {
		if j := slices.Index(w.Features, name); j >= 0 {
			sum += w.Points[j] * float64(own[i]-opp[i])
		}
	}
	return sum
}

// Evaluator computes weights that were fitted to a set. It is immutable, and safe for
// concurrent use. Games that are played much have faster ones of their own.
type Evaluator[P any] struct {
	set    *Set[P]
	points []float64 // one a feature
	unit   float64   // points in a hundredth of the game's unit
}

// Evaluator makes the evaluator of weights of one of the sets.
func (s Sets[P]) Evaluator(w *Weights) (*Evaluator[P], error) {
	set, err := s.Check(w)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	e := &Evaluator[P]{set, make([]float64, set.Len()), s.Game.PointsPerUnit() / 100}
	for i, name := range w.Features {
		e.points[slices.Index(set.Features, name)] = w.Points[i]
	}
	return e, nil
}

// Evaluate is the value of a position for the side to move in hundredths of the game's
// unit, rounded to the nearest, not clamped. It is antisymmetric.
func (e *Evaluator[P]) Evaluate(p P) int {
	space := e.set.spare.Get().(*[2][]int)
	defer e.set.spare.Put(space)
	own, opp := space[0], space[1]
	e.set.values(p, own, opp)
	sum := 0.0
	for i, points := range e.points {
		sum += points * float64(own[i]-opp[i])
	}
	return int(math.Round(sum / e.unit))
}

// Sets are those of a game.
type Sets[P games.Position[P]] struct {
	Game  *games.Game[P]
	All   []*Set[P]
	Usual string            // the name of the set that is taken when none is named
	Under map[string]string // the same under rules that have another one
}

// Default is the name of the set for rules that is taken when none is named.
func (s Sets[P]) Default(rules string) string { return cmp.Or(s.Under[rules], s.Usual) }

// Names lists the names that ByName knows.
func (s Sets[P]) Names() (names []string) {
	for _, set := range s.All {
		names = append(names, set.Name)
	}
	return names
}

// ByName finds a set.
func (s Sets[P]) ByName(name string) (*Set[P], error) {
	for _, set := range s.All {
		if set.Name == name {
			return set, nil
		}
	}
	return nil, fmt.Errorf("unknown set %q of %s: expected %s", name, s.Game.Name, strings.Join(s.Names(), ", "))
}

// Check finds the set that the weights belong to. It refuses what [Weights.Check]
// refuses, weights of another game, and weights whose rules, set or features the game
// does not have, or whose set has changed since the fit.
func (s Sets[P]) Check(w *Weights) (*Set[P], error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	if w.GameName() != s.Game.Name {
		return nil, fmt.Errorf("weights for %s: expected some for %s", w.GameName(), s.Game.Name)
	}
	if err := s.Game.CheckRules(w.Rules); err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	if w.Columns != nil {
		return nil, fmt.Errorf("another program has computed its features %s, so no engine can: train evaluate measures such weights on datasets that have these columns", strings.Join(w.Columns, ", "))
	}
	set, err := s.ByName(w.Set)
	if err != nil {
		return nil, fmt.Errorf("set: %w", err)
	}
	return set, w.checkSet(set.Info)
}

// CheckAll is Check that also refuses weights that lack some of the features of their
// set, as those do that a selection of features has left.
func (s Sets[P]) CheckAll(w *Weights) (*Set[P], error) {
	set, err := s.Check(w)
	if err != nil {
		return nil, err
	}
	for _, name := range set.Features {
		if !slices.Contains(w.Features, name) {
			return nil, fmt.Errorf("weights of %d features, without %s: expected all %d of set %s; fit them without a selection", len(w.Features), name, set.Len(), set)
		}
	}
	return set, nil
}

// Load reads and checks a weights file of one of the sets.
func (s Sets[P]) Load(path string) (*Weights, error) {
	data, err := weightsfile.Read(path)
	if err != nil {
		return nil, err
	}
	return s.Parse(data, path)
}

// Parse is Load for a file's content; name stands for the file in errors.
func (s Sets[P]) Parse(data []byte, name string) (*Weights, error) {
	w, err := ParseWeights(data, name)
	if err != nil {
		return nil, err
	}
	_, err = s.Check(w)
	return w, weightsfile.InFile(name, err)
}
