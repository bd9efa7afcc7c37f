package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"kroo/engine/search"
	"kroo/games"
)

// asked returns the moves of a position whose scores a query wants, empty for the best alone.
func asked[P games.Position[P]](p P, q search.Query) []games.Move {
	legal := p.AppendMoves(nil)
	only := slices.DeleteFunc(slices.Clone(legal), func(m games.Move) bool { return !slices.Contains(q.Only, m) })
	switch {
	case len(only) > 0:
		return only
	case q.AllMoves:
		return legal
	}
	return nil
}

// each scores moves in rounds of four times the nodes of the round before, and calls info after
// each.
func (s *programSearcher[P]) each(ctx context.Context, l *games.Line[P], moves []games.Move, lim search.Limits, info func(search.Result)) (r search.Result, err error) {
	begin, own := time.Now(), share(lim, len(moves))
	for nodes := int64(firstRound); ; nodes *= 4 {
		now, last := own, info == nil || own.Nodes == 0 && own.Time == 0 || own.Nodes > 0 && nodes >= own.Nodes
		if !last {
			now.Nodes = nodes
		}
		found, err := s.round(ctx, l, moves, now)
		if err != nil {
			return r, err
		}
		found.Nodes += r.Nodes
		r = found
		r.Time = time.Since(begin)
		if info != nil {
			info(r)
		}
		if last || lim.Time > 0 && 4*r.Time > lim.Time {
			return r, nil
		}
	}
}

// firstRound is the nodes per move in the first of several rounds.
const firstRound = 1000

// round scores moves by a search after each.
func (s *programSearcher[P]) round(ctx context.Context, l *games.Line[P], moves []games.Move, lim search.Limits) (r search.Result, err error) {
	r.Depth, r.Nodes = search.MaxPly, 1
	for _, m := range moves {
		if err := l.Play(m); err != nil {
			return r, err
		}
		after, err := s.one(ctx, l, lim, nil)
		if err != nil {
			return r, err
		}
		l.Undo()
		if !after.Terminal {
			r.Depth = min(r.Depth, 1+after.Depth)
		}
		r.Nodes, r.Time = r.Nodes+after.Nodes, r.Time+after.Time
		r.Lines = append(r.Lines, search.Line{Move: m, Score: before(after.Score), Exact: true, PV: append([]games.Move{m}, after.PV...)})
	}
	if r.Depth == search.MaxPly { // every move ends the game
		r.Depth = 1
	}
	slices.SortStableFunc(r.Lines, func(a, b search.Line) int { return cmp.Compare(b.Score, a.Score) })
	best := r.Lines[0]
	r.Best, r.Score, r.Steady, r.PV, r.Proven = best.Move, best.Score, best.Score, best.PV, search.Proven(best.Score)
	return r, nil
}

// share returns the limits of the search after one of a number of moves.
func share(lim search.Limits, moves int) search.Limits {
	if lim.Nodes > 0 {
		lim.Nodes = max(1, lim.Nodes/int64(moves))
	}
	if lim.Time > 0 {
		lim.Time = max(time.Millisecond, lim.Time/time.Duration(moves))
	}
	if lim.Depth > 0 {
		lim.Depth = max(1, lim.Depth-1)
	}
	return lim
}

// before returns a score one move earlier, for the side that makes the move.
func before(score int) int {
	switch {
	case !search.Proven(score):
		return -score
	case score > 0:
		return 1 - score
	}
	return -score - 1
}
