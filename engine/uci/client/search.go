package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kroo/engine/search"
	"kroo/games"
)

// Limits bound a search. At least one must be set.
type Limits struct {
	Depth    int           // in plies; 0 means no limit
	Nodes    int64         // positions visited; 0 means no limit
	MoveTime time.Duration // for the move, sent in whole milliseconds; 0 means no limit
	Clock    *Clock        // of the game; may be nil
}

// Clock is the time left and the increment per move, by side in the game's order.
type Clock struct {
	Left, Inc [2]time.Duration
	MovesToGo int // of the side to move, until it gets more time; 0: the rest of the game
}

// Answer is the result of a program's search, as the program reports it except for the move and the
// time. A score may be beyond those of searches, and is never proven. Time is measured here, to
// bestmove; from readyok if time limits the search. PV goes as far as its moves are valid: it starts
// with Best, or is empty.
type Answer struct {
	search.Result
	Scored bool // a score was reported

	pv       string // text of the moves
	bound    bool   // the score is a bound
	saysBook bool   // an info string mentions a book
}

// Book reports whether the program marks the move as from a book and reported no search.
func (a Answer) Book() bool { return a.saysBook && a.Depth == 0 }

// Search asks for a move in a game that is not over. When the context ends before the answer, the
// program is asked to stop, and killed if it does not, a protocolFault of kind hung. Else the error is the
// context's or, if the context had a deadline, which is a clock's, one of kind late. info, if
// not nil, is called for every iteration with the last report for its depth.
//
// All commands are sent in one write, so a search takes one round trip. Output before readyok
// belongs to an earlier search and is ignored.
func (c *Client[P]) Search(ctx context.Context, l *games.Line[P], lim Limits, info func(Answer)) (Answer, error) {
	if err := c.Run(ctx); err != nil {
		return Answer{}, err
	}
	if c.command.Protocol == CG {
		return c.house(ctx, l, lim)
	}
	order, err := lim.order()
	if err != nil {
		return Answer{}, err
	}
	begin, err := c.startSearch(ctx, l, lim, order)
	if err != nil {
		return Answer{}, err
	}
	t := iterations[P]{client: c, start: l.Position(), info: info}
	move, err := c.answer(ctx, lim, begin, t.read)
	if err != nil {
		return Answer{}, err
	}
	found := t.current
	found.Time = time.Since(begin)
	if lim.MoveTime > 0 && found.Time > lim.MoveTime+c.command.Margin {
		return Answer{}, c.fail(late(found.Time, lim.MoveTime, c.command.Margin))
	}
	found.Best, err = parseBestMove(c.game, t.start, move)
	if err != nil {
		return Answer{}, c.fail(err)
	}
	found.PV = c.lineOf(t.start, found.pv)
	if len(found.PV) > 0 && found.PV[0] != found.Best {
		found.PV = nil
	}
	t.report()
	found.Steady = t.steady.Mean(found.Score)
	c.command.Watch.add(c.shortName(), lim, found)
	return found, nil
}

// startSearch orders a search and returns its start: if time limits it, when the program is ready.
func (c *Client[P]) startSearch(ctx context.Context, l *games.Line[P], lim Limits, order string) (time.Time, error) {
	forget := ""
	if c.fresh {
		forget = "ucinewgame\n"
		c.fresh = false
	}
	begin := time.Now()
	if err := c.send(forget + positionCommand(c.game, l) + "isready\n" + order); err != nil {
		return begin, err
	}
	if _, err := c.await(ctx, "readyok", c.command.StartUp, c.ignore); err != nil {
		return begin, err
	}
	if lim.MoveTime > 0 || lim.Clock != nil {
		begin = time.Now()
	}
	return begin, nil
}

// iterations follows the info lines of a search.
type iterations[P games.Position[P]] struct {
	client  *Client[P]
	start   P
	info    func(Answer)  // called for every iteration; may be nil
	current Answer        // after the last line
	last    Answer        // after the last line with a score
	steady  search.Steady // of the iterations reported
}

// read reads a line. The first score of a greater depth ends an iteration.
func (t *iterations[P]) read(l Line) {
	if !t.current.note(l.Text, t.client.scale()) {
		return
	}
	if t.current.Depth > t.last.Depth {
		t.report()
	}
	t.last = t.current
}

// report reports the iteration of the last score.
func (t *iterations[P]) report() {
	if !t.last.Scored {
		return
	}
	t.steady.Add(t.last.Score)
	if t.info == nil {
		return
	}
	a := t.last
	a.Steady = t.steady.Mean(a.Score)
	a.PV = t.client.lineOf(t.start, a.pv)
	if len(a.PV) > 0 {
		a.Best = a.PV[0]
	}
	t.info(a)
}

