package client

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"kroo/engine/search"
	"kroo/games"
	"kroo/games/othello"
)

// deepestOfAll is the depth for a program that a clock alone limits: a game is shorter.
const deepestOfAll = 60

// nboardHandshake says that the protocol is NBoard, and waits for the program.
func (c *Client[P]) nboardHandshake(ctx context.Context) error {
	if err := c.send("nboard 2\n"); err != nil {
		return err
	}
	return c.ping(ctx)
}

// ping waits until the program has done what it was told.
func (c *Client[P]) ping(ctx context.Context) error {
	c.asked++
	if err := c.send(fmt.Sprintf("ping %d\n", c.asked)); err != nil {
		return err
	}
	for {
		rest, err := c.await(ctx, "pong", c.command.StartUp, c.overlook)
		if err != nil || rest == strconv.Itoa(c.asked) {
			return err
		}
	}
}

// overlook takes in the program's name, and passes over what is of the protocol, and over a
// few other lines.
func (c *Client[P]) overlook(l line) *misdeed {
	word, rest := cutWord(l.text)
	switch word {
	case "set":
		if what, name := cutWord(rest); what == "myname" && l.readable() {
			c.name = name
		}
		return nil
	case "status", "search", "book", "nodestats", "learn", "learned", "pong", "===":
		if l.readable() && !l.tooLong {
			return nil
		}
	}
	return c.ignore(l)
}

// put asks a program that speaks NBoard for a move: it is limited by a depth, or by the
// time that is left of a clock.
func (c *Client[P]) put(ctx context.Context, l *games.Line[P], lim Limits) (a Answer, err error) {
	game, ok := any(l).(*games.Line[othello.Position])
	if !ok || lim.Nodes != 0 || lim.MoveTime != 0 || lim.Depth == 0 && lim.Clock == nil {
		return a, errors.New("a program of protocol=nboard plays othello, to a depth or by a clock: expected these alone")
	}
	seconds, depth := 0, lim.Depth
	if depth == 0 {
		depth = deepestOfAll
	}
	if lim.Clock != nil {
		seconds = wholeSeconds(lim.Clock.Left[c.game.SideToMove(l.Position())])
	}
	if err := c.send(fmt.Sprintf("set depth %d\nset game %s\n", depth, othello.WriteGGF(game, seconds))); err != nil {
		return a, err
	}
	if err := c.ping(ctx); err != nil {
		return a, err
	}
	begin := time.Now()
	if err := c.send("go\n"); err != nil {
		return a, err
	}
	rest, err := c.await(ctx, "===", c.command.Hang, func(l line) *misdeed {
		a.noteNBoard(l.text)
		return c.overlook(l)
	})
	a.Time = time.Since(begin)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return a, late(a.Time, 0, 0)
	case err != nil:
		return a, err
	}
	if err := parsePut(&a, c.game, l.Position(), rest); err != nil {
		return a, c.fail(err)
	}
	return a, nil
}

// parsePut reads what follows ===: a move, its value in discs and seconds, with slashes or
// blanks between them. Only the move has to be there. The error is a Fault.
func parsePut[P games.Position[P]](a *Answer, g *games.Game[P], p P, text string) (err error) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '/' || r == ' ' || r == '\t' })
	if len(parts) == 0 {
		return fault(kindGarbage, "=== without a move")
	}
	if strings.EqualFold(parts[0], "pa") {
		parts[0] = "pass"
	}
	if a.Move, err = legalMove(g, p, parts[0]); err != nil {
		return err
	}
	if len(parts) > 1 && !strings.Contains(text, "//") {
		a.scoreDiscs(parts[1])
	}
	return nil
}

// legalMove is a move as a program names it, in capitals or not. The error is a Fault.
func legalMove[P games.Position[P]](g *games.Game[P], p P, text string) (games.Move, error) {
	name := strings.ToLower(text)
	m, err := g.ParseMove(p, name)
	if err != nil {
		return 0, fault(kindGarbage, "%s for a move: expected %s", quoted(text), g.MoveText)
	}
	if !slices.Contains(p.AppendMoves(nil), m) {
		return 0, fault(kindIllegal, "move %s in %s", name, g.Print(p))
	}
	return m, nil
}

// noteNBoard takes the nodes out of a nodestats line, and depth and value out of those of
// the search. What cannot be read is left out.
func (a *Answer) noteNBoard(text string) {
	words := strings.Fields(text)
	switch {
	case len(words) >= 2 && words[0] == "nodestats":
		if n, err := strconv.ParseFloat(words[1], 64); err == nil && n >= 0 && n < 1<<62 {
			a.Nodes = int64(n)
		}
	case len(words) >= 5 && (words[0] == "search" || words[0] == "book"):
		digits := strings.IndexFunc(words[4]+" ", func(r rune) bool { return r < '0' || r > '9' })
		if n, err := strconv.Atoi(words[4][:digits]); err == nil && !strings.Contains(words[4], "%") {
			a.Depth = min(n, search.MaxPly)
		}
		a.saysBook = words[0] == "book"
		a.scoreDiscs(words[2])
	}
}

// scoreDiscs takes a value in discs for the side to move.
func (a *Answer) scoreDiscs(text string) {
	text, _, _ = strings.Cut(text, ",")
	if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(v) {
		v = min(max(v*100, -search.MaxHeuristic), search.MaxHeuristic)
		a.Score, a.Scored = int(math.Round(v)), true
	}
}
