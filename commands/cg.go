package commands

import (
	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/uci"
	"kroo/engine/uci/client"
	"kroo/games/oware"
)

func cgCommand() *cobra.Command {
	var f struct {
		weightsFlag
		Rules    string          `name:"rules" default:"arena" choices:"arena abapa" help:"arena, or abapa for play with endgame tables"`
		MoveTime engine.Duration `name:"movetime" help:"time of every move but the first"`
		Nodes    int64           `name:"nodes" range:"0.." help:"limit each search by positions visited, instead of time (reproducible)"`
	}
	f.MoveTime.Duration = client.MoveOfArena
	return withoutJSON(&cobra.Command{
		Use:   "cg",
		Short: "the engine as a bot for the CodinGame arena",
		Long: `Plays one game of oware as a bot of the CodinGame arena: for each of
its moves it reads a line with the seeds of the twelve houses in the order of sowing, its
own six first, and prints the house to sow, 0 to 5 from its left. The first move
may take a second, every other --movetime; a tenth of both is reserved for communication.

The default rules are arena: abapa without repetition, over after 200 plies. Endgame
tables are for abapa only: --rules abapa uses them, and ends games on repetition.`,
		Example: "  echo 4 4 4 4 4 4 4 4 4 4 4 4 | train cg\n" +
			"  train match --a 'cmd=./train cg,protocol=cg' --b captures --rules arena --movetime 50ms --margin 50ms",
	}, func(j *job) error {
		rules, err := oware.ParseRules(f.Rules)
		if err != nil {
			return err
		}
		if f.Nodes > 0 {
			if err := j.notWith("--nodes", "movetime"); err != nil {
				return err
			}
		}
		search := engine.Config{HashMB: 64, Nodes: f.Nodes}
		if err := search.CheckMemory(1); err != nil {
			return err
		}
		e, err := engine.Open(j.Context(), engine.Oware(), engine.Spec{Weights: f.Weights, Search: search}, f.Rules)
		if err != nil {
			return err
		}
		defer e.Close()
		s := uci.Arena{Player: &engine.Player[oware.Position]{Engine: e, Searcher: e.NewSearcher()}, Rules: rules}
		if f.Nodes == 0 {
			s.First, s.Move = max(client.FirstTurn, f.MoveTime.Duration), f.MoveTime.Duration
		}
		return s.Serve(j.Context(), j.InOrStdin(), j.OutOrStdout(), started)
	}, &f)
}
