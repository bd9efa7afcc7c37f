package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"kroo/games"
)

// Limits bound a search. At least one of them must be set.
type Limits struct {
	Depth    int           // plies, 0 for no limit
	Nodes    int64         // positions, 0 for no limit
	MoveTime time.Duration // for the move, 0 for no limit; it is sent in whole milliseconds
	Clock    *Clock        // of the game, nil if it has none
}

// Clock is the time that the sides have left and what each move adds, in the
// order of the game's sides.
type Clock struct{ Left, Inc [2]time.Duration }

// Answer is what a program found. All but the move is its own word for it.
type Answer struct {
	Move   games.Move
	Score  int           // for the side to move, in hundredths of the game's unit
	Depth  int           // plies
	Nodes  int64         // positions visited
	Time   time.Duration // measured here, to bestmove: from readyok where time limits the search
	Scored bool          // it has reported a score
	Scores []int         // the last one of each depth that it reported
	PV     []games.Move  // as far as it can be read: it begins with Move, or is empty

	pv       string // text of the moves
	bound    bool   // the score is a bound
	saysBook bool   // an info string speaks of a book
}

// Book reports whether the program says that the move is from a book, and reported
// no search.
func (a Answer) Book() bool { return a.saysBook && a.Depth == 0 }

// Search asks for a move in a game that is not over. When the context is done
// before the answer is there the program is told to stop, and ended if it does
// not: the error is then the context's, or a Fault that says Late if the
// context had a deadline, since that is a clock's. info, if it is not nil, is called for every
// iteration with what the program reported last for the depth.
//
// All commands go in one write, and a search takes one way there and back. What the program
// says before its readyok is about an earlier one.
func (c *Client[P]) Search(ctx context.Context, l *games.Line[P], lim Limits, info func(Answer)) (Answer, error) {
	if c.command.Protocol == CG {
		return c.house(ctx, l, lim)
	}
	order, err := lim.order()
	if err != nil {
		return Answer{}, err
	}
	forget := ""
	if c.fresh {
		forget, c.fresh = "ucinewgame\n", false
	}
	p, begin := l.Position(), time.Now()
	if err := c.send(forget + positionCommand(c.game, l) + "isready\n" + order); err != nil {
		return Answer{}, err
	}
	if _, err := c.await(ctx, "readyok", c.command.StartUp, c.ignore); err != nil {
		return Answer{}, err
	}
	if lim.MoveTime > 0 || lim.Clock != nil {
		begin = time.Now()
	}
	var found, last Answer // last as of the last score
	var scores []int
	tell := func() {
		if !last.Scored {
			return
		}
		scores = append(scores, last.Score)
		if info == nil {
			return
		}
		last.Scores = scores
		if last.PV = c.lineOf(p, last.pv); len(last.PV) > 0 {
			last.Move = last.PV[0]
		}
		info(last)
	}
	move, err := c.answer(ctx, lim, begin, func(l line) {
		if !found.note(l.text, c.scale()) {
			return
		}
		if found.Depth > last.Depth {
			tell()
		}
		last = found
	})
	if err != nil {
		return Answer{}, err
	}
	found.Time = time.Since(begin)
	if lim.MoveTime > 0 && found.Time > lim.MoveTime+c.command.Margin {
		return Answer{}, c.fail(late(found.Time, lim.MoveTime, c.command.Margin))
	}
	if found.Move, err = parseBestMove(c.game, p, move); err != nil {
		return Answer{}, c.fail(err)
	}
	if found.PV = c.lineOf(p, found.pv); len(found.PV) > 0 && found.PV[0] != found.Move {
		found.PV = nil
	}
	tell()
	found.Scores = scores
	c.command.Watch.add(c.shortName(), lim, found)
	return found, nil
}

// lineOf are the moves that a text begins with, as far as they can be read.
func (c *Client[P]) lineOf(p P, text string) []games.Move {
	l := c.game.NewLine(p)
	_ = l.PlayText(text)
	return l.Moves()
}

