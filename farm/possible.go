package farm

import (
	"errors"
	"fmt"
	"slices"

	"kroo/engine"
	"kroo/engine/search"
)

// possible tells whether a result can be the answer to a job; moves are the legal ones
// of its position.
func possible[P search.Position[P]](s search.Result, j engine.Job[P], moves []search.Move) error {
	_, over := j.Position.Terminal()
	over = over || len(moves) == 0
	switch limit := j.Limits; {
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
