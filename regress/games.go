package regress

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"kroo/datasets"
	"kroo/features"
	values "kroo/features/chess"
	squares "kroo/features/othello"
	"kroo/features/oware/thesis"
	lines "kroo/features/tictactoe"
	"kroo/games"
	"kroo/games/chess"
	"kroo/games/othello"
	"kroo/games/oware"
	"kroo/games/tictactoe"
)

// game is a game as fits of tables see it, without the type of its positions.
type game interface {
	info() games.Info
	sets() []features.Info
	// byDefault is the name of the set for rules that is taken when none is named.
	byDefault(rules string) string
	set(name string) (features.Info, error)
	check(w *features.Weights) error
	orbit(rules string, at datasets.PositionRow) (int64, error)
	tabulate(ctx context.Context, in, out string, meta datasets.Meta, progress func(done int64)) error
}

// fitted is a game with its antisymmetric feature sets.
type fitted[P games.Position[P]] struct {
	game  *games.Game[P]
	all   features.Sets[P]
	usual string            // the set by default
	under map[string]string // the same under rules that have another one
}

// byName are the games whose tables can be made and fitted.
var byName = map[string]game{
	oware.Descriptor().Name:     fitted[oware.Position]{oware.Descriptor(), thesis.Sets, "thesis", nil},
	othello.Descriptor().Name:   fitted[othello.Position]{othello.Descriptor(), squares.Sets, "squares", map[string]string{othello.Small.String(): "squares6"}},
	tictactoe.Descriptor().Name: fitted[tictactoe.Position]{tictactoe.Descriptor(), lines.Sets, "squares", nil},
	chess.Descriptor().Name:     fitted[chess.Position]{chess.Descriptor(), values.Sets, values.SquareOf, nil},
}

// Games are the names of the games that have features, in order.
func Games() []string { return slices.Sorted(maps.Keys(byName)) }

func gameOf(name string) (game, error) {
	g, ok := byName[name]
	if !ok {
		return nil, fmt.Errorf("no features for the game %q: expected %s", name, games.OrList(Games()))
	}
	return g, nil
}

// Sets lists the antisymmetric feature sets of a game.
func Sets(name string) ([]features.Info, error) {
	g, err := gameOf(name)
	if err != nil {
		return nil, err
	}
	return g.sets(), nil
}

// DefaultSet is the name of the antisymmetric set that positions of a game under rules
// are tabulated by when none is named, "" for a game without sets.
func DefaultSet(name, rules string) string {
	g, err := gameOf(name)
	if err != nil {
		return ""
	}
	return g.byDefault(rules)
}

func (f fitted[P]) info() games.Info { return f.game.Info }

func (f fitted[P]) byDefault(rules string) string { return cmp.Or(f.under[rules], f.usual) }

func (f fitted[P]) sets() (all []features.Info) {
	for _, s := range f.all.All {
		all = append(all, s.Info)
	}
	return all
}

// Unit is the name, in the singular, of the unit of a game, and its worth in
// points; points themselves for a game without features.
func Unit(name string) (unit string, points float64) {
	g, err := gameOf(name)
	if err != nil {
		return "point", 1
	}
	return g.info().Unit, g.info().PointsPerUnit()
}

// CheckWeights refuses weights that are not of a set of their game.
func CheckWeights(w *features.Weights) error {
	g, err := gameOf(w.GameName())
	if err != nil {
		return err
	}
	return g.check(w)
}

func (f fitted[P]) check(w *features.Weights) error {
	_, err := f.all.Check(w)
	return err
}

func (f fitted[P]) set(name string) (features.Info, error) {
	s, err := f.all.ByName(name)
	if err != nil {
		return features.Info{}, err
	}
	return s.Info, nil
}

func (f fitted[P]) orbit(rules string, at datasets.PositionRow) (int64, error) {
	p, err := datasets.PositionOf(f.game, rules, at.Key, at.Board)
	if err != nil {
		return 0, err
	}
	return f.game.Orbit(p), nil
}
