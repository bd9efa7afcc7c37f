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
	s.addOfBook(cmd, &f.weights)
	f.search.add(cmd, 64)
	f.engine.add(cmd)
	cmd.Flags().Int64Var(&f.player, "player-nodes", 10_000, "positions visited by the search beside the book")
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
	c, err := f.search.config(engine.Config{Nodes: 10_000_000})
	if err != nil {
		return err
	}
	return s.ofBook(cmd, f.engine, f.weights, path, c, func(e *engine.Engine[oware.Position], update study.Progress) (study.Result, error) {
		return study.Agreement(cmd.Context(), e, study.AgreementConfig{Sample: s.sample(), Judge: c.Limits(), Player: search.Limits{Nodes: f.player}}, update)
	})
}

// addOfBook adds the flags of the studies of a book's positions.
func (s *studyFlags) addOfBook(cmd *cobra.Command, weights *string) {
	s.addOutput(cmd)
	owareOnly(cmd, "opening books")
	servedRulesFlag(cmd, &s.rules)
	weightsFlag(cmd, weights)
	workersFlag(cmd, &s.workers)
	intFlag(cmd, &s.positions, "positions", 200, 1, 100_000, "positions, one a game")
	cmd.Flags().Uint64Var(&s.seed, "seed", 1, "of those games")
}

// ofBook does a study with an engine that has a book, or with another program in its place.
func (s *studyFlags) ofBook(cmd *cobra.Command, other engineFlag, weights, path string, c engine.Config, do func(*engine.Engine[oware.Position], study.Progress) (study.Result, error)) error {
	rules, err := rulesOf(oware.Descriptor().Info, s.rules)
	if err != nil {
		return err
	}
	e, err := engine.Open(searched(cmd.Context(), other, engine.Oware()), weights, path, c, rules)
	if err != nil {
		return err
	}
	defer e.Close()
	if err := e.CheckMemory(parallel.Workers(s.workers)); err != nil {
		return err
	}
	return s.measure(cmd, "positions", func(update study.Progress) (study.Result, error) { return do(e, update) })
}
