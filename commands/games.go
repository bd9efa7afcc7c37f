package commands

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/study"
	"kroo/farm"
	"kroo/features"
	"kroo/games"
	"kroo/internal/parallel"
	"kroo/internal/vfs"
	"kroo/match"
	"kroo/regress"
	"kroo/run/inspect"
)

// Games are the games of Kroo's own program.
func Games() []Game {
	return []Game{GameOf(engine.Oware()), GameOf(engine.TicTacToe()), GameOf(engine.Othello()), GameOf(engine.Chess())}
}

// allGames are the games of the program: commands, help and messages take them from here. The
// first is the one of commands and files that name none.
var allGames = Games()

// Game is a game as commands see it. [GameOf] makes one.
type Game interface{ game }

// GameOf is the game of a kit. Commands do for it what they do for any game; of the kit only the
// description, the evaluations and the plain one of them have to be there: a command that needs
// what the kit lacks says so.
func GameOf[P search.Position[P]](kit engine.Kit[P]) Game { return gameOf[P]{kit} }

// gameOf is a game with the type of its positions. What a command does for any game is a
// method of it, in the file of the command.
type gameOf[P search.Position[P]] struct{ kit engine.Kit[P] }

// game is a game as commands see it, without the type of its positions.
type game interface {
	info() games.Info
	inspected() inspect.Game

	adopt(cmd *cobra.Command, path string, a adoptArgs) error
	analyse(cmd *cobra.Command, f analyseFlags, path string) error
	calibrate(cmd *cobra.Command, r *calibrateRequest, files []string) error
	checkEngine(cmd *cobra.Command, f engineCheckFlags) error
	checkPatterns(rules string, c regress.PatternConfig) error
	convert(cmd *cobra.Command, from, to, where string) error
	defaultSet(rules string) string
	evaluations() []string // by name
	featureSets() []features.Info
	fit(cmd *cobra.Command, f *fitFlags, meta datasets.Meta) error
	inspectDataset(cmd *cobra.Command, a inspectArgs, rules string) error
	label(cmd *cobra.Command, a labelArgs, rules string) error
	listPatterns(out io.Writer)
	match(cmd *cobra.Command, m *matchArgs) error
	measure(cmd *cobra.Command, a evaluateArgs, rules string) error
	openings(cmd *cobra.Command, r *openingsRequest) error
	openPairs(s match.PairsSpec, files farm.Files, threads int) (farm.Doer, error)
	openSearches(s farm.EngineSpec, files farm.Files, threads int) (farm.Doer, error)
	patternSet() string // the usual one, "" for a game without pattern features
	perft(cmd *cobra.Command, f perftFlags) error
	play(cmd *cobra.Command, f playFlags) error
	readsBoards(ctx context.Context, table, column string) bool
	sample(cmd *cobra.Command, a sampleArgs) error
	split(cmd *cobra.Command, in, folder string, strict bool) error
	study(ctx context.Context, config any, recorded string, progress parallel.Progress) (study.Result, error)
	tabulate(cmd *cobra.Command, in, out, set, where string) error
	tournament(cmd *cobra.Command, t *tournamentArgs, players []string) error
	tune(cmd *cobra.Command, a *tuneArgs) error
	uci(cmd *cobra.Command, u uciFlags) error
	writeDesign(cmd *cobra.Command, rules string, req regress.DesignRequest, paths []string) error
}

func (g gameOf[P]) info() games.Info { return g.kit.Game.Info }

func (g gameOf[P]) inspected() inspect.Game {
	sets := g.kit.Sets
	sets.Game = g.kit.Game
	return inspect.GameOf(sets, g.kit.Patterns)
}

// inspected are the games whose files there may be.
func inspected() (all inspect.Games) {
	for _, g := range allGames {
		all = append(all, g.inspected())
	}
	return all
}

// gameNames lists the games for help and messages.
func gameNames() (names []string) {
	for _, g := range allGames {
		names = append(names, g.info().Name)
	}
	return names
}

// onGame does something with the game of the --game flag.
func onGame(name string, do func(game) error) error {
	g, err := gameNamed(name)
	if err != nil {
		return err
	}
	return do(g)
}

// gameNamed finds the game of the --game flag, or of a file.
func gameNamed(name string) (game, error) {
	for _, g := range allGames {
		if g.info().Name == name {
			return g, nil
		}
	}
	return nil, usagef("--game is %q: expected %s", name, games.OrList(gameNames()))
}

// gameOfRecords finds the game of a file of records: the one of --game, if it is given, or
// else the one that the file tells.
func gameOfRecords(name, path string) (game, error) {
	if name != "" {
		return gameNamed(name)
	}
	head, err := vfs.ReadStart(path, 4096)
	if err != nil {
		return nil, err
	}
	var all []games.Info
	for _, g := range allGames {
		all = append(all, g.info())
	}
	return gameNamed(games.OfRecords(string(head), all).Name)
}

// gameOfDataset finds the game and the rules of a dataset.
func gameOfDataset(path string) (game, datasets.Meta, error) {
	m, err := datasets.ReadManifest(path)
	if err != nil {
		return nil, m.Meta, err
	}
	g, err := gameNamed(m.Meta.Game)
	return g, m.Meta, err
}
