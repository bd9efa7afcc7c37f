package commands

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/play"
	"kroo/games"
	"kroo/internal/spec"
)

// playFlags are those of the command play.
type playFlags struct {
	limit                                   searchFlags
	game, rules, board, side, weights, book string
	level                                   string
	policy                                  engine.BookPolicy
}

func playCommand() *cobra.Command {
	var f playFlags
	cmd := &cobra.Command{
		Use:   "play",
		Short: "play against the engine in the terminal",
		Long: `You play one side, the engine the other. Type the name of a move, in oware the
letter of the house to sow: A-F for South, a-f for North. "help" lists the
commands: moves, hint, eval, review, undo, resign, new, save, load, level, quit.
In a terminal the board is drawn in place; NO_COLOR turns colours off. The engine's
evaluation is shown only if you ask for it.

--level is how strong the engine plays; without it the engine plays its best
within --movetime, --nodes or --depth (one second a move).

` + levelsText(),
		Example: "  train play\n  train play --level hard\n  train play --side north --weights runs/quick/weights.json --movetime 2s\n  train play --game tictactoe\n  train play --game othello --size 6 --weights greedy --depth 1\n  train play --game chess --side black",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return onGame(f.game, func(g game) error { return g.play(cmd, f) })
		},
	}
	f.limit.add(cmd, 64, engine.Config{MoveTime: engine.Duration{Duration: time.Second}})
	gameFlag(cmd, &f.game)
	gameRulesFlag(cmd, &f.rules)
	weightsFlag(cmd, &f.weights)
	positionFlag(cmd, &f.board)
	cmd.Flags().StringVar(&f.side, "side", "", "your side by its name, such as south or north (default the side that moves first)")
	cmd.Flags().StringVar(&f.level, "level", "", "how strong the engine plays: "+strings.Join(engine.LevelNames(), ", "))
	bookFlag(cmd, &f.book)
	f.policy.Variety = engine.Even
	spec.Flags(cmd.Flags(), &f.policy)
	return cmd
}

// play plays a game in the terminal.
func (g gameOf[P]) play(cmd *cobra.Command, f playFlags) error {
	person, err := sideOf(g.info(), f.side)
	if err != nil {
		return err
	}
	rules, err := rulesOf(g.info(), f.rules)
	if err != nil {
		return err
	}
	start, err := positionOf(g.kit.Game, rules, f.board)
	if err != nil {
		return err
	}
	limits, err := f.limit.config()
	if err != nil {
		return err
	}
	e, err := engine.Open(cmd.Context(), g.kit, engine.Spec{Weights: f.weights, Book: f.book, OwnBook: true, Policy: f.policy, Search: limits}, rules)
	if err != nil {
		return err
	}
	defer e.Close()
	if err := limits.CheckMemory(1); err != nil {
		return err
	}
	t := newTerminal(cmd, e, play.New(e, start, person), start)
	if f.level != "" {
		if err := t.setLevel(f.level); err != nil {
			return usagef("--level: %v", err)
		}
	}
	return t.play(cmd.Context())
}

// levelsText describes the levels, a line each.
func levelsText() string {
	text := "Levels (go doc kroo/engine.Levels has how they were measured):\n"
	for _, l := range engine.Levels() {
		text += fmt.Sprintf("  %-9s %s (%d nodes per move). %s\n", l.Name, l.Like, l.Nodes, l.Against)
	}
	return strings.TrimSpace(text)
}

// sideOf reads --side.
func sideOf(info games.Info, name string) (int, error) {
	for side, of := range info.Sides {
		if name == "" || strings.EqualFold(name, of) {
			return side, nil
		}
	}
	return 0, usagef("--side is %q: expected %s or %s", name, strings.ToLower(info.Sides[0]), strings.ToLower(info.Sides[1]))
}
