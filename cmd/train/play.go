package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
)

func playCommand() *cobra.Command {
	var limit searchFlags
	var rules, board, side, weights, bookPath string
	cmd := &cobra.Command{
		Use:   "play",
		Short: "play against the engine in the terminal",
		Long: `You play one side, the engine the other. Type the letter of the house to sow:
A-F for South, a-f for North. "undo" takes back your last move, "hint" shows
what the engine would play, "quit" ends.`,
		Example: "  train play\n  train play --side north --weights runs/quick/weights.json --movetime 2s",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("side", side, "south", "north"); err != nil {
				return err
			}
			p, err := positionFlag(rules, board)
			if err != nil {
				return err
			}
			limits, err := limit.config(engine.Config{MoveTime: engine.Duration{Duration: time.Second}})
			if err != nil {
				return err
			}
			e, err := engine.Open(engine.Oware(), weights, bookPath, limits, rules)
			if err != nil {
				return err
			}
			defer e.Close()
			t := &table{
				game: oware.NewGame(p), you: oware.South, limits: limits.Limits(),
				engine: e, searcher: e.NewSearcher(),
				in: bufio.NewScanner(cmd.InOrStdin()), out: cmd.OutOrStdout(),
			}
			if side == "north" {
				t.you = oware.North
			}
			return t.play(cmd.Context())
		},
	}
	limit.add(cmd, 64)
	rulesFlag(cmd, &rules)
	cmd.Flags().StringVar(&board, "position", "", "board to begin with (default the start)")
	cmd.Flags().StringVar(&side, "side", "south", "your side: south (moves first) or north")
	cmd.Flags().StringVar(&weights, "weights", "captures", "the engine's evaluation: captures, or a weights file")
	cmd.Flags().StringVar(&bookPath, "book", "", "opening book the engine plays from")
	return cmd
}

// table is a game between a person and the engine.
type table struct {
	game     *oware.Game
	you      oware.Side
	engine   *engine.Engine[oware.Position]
	searcher *search.Searcher[oware.Position]
	limits   search.Limits
	in       *bufio.Scanner
	out      io.Writer
}

func (t *table) play(ctx context.Context) error {
	fmt.Fprintln(t.out, t.game.Position().Diagram())
	for {
		if _, reason, over := t.game.Over(); over {
			south, north := t.game.Stores()
			fmt.Fprintf(t.out, "game over (%s): South %g, North %g\n", reason, south, north)
			return nil
		}
		var quit bool
		var err error
		if t.game.Position().ToMove() == t.you {
			quit, err = t.ask(ctx)
		} else {
			err = t.answer(ctx)
		}
		if quit || err != nil {
			return err
		}
	}
}

// ask reads one line from the person.
func (t *table) ask(ctx context.Context) (quit bool, err error) {
	letters := "A-F"
	if t.you == oware.North {
		letters = "a-f"
	}
	fmt.Fprintf(t.out, "your move (%s, undo, hint, quit): ", letters)
	line, ok := t.line(ctx)
	if !ok {
		fmt.Fprintln(t.out)
		return true, ctx.Err()
	}
	switch word := strings.TrimSpace(line); strings.ToLower(word) {
	case "":
	case "quit", "exit", "q":
		return true, nil
	case "undo":
		if t.game.Plies() < 2 {
			fmt.Fprintln(t.out, "nothing to take back")
			break
		}
		t.game.Undo()
		t.game.Undo()
		fmt.Fprintln(t.out, t.game.Position().Diagram())
	case "hint":
		r := t.search(ctx)
		fmt.Fprintf(t.out, "the engine would play %s\n", t.describe(r))
	default:
		t.move(word)
	}
	return false, nil
}

// line reads a line, or gives up when the context ends.
func (t *table) line(ctx context.Context) (string, bool) {
	read := make(chan bool, 1)
	go func() { read <- t.in.Scan() }()
	select {
	case ok := <-read:
		return t.in.Text(), ok
	case <-ctx.Done():
		return "", false
	}
}

// move plays what the person typed, in either case, or says what is wrong.
func (t *table) move(word string) {
	if t.you == oware.North {
		word = strings.ToLower(word)
	} else {
		word = strings.ToUpper(word)
	}
	if len(word) != 1 {
		fmt.Fprintf(t.out, "%q is no move: type the letter of a house\n", word)
		return
	}
	m, _, err := oware.ParseMove(word[0])
	if err == nil {
		err = t.game.Play(m)
	}
	if err != nil {
		fmt.Fprintln(t.out, err)
		return
	}
	fmt.Fprintln(t.out, t.game.Position().Diagram())
}

func (t *table) search(ctx context.Context) search.Result {
	return t.searcher.Search(ctx, t.game.Position(), t.game.History(), t.limits, search.Query{})
}

// answer plays the engine's move, from the book where it can.
func (t *table) answer(ctx context.Context) error {
	p := t.game.Position()
	m, found := t.engine.BookMove(t.game.Position(), t.game.History())
	says := oware.MoveName(m, p.ToMove()) + " (book)"
	if !found {
		r := t.search(ctx)
		if err := ctx.Err(); err != nil {
			return err
		}
		m, says = r.Best, t.describe(r)
	}
	if err := t.game.Play(m); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "engine: %s\n%s\n", says, t.game.Position().Diagram())
	return nil
}

func (t *table) describe(r search.Result) string {
	says := fmt.Sprintf("%s (depth %d, %+.2f seeds for it)", oware.MoveName(r.Best, t.game.Position().ToMove()), r.Depth, float64(r.Score)/100)
	if r.Proven {
		says = fmt.Sprintf("%s (depth %d, the result is certain: %s)", oware.MoveName(r.Best, t.game.Position().ToMove()), r.Depth, outcome(r.Score))
	}
	return says
}

func outcome(score int) string {
	switch {
	case score > 0:
		return "it wins"
	case score < 0:
		return "it loses"
	}
	return "a draw"
}
