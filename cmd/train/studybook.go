package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/study"
)

// agreementFlags are those of train study book.
type agreementFlags struct {
	study   studyFlags
	search  searchFlags
	weights string
	player  int64
	engine  engineFlag
}

func studyBook() *cobra.Command {
	var f agreementFlags
	cmd := &cobra.Command{
		Use:   "book BOOK",
		Short: "how good a book's moves are, beside those of a search in its place",
		Long: `Takes positions of games in which one side plays the book's best moves and the
other any move that stays in the book, and looks at the side of the book. A long
search, of --nodes or --movetime, scores every move and judges two: the book's, and
that of a search of --player-nodes. The book is worth having where its moves lose
less.`,
		Example: "  train study book default --nodes 20000000\n  train study book book.bin --movetime 10s --player-nodes 100000 --positions 50 --json\n  train study book theirs.bin --engine 'cmd=./engine uci' --nodes 1000000",
		Args:    exactArgs(1, "the book"),
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	s := &f.study
	s.addOutput(cmd)
	owareOnly(cmd, "opening books")
	f.search.add(cmd, 64)
	rulesFlag(cmd, &s.rules)
	weightsFlag(cmd, &f.weights)
	workersFlag(cmd, &s.workers)
	f.engine.add(cmd)
	flags := cmd.Flags()
	intFlag(cmd, &s.positions, "positions", 200, 1, 100_000, "positions, one a game")
	flags.Uint64Var(&s.seed, "seed", 1, "of those games")
	flags.Int64Var(&f.player, "player-nodes", 10_000, "positions visited by the search beside the book")
	return cmd
}

func (f *agreementFlags) run(cmd *cobra.Command, path string) error {
	s := &f.study
	if f.player < 1 {
		return usagef("--player-nodes is %d: expected at least 1", f.player)
	}
	if err := cmp.Or(f.engine.take(cmd, "weights", "hash"), f.engine.noFaults("every search counts")); err != nil {
		return err
	}
	f.engine.tables(cmd, &f.search.tables)
	rules, err := rulesOf(oware.Descriptor().Info, s.rules)
	if err != nil {
		return err
	}
	c, err := f.search.config(engine.Config{Nodes: 10_000_000})
	if err != nil {
		return err
	}
	e, err := engine.Open(searched(cmd.Context(), f.engine, engine.Oware()), f.weights, path, c, rules)
	if err != nil {
		return err
	}
	defer e.Close()
	if err := e.CheckMemory(parallel.Workers(s.workers)); err != nil {
		return err
	}
	update, finish := progress(cmd.Name(), "positions")
	result, err := study.Agreement(cmd.Context(), e, study.AgreementConfig{Sample: s.sample(), Judge: c.Limits(), Player: search.Limits{Nodes: f.player}}, update)
	finish()
	if err != nil {
		return err
	}
	return s.show(cmd, result)
}
