package commands

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/play"
	"kroo/games"
)

// playArgs are the settings of play.
type playArgs struct {
	engine.Config
	engine.BookPolicy
	rulesFlags
	weightsFlag
	positionFlag
	bookFlag
	Side   string `name:"side" help:"your side by its name, such as south or north (default the side that moves first)"`
	Level  string `name:"level" help:"how strong the engine plays: {levels}"`
	Lesson bool   `name:"lesson" help:"learn the rules of oware in five positions"`
	limits *limits
}

func playCommand() *cobra.Command {
	a := playArgs{Config: engine.Config{HashMB: 64}, BookPolicy: engine.BookPolicy{Variety: engine.Even}}
	cmd := withoutJSON(&cobra.Command{
		Use:   "play",
		Short: "play against the engine in the terminal",
		Long: `You play one side, the engine the other. Type the name of a move, in oware the
letter of the house to sow: A-F for South, a-f for North. "help" lists the
commands: moves, hint, eval, review, undo, resign, new, save, load, level, quit.
In a terminal the board is drawn in place; NO_COLOR turns colours off. The engine's
evaluation is shown only if you ask for it.

--level is how strong the engine plays; without it the engine plays its best
within --movetime, --nodes or --depth (one second per move).

` + levelsText(),
		Example: "  train play\n  train play --lesson\n  train play --level hard\n  train play --side north --weights runs/quick/weights.json --movetime 2s\n  train play --game tictactoe\n  train play --game othello --size 6 --weights greedy --depth 1\n  train play --game chess --side black",
	}, func(j *job) error {
		switch {
		case a.Lesson && j.Flags().Changed("game"):
			return usagef("--lesson teaches oware: leave out --game")
		case a.Lesson:
			return lesson(j)
		}
		return a.game().play(j, &a)
	}, &a)
	a.limits = limitsOf(cmd, &a.Config, engine.Config{MoveTime: engine.Duration{Duration: time.Second}})
	return cmd
}

// play plays a game in the terminal.
func (g gameOf[P]) play(j *job, a *playArgs) error {
	person, err := sideOf(g.info(), a.Side)
	if err != nil {
		return err
	}
	rules, err := a.rules()
	if err != nil {
		return err
	}
	start, err := positionOf(g.kit.Game, rules, a.Position)
	if err != nil {
		return err
	}
	search, err := a.limits.config()
	if err != nil {
		return err
	}
	e, err := engine.Open(j.Context(), g.kit, engine.Spec{Weights: a.Weights, Book: a.Book, OwnBook: true, Policy: a.BookPolicy, Search: search}, rules)
	if err != nil {
		return err
	}
	defer e.Close()
	if err := search.CheckMemory(1); err != nil {
		return err
	}
	t := newTerminal(j, e, play.New(e, start, person), start)
	if a.Level != "" {
		if err := t.setLevel(a.Level); err != nil {
			return usagef("--level: %v", err)
		}
	}
	return t.play(j.Context())
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
