package inspect

import (
	"context"
	"fmt"

	"kroo/datasets"
	"kroo/datasets/profile"
	"kroo/features"
	"kroo/features/weights"
	"kroo/games"
	"kroo/internal/doc"
	"kroo/match"
)

// Game is a game whose files are inspected, without the type of its positions. [GameOf]
// makes one.
type Game interface {
	info() games.Info
	dataset(ctx context.Context, path string) (*doc.Doc, error)
	records(path string) (*doc.Doc, error)
	checkWeights(w *features.Weights) error
	model(data []byte, file string) (weights.Info, error)
}

// Games are those whose files there may be. The first is the one of records that do not
// tell theirs.
type Games []Game

func (all Games) infos() (list []games.Info) {
	for _, g := range all {
		list = append(list, g.info())
	}
	return list
}

// named finds the game of a file.
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

// CheckWeights is as [weights.Games] says.
func (all Games) CheckWeights(w *features.Weights) (games.Info, error) {
	g, err := all.named(w.GameName())
	if err != nil {
		return games.Info{}, err
	}
	return g.info(), g.checkWeights(w)
}

// Game is as [weights.Games] says.
func (all Games) Game(name string) (games.Info, error) {
	g, err := all.named(name)
	if err != nil {
		return games.Info{}, err
	}
	return g.info(), nil
}

// Model is as [weights.Games] says.
func (all Games) Model(game string, data []byte, file string) (weights.Info, error) {
	g, err := all.named(game)
	if err != nil {
		return weights.Info{}, fmt.Errorf("%s: %w", file, err)
	}
	return g.model(data, file)
}

func (all Games) dataset(ctx context.Context, path string) (*doc.Doc, error) {
	m, err := datasets.ReadManifest(path)
	if err != nil {
		return nil, err
	}
	g, err := all.named(m.Meta.Game)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g.dataset(ctx, path)
}

func (all Games) records(path string, head []byte) (*doc.Doc, error) {
	g, err := all.named(games.OfRecords(string(head), all.infos()).Name)
	if err != nil {
		return nil, err
	}
	return g.records(path)
}

// gameOf is a game with its sets, of which there may be none.
type gameOf[P games.Position[P]] struct {
	features.Sets[P]
	patterns features.Patterns[P]
}

// GameOf is the game of antisymmetric and of pattern sets, of which there may be none.
func GameOf[P games.Position[P]](sets features.Sets[P], patterns features.Patterns[P]) Game {
	return gameOf[P]{sets, patterns}
}

func (g gameOf[P]) info() games.Info { return g.Game.Info }

func (g gameOf[P]) checkWeights(w *features.Weights) error {
	_, err := g.Check(w)
	return err
}

func (g gameOf[P]) model(data []byte, file string) (weights.Info, error) {
	return weights.OfModel(g.patterns, data, file)
}

func (g gameOf[P]) dataset(ctx context.Context, path string) (*doc.Doc, error) {
	p, err := profile.Of(ctx, g.Game, path, profile.Options[P]{})
	if err != nil {
		return nil, err
	}
	return p.Doc(), nil
}

func (g gameOf[P]) records(path string) (*doc.Doc, error) {
	return match.DescribeRecords(g.Game, path)
}