// lineOf returns the moves at the start of a text, as far as they are valid.
func (c *Client[P]) lineOf(p P, text string) []games.Move {
	l := c.game.NewLine(p)
	_ = l.PlayText(text)
	return l.Moves()
}

// answer waits for the bestmove. A program over its time is asked to stop, to distinguish late from
// hung ones.
func (c *Client[P]) answer(ctx context.Context, lim Limits, begin time.Time, note func(Line)) (string, error) {
	see := func(l Line) *protocolFault {
		note(l)
		return c.ignore(l)
	}
	allowed := c.command.Hang
	switch {
	case lim.MoveTime > 0:
		allowed = lim.MoveTime + c.command.Margin
	case lim.Clock != nil:
		allowed = longestWait // the context ends when the flag falls
	}
	text, why, err := c.listen(ctx, "bestmove", allowed, see)
	if err != nil || why == aLine {
		return text, err
	}
	if err := c.send("stop\n"); err != nil {
		return "", err
	}
	if ctx.Err() == nil {
		c.command.Watch.addEndless(c.shortName(), lim)
	}
	_, err = c.await(context.Background(), "bestmove", c.process.grace, see)
	if err != nil {
		if f, hung := errors.AsType[*protocolFault](err); hung && f.Kind == kindHung {
			f.Detail = fmt.Sprintf("no bestmove within %s, nor after stop%s",
				time.Since(begin).Round(time.Millisecond), lim.advice())
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

func late(took, allowed, margin time.Duration) *protocolFault {
	took = took.Round(time.Millisecond)
	if allowed <= 0 {
		return fault(kindLate, "%s for a move", took)
	}
	return fault(kindLate, "%s for a move of %s, margin %s", took, allowed, margin)
}

// positionCommand returns the position with all moves of the game, so that the program can detect
// repetitions.
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

// order returns the go command. The side that moves first is white.
func (l Limits) order() (string, error) {
	var b strings.Builder
	b.WriteString("go")
	if l.Clock != nil {
		left, inc := l.Clock.Left, l.Clock.Inc
		fmt.Fprintf(&b, " wtime %d btime %d winc %d binc %d",
			left[0].Milliseconds(), left[1].Milliseconds(), inc[0].Milliseconds(), inc[1].Milliseconds())
		if l.Clock.MovesToGo > 0 {
			fmt.Fprintf(&b, " movestogo %d", l.Clock.MovesToGo)
		}
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

// kind is a kind of protocolFault.
type kind string

// The kinds of faults.
const (
	kindCrashed kind = "crashed"                  // ended with an error, or closed its output
	kindEnded   kind = "ended before it answered" // without an error
	kindHung    kind = "hung"                     // did not answer
	kindLate    kind = "late"                     // answered after the time of the move
	kindIllegal kind = "illegal"                  // played an illegal move
	kindGarbage kind = "garbage"                  // wrote something outside the protocol
)

// protocolFault is a fault of a program, which has been ended.
type protocolFault struct {
	Kind   kind
	Detail string // one line
}

// Error returns the kind and the detail.
func (f *protocolFault) Error() string { return string(f.Kind) + ": " + f.Detail }

// ErrNoMove is the fault of a program that claims there is no legal move.
var ErrNoMove error = fault(kindIllegal, "no move where there is one")

func fault(k kind, format string, args ...any) *protocolFault {
	return &protocolFault{k, fmt.Sprintf(format, args...)}
}

// FirstTurn is the time of a program's first move of a game in the arena of CodinGame, MoveOfArena
// the time of every other move.
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
	c.turns++
	if c.turns == 1 {
		allowed = max(allowed, FirstTurn)
	}
	p := l.Position()
	if early := c.earlyLine(); early != "" {
		return a, c.fail(fault(kindGarbage, "%s before its turn", quoteStart(early)))
	}
	begin := time.Now()
	if err := c.send(housesLine(c.game.Print(p), c.game.SideToMove(p))); err != nil {
		return a, err
	}
	timer := time.NewTimer(allowed + c.command.Margin)
	defer timer.Stop()
	line, why := c.process.next(ctx.Done(), timer.C)
	a.Time = time.Since(begin)
	switch why {
	case calledOff:
		return a, c.fail(ctx.Err())
	case timeUp:
		return a, c.fail(late(a.Time, allowed, c.command.Margin))
	case atEnd:
		return a, c.fail(c.process.death())
	}
	a.Best, err = parseHouse(line)
	if err != nil {
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

// parseHouse parses the program's answer. The error is a protocolFault.
func parseHouse(l Line) (games.Move, error) {
	if len(l.Text) != 1 || l.Text[0] < '0' || l.Text[0] > '5' {
		return 0, fault(kindGarbage, "%s: expected a house, 0 to 5", quoteStart(l.Text))
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
