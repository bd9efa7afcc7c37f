// Package features defines feature sets, which describe positions by numbers, and the linear
// functions fitted to them. It is independent of the game: the packages below it define the
// features of oware, Othello, chess and tic-tac-toe.
//
//   - [ColumnSet] is the interface of every feature set, with four columns or millions: it lists
//     the columns that are not zero in a position. [Patterns] are a game's sets made of families
//     of columns.
//   - [Set] is a small antisymmetric set as in Sala Soler 2014: each [Feature] is a number for
//     either side, and its column is the mover's number minus the other side's. [Sets] are a
//     game's sets by name.
//   - [Model] is a weight for each column of a set, with its origin. [Model.Parts] breaks down
//     the value of a position for explanations, pages and comparisons. Engines play with
//     [Tables] compiled from a model, or with the model itself ([Direct]).
//   - [Open] reads weights files of any kind: weights of a Set are JSON by name ([Weights]),
//     those of patterns and tables are packed ([Packed]). [Opened] explains and exports
//     them; [AnyWeights] is the same without the type of the game's positions.
//
// Points are the unit of labels: ±[games.MaxPoints] is a won or lost game.
//
// docs/formats.md describes the bytes of the files.
//
// Caveat: [ParseWeights] and openPacked do not check the set that a file names; [Open] does.
package features

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"kroo/games"
	"kroo/internal/wording"
)

// Feature is a number for either side of a position of type P. It has one definition, from which
// values in tables, hashes of sets, evaluators, explanations and exports are derived.
type Feature[P any] struct {
	Name    string
	Meaning string // what it counts, on one side of the board
	// Place returns the contribution of a place of a side by its content, if the feature is a sum
	// of such contributions; else nil. The sum is 0 to 255 for each side, as tables of features
	// require. Table-based evaluators and their exports need it.
	Place func(place, content int) int
	// Count, for a feature without Place, returns the numbers for the side to move and the other
	// side, 0 to 255 each, as tables of features require.
	Count func(P) (own, opp int)
}

// Board lists the places of a game's board, such as houses: the side to move's, then the other
// side's in the same order.
type Board[P any] struct {
	Side     int // places of a side
	Contents int // number of possible contents of a place
	Content  func(p P, place int) int
	Name     func(p P, place int) string // as in [Place]
}

// Place is a place of a board.
type Place struct {
	Name    string // in the game's notation; "" assigns the place to the whole board in explanations
	Content int
}

// Places returns the places of a position.
func (b *Board[P]) Places(p P) (all []Place) {
	for place := range 2 * b.Side {
		all = append(all, Place{b.Name(p, place), b.Content(p, place)})
	}
	return all
}

// Definition defines a set. Name, About and Features are required.
type Definition[P any] struct {
	Name     string
	About    string // one line
	Features []Feature[P]
	Board    *Board[P] // for features with Place
	// Text must change when the meaning of a feature does: [Info.Hash] digests it. If nil, names
	// and either Place's numbers or meanings are used.
	Text func() string
}

// Info is a set without its functions.
type Info struct {
	Name     string
	About    string   // one line
	Features []string // names, in column order
	hash     func() string
}

// Set is a named list of features of positions of type P. Column i is the mover's number of feature
// i minus the other side's. Set implements [ColumnSet].
type Set[P any] struct {
	Info
	of      Definition[P]
	counter counter[P]
	spare   *sync.Pool // of *[2][]int
}

// NewSet makes a set.
func NewSet[P any](d Definition[P]) *Set[P] {
	var names []string
	for _, f := range d.Features {
		names = append(names, f.Name)
	}
	if d.Text == nil {
		d.Text = d.text
	}
	hash := sync.OnceValue(func() string { // computed on demand: every start of the program makes all sets
		sum := sha256.Sum256([]byte(d.Text()))
		return hex.EncodeToString(sum[:])[:16]
	})
	spare := &sync.Pool{New: func() any { return &[2][]int{make([]int, len(names)), make([]int, len(names))} }}
	return &Set[P]{Info{d.Name, d.About, names, hash}, d, newCounter(d), spare}
}

// counter counts the features of positions.
type counter[P any] struct {
	features []Feature[P]
	board    *Board[P]      // of the features with Place; nil if there are none
	table    func() []int16 // contributions of the features with Place, by place, content and feature
}

func newCounter[P any](d Definition[P]) counter[P] {
	return counter[P]{d.Features, d.Board, sync.OnceValue(d.contributions)} // on demand, as the hash is
}

// contributions returns what each content of each place of a side adds to each feature.
func (d Definition[P]) contributions() []int16 {
	all := make([]int16, 0, d.Board.Side*d.Board.Contents*len(d.Features))
	for place := range d.Board.Side {
		for content := range d.Board.Contents {
			for _, f := range d.Features {
				v := 0
				if f.Place != nil {
					v = f.Place(place, content)
				}
				all = append(all, int16(v))
			}
		}
	}
	return all
}

