package inspect

import (
	"context"
	"fmt"
	"slices"

	"kroo/datasets"
	"kroo/features"
	owarefeatures "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/internal/wording"
	"kroo/match"
	"kroo/regress/profile"
)

// Game is a game whose files can be inspected, without the type of its positions.
type Game struct {
	info    games.Info
	dataset func(ctx context.Context, path string, o profile.Options) (*outline.Doc, error)
	records func(path string) (*outline.Doc, error)
	weights func(data []byte, file string) (features.AnyWeights, error)
	values  func(ctx context.Context, loaded [2]features.AnyWeights, o CompareOptions) (*valuesComparison, error)
}

// GameOf returns a game with its feature sets, possibly none.
func GameOf[P games.Position[P]](sets features.Sets[P]) Game {
	return Game{
		info: sets.Game.Info,
		dataset: func(ctx context.Context, path string, o profile.Options) (*outline.Doc, error) {
			p, err := profile.Of(ctx, sets.Game, path, o)
			if err != nil {
				return nil, err
			}
			if p.Rows == 0 && o.Where != "" {
				return nil, fmt.Errorf("%s: none of the %d rows matches the filter", path, p.Total)
			}
			return p.Doc(), nil
		},
		records: func(path string) (*outline.Doc, error) { return match.DescribeRecords(sets.Game, path) },
		weights: func(data []byte, file string) (features.AnyWeights, error) {
			o, err := features.Open(sets, data, file)
			if err == nil {
				err = o.FindModel()
			}
			if err != nil {
				return nil, err
			}
			return o, nil
		},
		values: func(ctx context.Context, loaded [2]features.AnyWeights, o CompareOptions) (*valuesComparison, error) {
			return compareValues(ctx, sets.Game, loaded, o)
		},
	}
}

// Games are the games whose files can be inspected. The first is the default for records that do
// not name their game.
type Games []Game

// findByName returns the game with a name.
func (all Games) findByName(name string) (Game, error) {
	var names []string
	for _, g := range all {
		if g.info.Name == name {
			return g, nil
		}
		names = append(names, g.info.Name)
	}
	return Game{}, fmt.Errorf("the game is %q: %s", name, wording.Expect(name, names))
}

// Weights reads a weights file, or finds weights of oware by name, for abapa by default. It also
// loads the model of compiled weights from the file next to them, if it exists.
func (all Games) Weights(name string) (features.AnyWeights, error) {
	_, w, err := all.load(name)
	return w, err
}

// load is Weights; it also returns the game.
func (all Games) load(name string) (Game, features.AnyWeights, error) {
	if slices.Contains(owarefeatures.Names(), name) {
		g, err := all.findByName(oware.Descriptor().Name)
		if err != nil {
			return Game{}, nil, err
		}
		w, err := owarefeatures.Find(name, oware.Abapa.String())
		return g, w, err
	}
	data, err := features.ReadFile(name)
	if err != nil {
		return Game{}, nil, fmt.Errorf("%w: %s, or a weights file", err, wording.Expect(name, owarefeatures.Names()))
	}
	of, err := features.GameOf(data, name)
	if err != nil {
		return Game{}, nil, err
	}
	g, err := all.findByName(of)
	if err != nil {
		return Game{}, nil, features.InFile(name, err)
	}
	w, err := g.weights(data, name)
	return g, w, err
}

func (all Games) describeWeights(name string) (*outline.Doc, error) {
	w, err := all.Weights(name)
	if err != nil {
		return nil, err
	}
	return w.Facts().Doc(), nil
}

func (all Games) dataset(ctx context.Context, path string, o profile.Options) (*outline.Doc, error) {
	m, err := datasets.ReadManifest(path)
	if err != nil {
		return nil, err
	}
	g, err := all.findByName(m.Meta.Game)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g.dataset(ctx, path, o)
}

// Infos describes the games.
func (all Games) Infos() (infos []games.Info) {
	for _, g := range all {
		infos = append(infos, g.info)
	}
	return infos
}

func (all Games) records(path string, head []byte) (*outline.Doc, error) {
	g, err := all.findByName(games.DetectGame(string(head), all.Infos()).Name)
	if err != nil {
		return nil, err
	}
	return g.records(path)
}
