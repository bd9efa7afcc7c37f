package farm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/wire"
)

// codec writes jobs and their answers as bytes, for workers on other machines, and
// reads them back. It trusts neither end: what it decodes is a position of the game
// and the result of a search that can be.
//
// A job is its board as text, the question, and the limits; a result is flags, score,
// depth, nodes, and the lines. Numbers are varints. The clock of a search does not
// travel: Result.Time is zero, so that equal searches have equal bytes.
type codec[P search.Position[P]] struct {
	Game  *games.Game[P]
	Rules string // of the positions
}

// Bounds of what is decoded.
const (
	maxBoard    = 256     // bytes of a board's text
	maxNodes    = 1 << 50 // positions visited
	maxDuration = 30 * 24 * time.Hour
	slackNodes  = 1 << 16 // positions that a search may visit beyond its limit: threads look at it now and then
)

// The flags of jobs and results.
const flagAllMoves = 1

const (
	flagTerminal = 1 << iota
	flagProven
	flagStopped
)

// appendJob appends a job.
func (c codec[P]) appendJob(b []byte, j engine.Job[P]) []byte {
	b = wire.AppendBytes(b, c.Game.Print(j.Position))
	var flags byte
	if j.AllMoves {
		flags |= flagAllMoves
	}
	b = append(b, flags)
	l := j.Limits
	for _, v := range []int64{int64(l.Depth), l.Nodes, int64(l.Time), int64(l.Soft), int64(l.Mate)} {
		b = binary.AppendUvarint(b, uint64(max(v, 0)))
	}
	return b
}

// decodeJob reads a job. It refuses one that nothing limits.
func (c codec[P]) decodeJob(b []byte) (j engine.Job[P], err error) {
	r := wire.NewReader(b)
	board := string(r.Bytes(maxBoard))
	flags := r.Flags(flagAllMoves)
	j.AllMoves = flags&flagAllMoves != 0
	j.Limits = search.Limits{
		Depth: int(r.Number(search.MaxPly)), Nodes: int64(r.Number(maxNodes)), Time: time.Duration(r.Number(uint64(maxDuration))),
		Soft: time.Duration(r.Number(uint64(maxDuration))), Mate: int(r.Number(search.MaxPly)),
	}
	if err := r.End(); err != nil {
		return engine.Job[P]{}, fmt.Errorf("a job: %w", err)
	}
	if j.Position, err = c.Game.Parse(c.Rules, board); err != nil {
		return engine.Job[P]{}, fmt.Errorf("a job: %w", err)
	}
	if l := j.Limits; l.Depth == 0 && l.Nodes == 0 && l.Time == 0 && l.Mate == 0 {
		return engine.Job[P]{}, errors.New("a job: no limit: expected a depth, nodes or a time")
	}
	return j, nil
}

// appendResult appends the result of a search. Best, Score and PV are those of the
// first line, if there is one.
func (c codec[P]) appendResult(b []byte, s search.Result) []byte {
	var flags byte
	for _, f := range []struct {
		set  bool
		flag byte
	}{{s.Terminal, flagTerminal}, {s.Proven, flagProven}, {s.Stopped, flagStopped}} {
		if f.set {
			flags |= f.flag
		}
	}
	b = append(b, flags)
	b = binary.AppendVarint(b, int64(s.Score))
	b = binary.AppendVarint(b, int64(s.Steady))
	b = binary.AppendUvarint(b, uint64(s.Depth))
	b = binary.AppendUvarint(b, uint64(s.Nodes))
	b = binary.AppendUvarint(b, uint64(len(s.Lines)))
	for _, l := range s.Lines {
		exact := byte(0)
		if l.Exact {
			exact = 1
		}
		b = append(b, exact)
		b = binary.AppendVarint(b, int64(l.Score))
		b = binary.AppendUvarint(b, uint64(len(l.PV)))
		for _, m := range l.PV {
			b = binary.AppendUvarint(b, uint64(m))
		}
	}
	return b
}