// count sets the numbers of the side to move and of the other side.
func (c *counter[P]) count(p P, own, opp []int) {
	clear(own)
	clear(opp)
	if c.board != nil {
		c.addPlaces(p, 0, own)
		c.addPlaces(p, c.board.Side, opp)
	}
	for i := range c.features {
		f := &c.features[i]
		if f.Place == nil {
			own[i], opp[i] = f.Count(p)
		}
	}
}

// addPlaces adds the contributions of a side's places, the first of which is given.
func (c *counter[P]) addPlaces(p P, first int, side []int) {
	table := c.table()
	for place := range c.board.Side {
		at := (place*c.board.Contents + c.board.Content(p, first+place)) * len(c.features)
		for i, v := range table[at : at+len(c.features)] {
			side[i] += int(v)
		}
	}
}

// text is the default definition text.
func (d *Definition[P]) text() string {
	var all strings.Builder
	fmt.Fprintf(&all, "%q\n", d.Name)
	for _, f := range d.Features {
		fmt.Fprintf(&all, "%q\n", f.Name)
		if f.Place == nil {
			fmt.Fprintf(&all, "%q\n", f.Meaning)
			continue
		}
		for place := range d.Board.Side {
			for content := range d.Board.Contents {
				fmt.Fprintf(&all, "%d ", f.Place(place, content))
			}
		}
	}
	return all.String()
}

// Len returns the number of features.
func (s Info) Len() int { return len(s.Features) }

// Names lists the features in order.
func (s Info) Names() []string { return slices.Clone(s.Features) }

// String returns the name of the set.
func (s Info) String() string { return s.Name }

// Hash identifies the set: 16 hexadecimal digits that change when a name, the order or a definition
// changes.
func (s Info) Hash() string { return s.hash() }

// ColumnName returns the name of a feature.
func (s Info) ColumnName(column int) string { return s.Features[column] }

// Families returns one family per feature.
func (s Info) Families() (all []Family) {
	for i, name := range s.Features {
		all = append(all, Family{Name: name, From: i, To: i + 1, Stages: 1})
	}
	return all
}

// Definitions returns the features in order.
func (s *Set[P]) Definitions() []Feature[P] { return s.of.Features }

// Values stores each feature's number for the side to move in own and for the other side in opp.
// Both slices must have length [Info.Len]; otherwise Values panics.
func (s *Set[P]) Values(p P, own, opp []int) {
	if len(own) != s.Len() || len(opp) != s.Len() {
		panic(fmt.Sprintf("features: Values into %d and %d numbers: set %s has %d features",
			len(own), len(opp), s.Name, s.Len()))
	}
	s.counter.count(p, own, opp)
}

// AppendRow implements [ColumnSet].
func (s *Set[P]) AppendRow(ones []uint32, vals []Entry, p P) ([]uint32, []Entry) {
	space := s.spare.Get().(*[2][]int)
	defer s.spare.Put(space)
	own, opp := space[0], space[1]
	s.counter.count(p, own, opp)
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

// differences returns all columns of a position, zeros included.
func (s *Set[P]) differences(p P) []Entry {
	own := make([]int, s.Len())
	opp := make([]int, s.Len())
	s.counter.count(p, own, opp)
	all := make([]Entry, s.Len())
	for i := range all {
		all[i] = Entry{uint32(i), float32(own[i] - opp[i])}
	}
	return all
}

// dot is the sum of weights times differences.
func (s *Set[P]) dot(weights []float64, p P) (sum float64) {
	space := s.spare.Get().(*[2][]int)
	defer s.spare.Put(space)
	s.counter.count(p, space[0], space[1])
	for i, own := range space[0] {
		sum += weights[i] * float64(own-space[1][i])
	}
	return sum
}

// Places implements [placedSet].
func (s *Set[P]) Places(p P) []Place {
	if s.of.Board == nil {
		return nil
	}
	return s.of.Board.Places(p)
}

// Share implements [placedSet].
func (s *Set[P]) Share(column int, places []Place) []float64 {
	of := s.of.Features[column].Place
	if of == nil {
		return nil
	}
	shares := make([]float64, len(places))
	for i, place := range places {
		sign := 1 - 2*(i/s.of.Board.Side)
		shares[i] = float64(sign * of(i%s.of.Board.Side, place.Content))
	}
	return shares
}

// Sets are a game's feature sets: antisymmetric ones, and patterns if it has any.
type Sets[P games.Position[P]] struct {
	Game           *games.Game[P]
	All            []*Set[P]
	DefaultSet     string            // the name of the default set
	DefaultByRules map[string]string // default sets of rules for which it is another
	Patterns       *Patterns[P]      // pattern sets; nil if the game has none
}

// Default returns the name of the default set for rules.
func (s Sets[P]) Default(rules string) string { return cmp.Or(s.DefaultByRules[rules], s.DefaultSet) }

// Names lists the names that ByName accepts.
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
	return nil, fmt.Errorf("unknown set %q of %s: %s", name, s.Game.Name, wording.Expect(name, s.Names()))
}

