package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kroo/games"
)

// gtpHandshake makes sure that the program answers as GTP has it, and plays on eight rows.
func (c *Client[P]) gtpHandshake(ctx context.Context) error {
	name, named, err := c.ask(ctx, c.command.StartUp, "name")
	if err != nil {
		return err
	}
	if named {
		c.name = name
	}
	if err := c.tellGTP(ctx, "boardsize 8"); err != nil {
		return err
	}
	return c.clearBoard(ctx)
}

// ask sends a command of GTP and waits for its answer; ok tells that it was obeyed.
func (c *Client[P]) ask(ctx context.Context, limit time.Duration, command string) (answer string, ok bool, err error) {
	c.asked++
	if err := c.send(fmt.Sprintf("%d %s\n", c.asked, command)); err != nil {
		return "", false, err
	}
	good, bad := fmt.Sprintf("=%d", c.asked), fmt.Sprintf("?%d", c.asked)
	word, answer, err := c.awaitOne(ctx, []string{good, bad, "=", "?"}, limit, c.ignore) // some leave the number out
	return answer, strings.HasPrefix(word, "="), err
}

// tellGTP is [Client.ask] for a command that has to be obeyed.
func (c *Client[P]) tellGTP(ctx context.Context, command string) error {
	answer, ok, err := c.ask(ctx, c.command.StartUp, command)
	if err == nil && !ok {
		err = c.fail(fault(kindGarbage, "refuses %s: %s", command, quoted(answer)))
	}
	return err
}

// Knows tells whether a program that speaks [GTP] has a command.
func (c *Client[P]) Knows(ctx context.Context, command string) (bool, error) {
	answer, ok, err := c.ask(ctx, c.command.StartUp, "known_command "+command)
	return ok && answer == "true", err
}

// gtpSides are GTP's names of the sides, the first to move first.
var gtpSides = [2]string{"black", "white"}

// genmove asks a program that speaks GTP for a move: a clock alone limits it, or what it is
// started with. It is not asked for a pass that is forced, and need not take one: some
// programs pass by themselves.
func (c *Client[P]) genmove(ctx context.Context, l *games.Line[P], lim Limits) (a Answer, err error) {
	if lim.Nodes != 0 || lim.MoveTime != 0 || lim.Depth != 0 {
		return a, errors.New("a program of protocol=gtp is told of a clock alone: expected no other limit")
	}
	if m, forced := c.game.LeftOut(l.Position()); forced {
		return Answer{Move: m}, nil
	}
	begin := time.Now()
	a.Move, err = c.think(ctx, l, lim.Clock)
	if a.Time = time.Since(begin); errors.Is(err, context.DeadlineExceeded) {
		err = late(a.Time, 0, 0)
	}
	return a, err
}

// think brings the program to where a game is, and asks it for its move.
func (c *Client[P]) think(ctx context.Context, l *games.Line[P], clock *Clock) (m games.Move, err error) {
	if err := c.follow(ctx, l, clock); err != nil {
		return 0, err
	}
	side := c.game.SideToMove(l.Position())
	if clock != nil {
		if err := c.tellGTP(ctx, fmt.Sprintf("time_left %s %d 0", gtpSides[side], wholeSeconds(clock.Left[side]))); err != nil {
			return 0, err
		}
	}
	text, ok, err := c.ask(ctx, c.command.Hang, "genmove "+gtpSides[side])
	switch {
	case err != nil:
		return 0, err
	case !ok:
		return 0, c.fail(fault(kindGarbage, "refuses genmove: %s", quoted(text)))
	case strings.EqualFold(text, "resign"):
		return 0, c.fail(fault(kindIllegal, "it resigns"))
	}
	if m, err = legalMove(c.game, l.Position(), text); err != nil {
		return 0, c.fail(err)
	}
	c.made = append(c.made, m)
	return m, nil
}

// follow brings the program to where a game is: by the moves that it has not made yet, or
// by a new game.
func (c *Client[P]) follow(ctx context.Context, l *games.Line[P], clock *Clock) error {
	moves, at := l.Moves(), append(l.History(), l.Position())
	if first, err := c.game.Start(c.game.RulesOf(at[0])); err != nil || first != at[0] {
		return errors.New("a game from a board: a program of protocol=gtp knows those from the start alone")
	}
	if n := len(c.made); n > len(moves) || !slices.Equal(c.made, moves[:n]) {
		if err := c.clearBoard(ctx); err != nil {
			return err
		}
	}
	if clock != nil && !c.clocked {
		if err := c.tellGTP(ctx, fmt.Sprintf("time_settings %d 0 0", wholeSeconds(max(clock.Left[0], clock.Left[1])))); err != nil {
			return err
		}
		c.clocked = true
	}
	for i := len(c.made); i < len(moves); i++ {
		name := strings.ToUpper(c.game.MoveName(at[i], moves[i]))
		command := fmt.Sprintf("play %s %s", gtpSides[c.game.SideToMove(at[i])], name)
		answer, ok, err := c.ask(ctx, c.command.StartUp, command)
		if err != nil {
			return err
		}
		if _, pass := c.game.LeftOut(at[i]); !ok && !pass {
			return c.fail(fault(kindGarbage, "refuses %s: %s", command, quoted(answer)))
		}
		c.made = append(c.made, moves[i])
	}
	return nil
}

// clearBoard begins a game.
func (c *Client[P]) clearBoard(ctx context.Context) error {
	c.made, c.clocked = nil, false
	return c.tellGTP(ctx, "clear_board")
}

// wholeSeconds are those of a clock: a second at least, since none is no time at all.
func wholeSeconds(left time.Duration) int { return max(1, int(left/time.Second)) }
