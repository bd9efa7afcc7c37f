package inspect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/match"
	"kroo/regress/profile"
)

// Game is a game whose files can be inspected, without the type of its positions. [GameOf]
// returns one.
type Game interface {
	info() games.Info
	dataset(ctx context.Context, path string, o profile.Options) (*doc.Doc, error)
	records(path string) (*doc.Doc, error)
	weights(data []byte, file string) (features.Loaded, error)
}

// Games are the games whose files can be inspected. The first is the default for records that do
// not name their game.
type Games []Game

func (all Games) infos() (list []games.Info) {
	for _, g := range all {
		list = append(list, g.info())
	}
	return list
}

// named returns the game with a name.
func (all Games) named(name string) (Game, error) {
	var names []string
	for _, g := range all {
		if g.info().Name == name {
			return g, nil
		}
		names = append(names, g.info().Name)
	}
	return nil, fmt.Errorf("the game is %q: expected %s", name, games.OrList(names))
}

// Weights reads a weights file, or finds weights of oware by name, for abapa by default. It also
// loads the model of compiled weights from the file next to them, if it exists.
func (all Games) Weights(name string) (features.Loaded, error) {
	if slices.Contains(patterns.Names(), name) {
		return patterns.Find(name, oware.Abapa.String())
	}
	data, err := features.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w; the known names are %s", err, strings.Join(patterns.Names(), ", "))
	}
	of, err := features.GameOf(data, name)
	if err != nil {
		return nil, err
	}
	g, err := all.named(of)
	if err != nil {
		return nil, features.InFile(name, err)
	}
	return g.weights(data, name)
}

// Compare compares two weights, given by file or name.
func (all Games) Compare(a, b string) (*features.SideBySide, error) {
	x, err := all.Weights(a)
	if err != nil {
		return nil, err
	}
	y, err := all.Weights(b)
	if err != nil {
		return nil, err
	}
	return x.Compare(y)
}

func (all Games) describeWeights(name string) (*doc.Doc, error) {
	w, err := all.Weights(name)
	if err != nil {
		return nil, err
	}
	return w.Facts().Doc(), nil
}

func (all Games) dataset(ctx context.Context, path string, o profile.Options) (*doc.Doc, error) {
	m, err := datasets.ReadManifest(path)
	if err != nil {
		return nil, err
	}
	g, err := all.named(m.Meta.Game)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g.dataset(ctx, path, o)
}

func (all Games) records(path string, head []byte) (*doc.Doc, error) {
	g, err := all.named(games.DetectGame(string(head), all.infos()).Name)
	if err != nil {
		return nil, err
	}
	return g.records(path)
}

// gameOf is a game with its feature sets, possibly none.
type gameOf[P games.Position[P]] struct {
	features.Sets[P]
	patterns features.Patterns[P]
}

// GameOf returns a game with its antisymmetric and pattern sets, possibly none.
func GameOf[P games.Position[P]](sets features.Sets[P], patterns features.Patterns[P]) Game {
	return gameOf[P]{sets, patterns}
}

func (g gameOf[P]) info() games.Info { return g.Game.Info }

func (g gameOf[P]) weights(data []byte, file string) (features.Loaded, error) {
	o, err := features.Open(g.Sets, g.patterns, data, file)
	if err == nil {
		err = o.FindModel(g.patterns)
	}
	if err != nil {
		return nil, err
	}
	return o, nil
}

func (g gameOf[P]) dataset(ctx context.Context, path string, o profile.Options) (*doc.Doc, error) {
	p, err := profile.Of(ctx, g.Game, path, o)
	if err != nil {
		return nil, err
	}
	return p.Doc(), nil
}

func (g gameOf[P]) records(path string) (*doc.Doc, error) {
	return match.DescribeRecords(g.Game, path)
}