// Meaning describes what a feature of these sets counts, on one side of the board; "" for an
// unknown name.
func (s Sets[P]) Meaning(name string) string {
	for _, set := range s.All {
		for _, f := range set.of.Features {
			if f.Name == name {
				return f.Meaning
			}
		}
	}
	return ""
}

// Model binds weights to their set. It refuses weights that [Weights.Check] refuses, weights of
// another game, unknown rules, sets or features, and sets that have changed since the fit.
func (s Sets[P]) Model(w *Weights) (*Model[P], error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	if err := s.checkGame(w); err != nil {
		return nil, err
	}
	if w.Columns != nil {
		return nil, w.foreign()
	}
	set, err := s.ByName(w.Set)
	if err != nil {
		return nil, fmt.Errorf("set: %w", err)
	}
	if err := w.checkSet(set.Info); err != nil {
		return nil, err
	}
	return &Model[P]{
		Game: w.Game, Rules: w.Rules, Set: set, Weights: w.bySet(set.Info, w.Points),
		Provenance: w.Provenance, Calibration: w.Calibration, Named: w,
	}, nil
}

// checkGame refuses weights of another game or of unknown rules.
func (s Sets[P]) checkGame(w *Weights) error {
	if w.gameName() != s.Game.Name {
		return fmt.Errorf("weights for %s: expected weights for %s", w.gameName(), s.Game.Name)
	}
	if err := s.Game.CheckRules(w.Rules); err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	return nil
}

// Load reads and checks the model in a weights file.
func (s Sets[P]) Load(path string) (*Model[P], error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	return s.Parse(data, path)
}

// Parse is Load for a file's content; name is the file's in errors.
func (s Sets[P]) Parse(data []byte, name string) (*Model[P], error) {
	o, err := Open(s, data, name)
	if err != nil {
		return nil, err
	}
	return o.Function()
}

// ColumnSet is a feature set of a game with positions of type P: it numbers columns, and computes the
// value of each column in a position. It is immutable and safe for concurrent use.
type ColumnSet[P any] interface {
	// String returns the set's name, by which it can be found again.
	String() string
	// Hash identifies the set: 16 hexadecimal digits that change when the meaning of a column does.
	Hash() string
	// Len returns the number of columns.
	Len() int
	// ColumnName describes a column, 0 ≤ column < Len().
	ColumnName(column int) string
	// Families lists the families in column order. Each column belongs to one.
	Families() []Family
	// AppendRow appends the position's columns with value one to ones, and those with other nonzero
	// values to vals. It does not allocate if the slices have room.
	AppendRow(ones []uint32, vals []Entry, p P) ([]uint32, []Entry)
}

// Entry is a column and its value in a row.
type Entry struct {
	Index uint32
	Value float32
}

// Family describes a family of columns, in a set or by itself.
type Family struct {
	Name     string // as in a spec
	About    string // one line
	From, To int    // its columns are From ≤ i < To
	Stages   int    // number of game stages with columns of their own; 1 without stages
}

// Patterns are a game's pattern sets: how to parse them, and where to find and keep weights of
// their columns.
type Patterns[P games.Position[P]] struct {
	DefaultSet string   // spec of the default set
	Families   []Family // that specs can name, each numbered from column 0 and without stages
	MaxStages  int      // maximum number of stages of a family
	// Parse parses the spec of a set.
	Parse func(spec string) (ColumnSet[P], error)
	// Find reads weights for a set by name, of a file or of the program's own.
	Find func(name, rules string, set ColumnSet[P]) (*Model[P], error)
	// Keep writes a fitted model to the file models, and the tables that an engine plays with to
	// out.
	Keep func(m *Model[P], out, models string) (Kept, error)
	// Compile makes tables of a model, also of an antisymmetric set.
	Compile func(m *Model[P]) (Tables[P], error)
	// Unpack reads tables from a file.
	Unpack func(f Packed) (Tables[P], error)
}

// Tables are an evaluator compiled from a model, of which it is a cache.
type Tables[P any] interface {
	// Evaluate returns the value for the side to move in hundredths of the game's unit.
	Evaluate(p P) int
	// Parts breaks down the value as [Model.Parts] does.
	Parts(p P) []Part
	Header() Header
	// Hash identifies everything that affects play.
	Hash() string
	// Rounding is the maximum difference between Evaluate and the model.
	Rounding() float64
	// Export writes the tables in a format of [Opened.Export].
	Export(to io.Writer, format string) error
}

// Kept lists the files of a fit that were written.
type Kept struct {
	Model    string  `json:"model,omitempty"`    // file
	Hash     string  `json:"hash,omitempty"`     // of the model
	Compiled string  `json:"compiled,omitempty"` // file
	Play     string  `json:"play,omitempty"`     // hash of the tables
	Rounding float64 `json:"rounding,omitempty"` // maximum difference between the two, hundredths of the game's unit
}

// Extensions of the two files of a pattern fit.
const (
	CompiledSuffix = ".weights" // what an engine plays with
	modelSuffix    = ".model"   // the weights of all columns
)

// ModelPath returns the name of the model of compiled weights.
func ModelPath(out string) string { return strings.TrimSuffix(out, CompiledSuffix) + modelSuffix }
