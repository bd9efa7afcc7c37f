package farm

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/strictjson"
)

// codec writes searches and their results as JSON, for workers on other machines, and
// reads them back. It trusts neither end: what it decodes is a position of the game
// and the result of a search that can be.
type codec[P search.Position[P]] struct {
	Game  *games.Game[P]
	Rules string // of the positions
}

// Bounds of what is decoded.
const (
	maxJob      = 1 << 12 // bytes
	maxResult   = 1 << 20 // bytes
	maxNodes    = 1 << 50 // positions visited
	maxDuration = 30 * 24 * time.Hour
	slackNodes  = 1 << 16 // positions that a search may visit beyond its limit: threads look at it now and then
)

// jobText is a job as it travels.
type jobText struct {
	Board    string        `json:"board"`
	AllMoves bool          `json:"all_moves,omitempty"`
	Limits   search.Limits `json:"limits"`
}

// encodeJob writes a job.
func (c codec[P]) encodeJob(j engine.Job[P]) ([]byte, error) {
	return json.Marshal(jobText{c.Game.Print(j.Position), j.AllMoves, j.Limits})
}

// decodeJob reads a job. It refuses one that nothing limits.
func (c codec[P]) decodeJob(b []byte) (j engine.Job[P], err error) {
	var t jobText
	if err := strictjson.Decode(b, maxJob, &t); err != nil {
		return j, fmt.Errorf("a job: %w", err)
	}
	l := t.Limits
	if min(int64(l.Depth), l.Nodes, int64(l.Time), int64(l.Soft), int64(l.Mate)) < 0 ||
		max(l.Depth, l.Mate) > search.MaxPly || l.Nodes > maxNodes || max(l.Time, l.Soft) > maxDuration || l == (search.Limits{Soft: l.Soft}) {
		return j, fmt.Errorf("a job with the limits %+v: expected a depth, nodes or a time", l)
	}
	p, err := c.Game.Parse(c.Rules, t.Board)
	if err != nil {
		return j, fmt.Errorf("a job: %w", err)
	}
	return engine.Job[P]{Position: p, AllMoves: t.AllMoves, Limits: l}, nil
}

// encodeResult writes the result of a search. Its best move, score and line are those of the
// first of the lines. The clock does not travel, so that equal searches have equal bytes.
func encodeResult(s search.Result) ([]byte, error) {
	s.Time, s.Best, s.PV = 0, 0, nil
	return json.Marshal(s)
}

// decodeResult reads the answer to a job and checks that it can be one: scores in
// range, every legal move once, lines of legal moves, no more depth or nodes than the
// limits allow. It cannot tell a wrong score from a right one.
func (c codec[P]) decodeResult(b []byte, j engine.Job[P]) (s search.Result, err error) {
	if err := strictjson.Decode(b, maxResult, &s); err != nil {
		return s, fmt.Errorf("a result: %w", err)
	}
	if err := c.possible(s, j, j.Position.AppendMoves(nil)); err != nil {
		return search.Result{}, fmt.Errorf("a result for %s: %w", c.Game.Print(j.Position), err)
	}
	if s.Time, s.Best, s.PV = 0, 0, nil; len(s.Lines) > 0 {
		s.Best, s.PV = s.Lines[0].Move, s.Lines[0].PV
	}
	return s, nil
}

// possible tells whether a result can be the answer to a job; moves are the legal ones
// of its position.
func (c codec[P]) possible(s search.Result, j engine.Job[P], moves []search.Move) error {
	_, over := j.Position.Terminal()
	over = over || len(moves) == 0
	limit := j.Limits
	switch {
	case max(s.Score, s.Steady) > search.Win || min(s.Score, s.Steady) < -search.Win:
		return fmt.Errorf("scores %d and %d: expected %d to %d", s.Score, s.Steady, -search.Win, search.Win)
	case s.Steady != s.Score && (search.Proven(s.Steady) || search.Proven(s.Score)):
		return fmt.Errorf("steady score %d with a score of %d: expected the same where one is proven", s.Steady, s.Score)
	case s.Terminal != over:
		return fmt.Errorf("terminal is %t: expected %t", s.Terminal, over)
	case s.Nodes < 1 || s.Nodes > maxNodes || s.Depth < 0 || s.Depth > search.MaxPly:
		return fmt.Errorf("%d nodes to depth %d: expected at least one node, and at most depth %d", s.Nodes, s.Depth, search.MaxPly)
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
		if len(l.PV) == 0 || len(l.PV) > search.MaxPly || l.PV[0] != l.Move || max(l.Score, -l.Score) > search.Win {
			return fmt.Errorf("a line of move %d with score %d and %d plies: expected it to begin with the move", l.Move, l.Score, len(l.PV))
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
