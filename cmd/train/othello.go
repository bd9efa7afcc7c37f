package main

import (
	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/othello"
)

// othelloFlags are those of programs for Othello.
type othelloFlags struct {
	weights       string
	hash, threads int
}

func (o *othelloFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.weights, "weights", "", "evaluation: by name, or a weights file (default the game's own)")
	intFlag(cmd, &o.hash, "hash", 64, 1, engine.MaxHashMB, "hash table, in MiB")
	intFlag(cmd, &o.threads, "threads", 1, 1, search.MaxThreads, "threads of the search")
}

// player plays on the board of 8x8 squares. Close its engine.
func (o *othelloFlags) player() (*engine.Player[othello.Position], error) {
	config := engine.Config{HashMB: o.hash, Threads: o.threads}
	if err := config.CheckMemory(1); err != nil {
		return nil, err
	}
	e, err := engine.Open(engine.Othello(), o.weights, "", config, othello.Large.String())
	if err != nil {
		return nil, err
	}
	return &engine.Player[othello.Position]{Engine: e, Searcher: e.NewSearcher()}, nil
}