// answer waits for the bestmove. A program over its time is stopped, to tell
// one that is late from one that hangs.
func (c *Client[P]) answer(ctx context.Context, lim Limits, begin time.Time, note func(line)) (string, error) {
	see := func(l line) *misdeed {
		note(l)
		return c.ignore(l)
	}
	allowed := c.command.Hang
	if lim.MoveTime > 0 {
		allowed = lim.MoveTime + c.command.Margin
	}
	inner, cancel := context.WithTimeout(context.Background(), allowed)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	text, more, err := c.listen(inner, see)
	if err != nil || !more {
		return text, err
	}
	if err := c.send("stop\n"); err != nil {
		return "", err
	}
	if ctx.Err() == nil {
		c.command.Watch.addEndless(c.shortName(), lim)
	}
	if _, err := c.await(context.Background(), "bestmove", c.process.grace, see); err != nil {
		if f, hung := errors.AsType[*misdeed](err); hung && f.Kind == kindHung {
			f.Detail = fmt.Sprintf("no bestmove within %s, nor after stop%s", time.Since(begin).Round(time.Millisecond), lim.advice())
		}
		return "", err
	}
	if err := ctx.Err(); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return "", c.fail(err)
	}
	overdue := late(time.Since(begin), lim.MoveTime, c.command.Margin)
	overdue.Detail += lim.advice()
	return "", c.fail(overdue)
}

// listen takes lines until a bestmove; more is true if the time ran out first.
func (c *Client[P]) listen(ctx context.Context, see func(line) *misdeed) (text string, more bool, err error) {
	c.foreign = 0
	for {
		l, why := c.process.next(ctx.Done(), nil)
		switch why {
		case calledOff:
			return "", true, nil
		case atEnd:
			return "", false, c.fail(c.process.death())
		}
		c.said.add("", l.text)
		if word, rest := cutWord(l.text); word == "bestmove" && !l.tooLong {
			return rest, false, nil
		}
		if f := see(l); f != nil {
			return "", false, c.fail(f)
		}
	}
}

func late(took, allowed, margin time.Duration) *misdeed {
	took = took.Round(time.Millisecond)
	if allowed <= 0 {
		return fault(kindLate, "%s for a move", took)
	}
	return fault(kindLate, "%s for a move of %s, margin %s", took, allowed, margin)
}

// positionCommand sets up the line of play with its moves, so that the program
// knows what would be a repetition.
func positionCommand[P games.Position[P]](g *games.Game[P], l *games.Line[P]) string {
	start := l.Start()
	text := "position fen " + g.Print(start)
	if initial, err := g.Start(g.RulesOf(start)); err == nil && start == initial {
		text = "position startpos"
	}
	if l.Plies() > 0 {
		text += " moves " + l.Text()
	}
	return text + "\n"
}

// order is the go command. The side that moves first is white.
func (l Limits) order() (string, error) {
	var b strings.Builder
	b.WriteString("go")
	if l.Clock != nil {
		left, inc := l.Clock.Left, l.Clock.Inc
		fmt.Fprintf(&b, " wtime %d btime %d winc %d binc %d",
			left[0].Milliseconds(), left[1].Milliseconds(), inc[0].Milliseconds(), inc[1].Milliseconds())
	}
	if l.Depth > 0 {
		fmt.Fprintf(&b, " depth %d", l.Depth)
	}
	if l.Nodes > 0 {
		fmt.Fprintf(&b, " nodes %d", l.Nodes)
	}
	if l.MoveTime > 0 {
		fmt.Fprintf(&b, " movetime %d", max(1, l.MoveTime.Milliseconds()))
	}
	if b.Len() == len("go") {
		return "", errors.New("a search without a limit: expected depth, nodes, a time or a clock")
	}
	b.WriteByte('\n')
	return b.String(), nil
}

// kind is a kind of Fault.
type kind string

// The kinds of faults.
const (
	kindCrashed kind = "crashed" // it ended, or closed its output
	kindHung    kind = "hung"    // it did not answer at all
	kindLate    kind = "late"    // it answered after the time of the move
	kindIllegal kind = "illegal" // its move is not legal
	kindGarbage kind = "garbage" // it wrote what is not the protocol
)

// misdeed is what a program did wrong. The program has been ended.
type misdeed struct {
	Kind   kind
	Detail string // one line
}

// Error is the kind and the detail.
func (f *misdeed) Error() string { return string(f.Kind) + ": " + f.Detail }

// ErrNoMove is the fault of a program that says that there is no move.
var ErrNoMove error = fault(kindIllegal, "no move where there is one")

func fault(k kind, format string, args ...any) *misdeed {
	return &misdeed{k, fmt.Sprintf(format, args...)}
}
