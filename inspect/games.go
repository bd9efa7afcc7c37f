package inspect

import (
	"context"
	"fmt"
	"io"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/plural"
	"kroo/internal/vfs"
)

// Game is a game whose files are inspected, without the type of its positions. [GameOf]
// makes one.
type Game interface {
	info() games.Info
	dataset(ctx context.Context, path string) (Sheet, error)
	records(path string) (Sheet, error)
	// checkWeights refuses weights that are not of one of the game's sets.
	checkWeights(w *features.Weights) error
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
func (all Games) named(file, name string) (Game, error) {
	var names []string
	for _, g := range all {
		if g.info().Name == name {
			return g, nil
		}
		names = append(names, g.info().Name)
	}
	return nil, fmt.Errorf("%s: the game is %q: expected %s", file, name, games.OrList(names))
}

func (all Games) dataset(ctx context.Context, path string) (Sheet, error) {
	m, err := datasets.ReadManifest(path)
	if err != nil {
		return Sheet{}, err
	}
	g, err := all.named(path, m.Meta.Game)
	if err != nil {
		return Sheet{}, err
	}
	return g.dataset(ctx, path)
}

func (all Games) records(path string, head []byte) (Sheet, error) {
	g, err := all.named(path, games.OfRecords(string(head), all.infos()).Name)
	if err != nil {
		return Sheet{}, err
	}
	return g.records(path)
}

// gameOf is a game with its antisymmetric sets, which may be none.
type gameOf[P games.Position[P]] struct{ features.Sets[P] }

// GameOf is the game of feature sets, of which there may be none.
func GameOf[P games.Position[P]](sets features.Sets[P]) Game { return gameOf[P]{sets} }

func (g gameOf[P]) info() games.Info { return g.Game.Info }

func (g gameOf[P]) checkWeights(w *features.Weights) error {
	_, err := g.Check(w)
	return err
}

func (g gameOf[P]) dataset(ctx context.Context, path string) (Sheet, error) {
	s, err := Dataset(ctx, g.Game, path, DatasetOptions[P]{})
	if err != nil {
		return Sheet{}, err
	}
	return Sheet{Value: s, Text: s.Text()}, nil
}

// gamesSheet is what inspecting game records shows.
type gamesSheet struct {
	Games   int            `json:"games"`
	Results map[string]int `json:"results"`
	Plies   int            `json:"plies"` // of all games
	Players []string       `json:"players"`
	// NoResult counts the games that end without a result token: they may be cut.
	NoResult int `json:"no_result"`
}

func (g gameOf[P]) records(path string) (Sheet, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return Sheet{}, err
	}
	defer f.Close()
	records, err := g.Game.ParseRecords(f, path)
	if err != nil {
		return Sheet{}, err
	}
	s := gamesSheet{Games: len(records), Results: map[string]int{}}
	players := map[string]int{}
	for _, r := range records {
		s.Results[r.Result]++
		s.Plies += len(r.Moves)
		if r.NoResult {
			s.NoResult++
		}
		for _, side := range g.Game.Sides {
			if name := r.Tag(side); name != "" {
				players[name]++
			}
		}
	}
	s.Players = sortedKeys(players)
	return Sheet{Value: s, Text: columns(func(w io.Writer) {
		fmt.Fprintf(w, "%s: %s, %.1f plies each\n", path, plural.Of(s.Games, "game"), float64(s.Plies)/float64(max(s.Games, 1)))
		for _, r := range sortedKeys(s.Results) {
			fmt.Fprintf(w, "%s\t%d\n", r, s.Results[r])
		}
		if s.NoResult > 0 {
			fmt.Fprintf(w, "without a result\t%d\t(they may be cut)\n", s.NoResult)
		}
		for _, name := range s.Players {
			fmt.Fprintf(w, "%s\t%s\n", name, plural.Of(players[name], "game"))
		}
	})}, nil
}
