package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/farm"
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
	"kroo/inspect"
	"kroo/match"
	"kroo/regress"
	"kroo/study"
)

// allGames are the games of the program. A game is named here and nowhere else: commands,
// help and messages take it from this table. The first is the one of commands and files
// that name none.
var allGames = []game{
	gameOf[oware.Position]{kit: engine.Oware(), sets: thesis.Sets, subject: study.Oware, fullTree: true},
	gameOf[tictactoe.Position]{kit: engine.TicTacToe(), sets: lines.Sets, subject: study.TicTacToe, fullTree: true},
	gameOf[othello.Position]{kit: engine.Othello(), sets: squares.Sets, subject: study.Othello},
	gameOf[chess.Position]{kit: engine.Chess(), sets: values.Sets, subject: study.Chess, perftMoves: chess.Position.PerftMoves},
}

// gameOf is a game with the type of its positions. What a command does for any game is a
// method of it, beside the command. Only the kit has to be there.
type gameOf[P search.Position[P]] struct {
	kit      engine.Kit[P]
	sets     features.Sets[P]        // antisymmetric feature sets
	subject  func() study.Subject[P] // of the studies; nil if none looks at the game
	fullTree bool                    // of the game is small enough to be counted to some depth
	// perftMoves counts the leaves of a tree and the moves made for that; nil is
	// games.PerftMoves.
	perftMoves func(p P, depth int) (leaves, made int64)
}

// game is a game as commands see it, without the type of its positions.
type game interface {
	info() games.Info
	inspected() inspect.Game

	studied() bool
	counted() bool // its full tree is, by studies

	adopt(path string, origin datasets.Origin) (datasets.Manifest, error)
	analyse(cmd *cobra.Command, f analyseFlags, path string) error
	convert(from, to string) (datasets.Manifest, error)
	defaultSet(rules string) string
	featureSets() []features.Info
	fitFeatures(ctx context.Context, req regress.FitRequest, progress func(done, total int64)) (regress.Summary, error)
	inspectDataset(cmd *cobra.Command, a inspectArgs, rules string) error
	label(cmd *cobra.Command, a labelArgs, rules string) error
	match(ctx context.Context, c match.Config, players [2]match.PlayerConfig, out match.Output, progress match.Progress) (match.Summary, error)
	measure(cmd *cobra.Command, a evaluateArgs, rules string) error
	openings(ctx context.Context, r openingsRequest, update func(done, total int64)) (int, error)
	openPairs(s match.PairsSpec, files farm.Files, threads int) (farm.Doer, error)
	openSearches(s farm.EngineSpec, files farm.Files, threads int) (farm.Doer, error)
	perft(cmd *cobra.Command, f perftFlags) error
	play(cmd *cobra.Command, f playFlags) error
	sample(cmd *cobra.Command, a sampleArgs) error
	scale(files []string, player string) (study.Result, error)
	split(in, folder string) (int, error)
	study(ctx context.Context, config any, rules string, progress study.Progress) (study.Result, error)
	tabulate(ctx context.Context, in, out, set string, progress func(done, total int64)) (int, error)
	tournament(ctx context.Context, c match.TournamentConfig, out match.Output, progress match.TournamentProgress) (match.TournamentSummary, error)
	uci(cmd *cobra.Command, u uciFlags) error
}

func (g gameOf[P]) info() games.Info { return g.kit.Game.Info }

func (g gameOf[P]) inspected() inspect.Game {
	sets := g.sets
	sets.Game = g.kit.Game
	return inspect.GameOf(sets)
}

// inspected are the games whose files there may be.
func inspected() (all inspect.Games) {
	for _, g := range allGames {
		all = append(all, g.inspected())
	}
	return all
}

// namesOf lists games for help and messages.
func namesOf(list []game) (names []string) {
	for _, g := range list {
		names = append(names, g.info().Name)
	}
	return names
}

// gamesWith are the games for which a command has what it needs.
func gamesWith(has func(game) bool) []game {
	return slices.DeleteFunc(slices.Clone(allGames), func(g game) bool { return !has(g) })
}

// gameNamed finds the game of the --game flag, or of a file, among those that a command
// serves.
func gameNamed(name string, among []game) (game, error) {
	for _, g := range among {
		if g.info().Name == name {
			return g, nil
		}
	}
	if slices.Contains(namesOf(allGames), name) {
		return nil, usagef("%s is a game that this command does not serve: expected %s", name, games.OrList(namesOf(among)))
	}
	return nil, usagef("--game is %q: expected %s", name, games.OrList(namesOf(among)))
}

// gameOfDataset finds the game and the rules of a dataset.
func gameOfDataset(path string) (game, datasets.Meta, error) {
	m, err := datasets.ReadManifest(path)
	if err != nil {
		return nil, m.Meta, err
	}
	g, err := gameNamed(m.Meta.Game, allGames)
	return g, m.Meta, err
}