// decodeResult reads the answer to a job and checks that it can be one: scores in
// range, every legal move once, lines of legal moves, no more depth or nodes than the
// limits allow. It cannot tell a wrong score from a right one.
func (c codec[P]) decodeResult(b []byte, j engine.Job[P]) (search.Result, error) {
	r := wire.NewReader(b)
	flags := r.Flags(flagTerminal | flagProven | flagStopped)
	s := search.Result{
		Terminal: flags&flagTerminal != 0, Proven: flags&flagProven != 0, Stopped: flags&flagStopped != 0,
		Score: int(r.Signed(search.Win)), Steady: int(r.Signed(search.Win)), Depth: int(r.Number(search.MaxPly)), Nodes: int64(r.Number(maxNodes)),
	}
	moves := j.Position.AppendMoves(nil)
	n := r.Number(uint64(len(moves)))
	s.Lines = lines(r, int(n))
	if err := r.End(); err != nil {
		return search.Result{}, fmt.Errorf("a result: %w", err)
	}
	if len(s.Lines) > 0 {
		s.Best, s.PV = s.Lines[0].Move, s.Lines[0].PV
	}
	if err := c.possible(s, j, moves); err != nil {
		return search.Result{}, fmt.Errorf("a result for %s: %w", c.Game.Print(j.Position), err)
	}
	return s, nil
}

// lines reads so many lines. The moves may be illegal.
func lines(r *wire.Reader, n int) []search.Line {
	var list []search.Line
	for range n {
		l := search.Line{Exact: r.Flags(1) == 1, Score: int(r.Signed(search.Win))}
		plies := r.Number(search.MaxPly)
		if plies == 0 {
			r.Fail(errors.New("a line without a move"))
		}
		if r.Err() != nil {
			return nil
		}
		for range plies {
			l.PV = append(l.PV, search.Move(r.Number(1<<16-1)))
		}
		l.Move = l.PV[0]
		list = append(list, l)
	}
	return list
}

// possible tells whether a result can be the answer to a job; moves are the legal ones
// of its position.
func (c codec[P]) possible(s search.Result, j engine.Job[P], moves []search.Move) error {
	_, over := j.Position.Terminal()
	over = over || len(moves) == 0
	limit := j.Limits
	switch {
	case s.Steady != s.Score && (search.Proven(s.Steady) || search.Proven(s.Score)):
		return fmt.Errorf("steady score %d with a score of %d: expected the same where one is proven", s.Steady, s.Score)
	case s.Terminal != over:
		return fmt.Errorf("terminal is %t: expected %t", s.Terminal, over)
	case s.Nodes < 1:
		return errors.New("no nodes: expected at least 1")
	case limit.Nodes > 0 && s.Nodes > limit.Nodes+slackNodes:
		return fmt.Errorf("%d nodes: expected at most %d", s.Nodes, limit.Nodes)
	case limit.Depth > 0 && s.Depth > limit.Depth:
		return fmt.Errorf("depth %d: expected at most %d", s.Depth, limit.Depth)
	case over:
		if len(s.Lines) > 0 || s.Depth > 0 || !s.Proven || s.Stopped {
			return errors.New("the search of a finished game: expected no lines and no depth")
		}
		return nil
	case len(s.Lines) != len(moves):
		return fmt.Errorf("%d lines: expected one for each of %d moves", len(s.Lines), len(moves))
	case s.Score != s.Lines[0].Score:
		return fmt.Errorf("score %d, of its best line %d: expected the same", s.Score, s.Lines[0].Score)
	case s.Proven != (s.Depth > 0 && search.Proven(s.Score)):
		return fmt.Errorf("proven is %t with a score of %d at depth %d", s.Proven, s.Score, s.Depth)
	}
	return legal(j.Position, s.Lines, moves)
}

// legal tells whether lines begin with the moves, each once, and go on with legal ones.
func legal[P search.Position[P]](root P, lines []search.Line, moves []search.Move) error {
	seen := map[search.Move]bool{}
	var list []search.Move
	for _, l := range lines {
		if !slices.Contains(moves, l.Move) || seen[l.Move] {
			return fmt.Errorf("a line of move %d: expected each legal move once", l.Move)
		}
		seen[l.Move] = true
		p := root
		for ply, m := range l.PV {
			list = p.AppendMoves(list[:0])
			if !slices.Contains(list, m) {
				return fmt.Errorf("a line with move %d at ply %d: expected a legal one", m, ply+1)
			}
			p = p.Play(m)
		}
	}
	return nil
}
