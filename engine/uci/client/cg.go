package client

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"kroo/games"
)

// FirstTurn is the time of a program's first move of a game in the arena of CodinGame, MoveOfArena
// that of every other move.
const (
	FirstTurn   = time.Second
	MoveOfArena = 50 * time.Millisecond
)

// house asks a program of [CG] for a move. The program reads a line with the seeds of the twelve
// houses in the order of sowing, its own six first, and writes the number of one of its houses, 0 to
// 5 from its left. It is informed neither of captures nor of the other side's move.
func (c *Client[P]) house(ctx context.Context, l *games.Line[P], lim Limits) (a Answer, err error) {
	if lim.MoveTime <= 0 || lim.Depth != 0 || lim.Nodes != 0 || lim.Clock != nil {
		return a, errors.New("protocol=cg has no limit but the time per move: expected movetime alone")
	}
	allowed := lim.MoveTime
	if c.turns++; c.turns == 1 {
		allowed = max(allowed, FirstTurn)
	}
	p := l.Position()
	if early := c.earlyLine(); early != "" {
		return a, c.fail(fault(kindGarbage, "%s before its turn", quoted(early)))
	}
	begin := time.Now()
	if err := c.send(housesLine(c.game.Print(p), c.game.SideToMove(p))); err != nil {
		return a, err
	}
	timer := time.NewTimer(allowed + c.command.Margin)
	defer timer.Stop()
	line, why := c.process.next(ctx.Done(), timer.C)
	switch a.Time = time.Since(begin); why {
	case calledOff:
		return a, c.fail(ctx.Err())
	case timeUp:
		return a, c.fail(late(a.Time, allowed, c.command.Margin))
	case atEnd:
		return a, c.fail(c.process.death())
	}
	if a.Best, err = parseHouse(line); err != nil {
		return a, c.fail(err)
	}
	if !slices.Contains(p.AppendMoves(nil), a.Best) {
		return a, c.fail(fault(kindIllegal, "house %d in %s", a.Best, c.game.Print(p)))
	}
	return a, nil
}

// earlyLine returns a line that the program has written since its last move, or "".
func (c *Client[P]) earlyLine() string {
	p := c.process
	if len(p.pending) == 0 {
		select {
		case p.pending = <-p.lines:
		default:
		}
	}
	if len(p.pending) == 0 {
		return ""
	}
	return p.pending[0].Text
}

// parseHouse parses the program's answer. The error is a Fault.
func parseHouse(l Line) (games.Move, error) {
	if len(l.Text) != 1 || l.Text[0] < '0' || l.Text[0] > '5' {
		return 0, fault(kindGarbage, "%s: expected a house, 0 to 5", quoted(l.Text))
	}
	return games.Move(l.Text[0] - '0'), nil
}

// housesLine returns the program's input for a board of oware as printed by games/oware: houses A to
// F, a to f, stores, side to move.
func housesLine(board string, side int) string {
	houses := strings.Split(board, "-")[:12]
	if side == 1 {
		houses = append(houses[6:12:12], houses[:6]...)
	}
	return strings.Join(houses, " ") + "\n"
}
