package commands

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/play"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/console"
	"kroo/internal/outline"
	"kroo/internal/wording"
)

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
}

func playCommand() *cobra.Command {
	a := playArgs{
		Config:     engine.Config{HashMB: 64, MoveTime: engine.Duration{Duration: time.Second}},
		BookPolicy: engine.BookPolicy{Variety: engine.Even},
	}
	return withoutJSON(&cobra.Command{
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
		Example: "  train play\n" +
			"  train play --lesson\n" +
			"  train play --level hard\n" +
			"  train play --side north --weights runs/quick/weights.json --movetime 2s\n" +
			"  train play --game tictactoe\n" +
			"  train play --game othello --rules 6x6 --weights greedy --depth 1\n" +
			"  train play --game chess --side black",
	}, func(j *job) error {
		if !a.Lesson {
			return a.game().play(j, &a)
		}
		if err := j.nothingWith("--lesson", "lesson"); err != nil {
			return err
		}
		return lesson(j)
	}, &a)
}

func (g gameOf[P]) play(j *job, a *playArgs) error {
	person, err := sideOf(g.info(), a.Side)
	if err != nil {
		return err
	}
	rules, err := a.rules()
	if err != nil {
		return err
	}
	start, err := positionOf(g.kit.Game, rules, "--position", a.Position)
	if err != nil {
		return err
	}
	if err := j.limit(&a.Config); err != nil {
		return err
	}
	e, err := engine.Open(j.Context(), g.kit,
		engine.Spec{Weights: a.Weights, Book: a.Book, OwnBook: true, Policy: a.BookPolicy, Search: a.Config}, rules)
	if err != nil {
		return err
	}
	defer e.Close()
	if e.Book == nil {
		if err := j.notWithout("a book", "book-loss", "book-variety"); err != nil {
			return err
		}
	}
	if err := a.CheckMemory(1); err != nil {
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

func levelsText() string {
	text := "Levels (go doc kroo/engine.Levels has how they were measured):\n"
	for _, l := range engine.Levels() {
		text += fmt.Sprintf("  %-9s %s (%d nodes per move). %s\n", l.Name, l.Like, l.Nodes, l.Against)
	}
	return strings.TrimSpace(text)
}

// sideOf returns the side of --side, "" for the first.
func sideOf(info games.Info, name string) (int, error) {
	for side, of := range info.Sides {
		if name == "" || strings.EqualFold(name, of) {
			return side, nil
		}
	}
	sides := []string{strings.ToLower(info.Sides[0]), strings.ToLower(info.Sides[1])}
	return 0, usagef("--side is %q: %s", name, wording.Expect(name, sides))
}

// lesson teaches the rules of oware with a few positions to play.
func lesson(j *job) error {
	t := newTerminal[oware.Position](j, nil, nil, oware.Position{})
	all := oware.Lesson()
	for i, e := range all {
		p, err := oware.ParseBoard(oware.Abapa, e.Board)
		if err != nil {
			return err
		}
		t.say("\n%d of %d: %s\n%s\n", i+1, len(all), e.Name, wrapText(e.Rule))
		fmt.Fprintf(console.Drawing(t.out), "\n%s\n", oware.Descriptor().Diagram(p))
		t.say("%s\n", e.Task)
		for solved := false; !solved; {
			t.say("your move (A-F, or quit): ")
			line, ok := t.line(j.Context())
			name := strings.ToUpper(strings.TrimSpace(line))
			if !ok || name == "QUIT" {
				fmt.Fprintln(t.out)
				return t.inputError(j.Context())
			}
			solved = len(name) == 1 && strings.Contains(e.Moves, name)
			if !solved {
				wrong := e.Wrong
				if len(name) != 1 || name < "A" || name > "F" {
					wrong = "Type the letter of one of your houses, A to F, or quit."
				}
				t.say("%s\n", wrapText(wrong))
				continue
			}
			p = p.Play(oware.Move(name[0] - 'A'))
			fmt.Fprintf(console.Drawing(t.out), "\n%s\n", oware.Descriptor().Diagram(p))
			t.say("%s\n", wrapText(e.Right))
		}
	}
	t.say("\nThese are the rules. To play: %s play --level beginner\n", wording.Program())
	return nil
}

func wrapText(text string) string {
	return strings.TrimSuffix((&outline.Doc{Lead: []string{text}}).Body(), "\n")
}
