package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/play"
)

// playFlags are those of the command play.
type playFlags struct {
	limit                                            searchFlags
	game, rules, board, side, weights, book, variety string
	policy                                           engine.BookPolicy
}

func playCommand() *cobra.Command {
	var f playFlags
	cmd := &cobra.Command{
		Use:   "play",
		Short: "play against the engine in the terminal",
		Long: `You play one side, the engine the other. Type the name of a move, in oware the
letter of the house to sow: A-F for South, a-f for North. "undo" takes back your
last move, "hint" shows what the engine would play, "resign" gives up, "quit"
ends.`,
		Example: "  train play\n  train play --side north --weights runs/quick/weights.json --movetime 2s\n  train play --game tictactoe",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return inGame(f.game, perGame[func() error]{
				oware:     func() error { return playWith(cmd, engine.Oware(), f) },
				tictactoe: func() error { return playWith(cmd, engine.TicTacToe(), f) },
			})
		},
	}
	f.limit.add(cmd, 64)
	gameFlag(cmd, &f.game)
	gameRulesFlag(cmd, &f.rules)
	weightsFlag(cmd, &f.weights)
	cmd.Flags().StringVar(&f.board, "position", "", "board to begin with (default the start)")
	cmd.Flags().StringVar(&f.side, "side", "", "your side by its name, such as south or north (default the side that moves first)")
	bookFlag(cmd, &f.book)
	cmd.Flags().IntVar(&f.policy.Margin, "book-margin", 0, "points that a move of the book may be worse than its best: 42 are a seed of oware")
	cmd.Flags().StringVar(&f.variety, "book-variety", string(engine.Even), "how a move within the margin is drawn: "+strings.Join(engine.Varieties(), ", "))
	return cmd
}

// playWith plays a game in the terminal.
func playWith[P search.Position[P]](cmd *cobra.Command, k engine.Kit[P], f playFlags) error {
	person, err := sideOf(k.Game.Info, f.side)
	if err != nil {
		return err
	}
	rules, err := rulesOf(k.Game.Info, f.rules)
	if err != nil {
		return err
	}
	start, err := positionOf(k.Game, rules, f.board)
	if err != nil {
		return err
	}
	limits, err := f.limit.config(engine.Config{MoveTime: engine.Duration{Duration: time.Second}})
	if err != nil {
		return err
	}
	f.policy.Variety = engine.Variety(f.variety)
	if err := f.policy.Check(); err != nil {
		return usageError{err}
	}
	e, err := engine.Open(k, f.weights, f.book, limits, rules)
	if err != nil {
		return err
	}
	defer e.Close()
	e.Policy = f.policy
	if err := limits.CheckMemory(1); err != nil {
		return err
	}
	t := &terminal[P]{
		description: k.Game, game: play.New(e, start, person),
		in: bufio.NewScanner(cmd.InOrStdin()), out: cmd.OutOrStdout(),
	}
	return t.play(cmd.Context())
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

// terminal shows a game and reads what the person types.
type terminal[P search.Position[P]] struct {
	description *games.Game[P]
	game        *play.Game[P]
	in          *bufio.Scanner
	out         io.Writer
}

func (t *terminal[P]) play(ctx context.Context) error {
	t.draw()
	for {
		s := t.game.State()
		if s.Over {
			fmt.Fprintf(t.out, "game over (%s): %s\n", s.Reason, s.Outcome)
			return nil
		}
		if !s.PersonToMove() {
			thought, err := t.game.Answer(ctx)
			if err != nil {
				return err
			}
			fmt.Fprintf(t.out, "engine: %s\n", t.describe(thought))
			t.draw()
			continue
		}
		fmt.Fprintf(t.out, "your move (%s, undo, hint, resign, quit): ", strings.Join(s.Legal, " "))
		line, ok := t.line(ctx)
		if !ok {
			fmt.Fprintln(t.out)
			return cmp.Or(ctx.Err(), t.in.Err())
		}
		if quit, err := t.command(ctx, strings.TrimSpace(line)); quit || err != nil {
			return err
		}
	}
}

// command does what the person typed, or says what is wrong with it.
func (t *terminal[P]) command(ctx context.Context, line string) (quit bool, err error) {
	switch strings.ToLower(line) {
	case "":
		return false, nil
	case "quit", "exit", "q":
		return true, nil
	case "resign":
		return false, t.game.Resign()
	case "hint":
		thought, err := t.game.Hint(ctx)
		if err == nil {
			fmt.Fprintf(t.out, "the engine would play %s\n", t.describe(thought))
		}
		return false, err
	case "undo":
		err = t.game.Undo()
	default:
		err = t.game.Move(line)
	}
	if err != nil {
		fmt.Fprintln(t.out, strings.TrimPrefix(err.Error(), "play: "))
		return false, nil
	}
	t.draw()
	return false, nil
}

func (t *terminal[P]) draw() {
	fmt.Fprintln(t.out, t.description.Diagram(t.game.State().Position))
}

// line reads a line, or gives up when the context ends.
func (t *terminal[P]) line(ctx context.Context) (string, bool) {
	read := make(chan bool, 1)
	go func() { read <- t.in.Scan() }()
	select {
	case ok := <-read:
		return t.in.Text(), ok
	case <-ctx.Done():
		return "", false
	}
}

// describe tells a move of the engine and why it is played.
func (t *terminal[P]) describe(m play.Thought) string {
	switch {
	case m.Book:
		return m.Name + " (book)"
	case m.Proven:
		return fmt.Sprintf("%s (depth %d, the result is certain: %s)", m.Name, m.Depth, outcome(m.Score))
	}
	return fmt.Sprintf("%s (depth %d, %+.2f %ss for it)", m.Name, m.Depth, float64(m.Score)/100, t.description.Unit)
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
