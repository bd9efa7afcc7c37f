package sampler

import (
	"encoding/binary"
	"errors"

	"kroo/datasets"
	"kroo/engine/search"
	"kroo/games"
)

// labelOf is the label that a search has found, without its position.
func labelOf[P games.Position[P]](r search.Result, allMoves bool) datasets.LabelRow[P] {
	l := datasets.LabelRow[P]{Score: int32(r.Score), Bound: boundOf(r.Score), Depth: int32(r.Depth), Nodes: r.Nodes, Exact: r.Proven, HasBest: !r.Terminal}
	if l.HasBest {
		l.Best = r.Best
	}
	if allMoves {
		for _, line := range r.Lines {
			l.Scores = append(l.Scores, datasets.MoveScore{Move: line.Move, Score: int32(line.Score)})
		}
	}
	return l
}

// boundOf tells a win that endgame tables promise, of a margin that may be
// larger and a length that they do not know, from one that was searched to its
// end.
func boundOf(score int) datasets.Bound {
	switch {
	case !search.Proven(score) || score > search.Win-search.MaxPly-1 || score < -(search.Win-search.MaxPly-1):
		return datasets.Value
	case score > 0:
		return datasets.AtLeast
	}
	return datasets.AtMost
}

// fromTables is the label of a position that endgame tables decide. It takes no
// search: depth and nodes are 0, and there is no best move.
func (l *labeller[P]) fromTables(t search.Prober[P], p P) (x datasets.LabelRow[P], known bool) {
	if t == nil || l.cfg.AllMoves {
		return x, false
	}
	low, high, ok := t.Final(p)
	if !ok {
		return x, false
	}
	score, decided := search.Decided(low, high)
	return datasets.LabelRow[P]{Score: int32(score), Exact: true, Bound: boundOf(score)}, decided
}

// The flags of a label in the journal.
const (
	flagExact = 1 << iota
	flagBest
	flagAtLeast
	flagAtMost
)

// appendLabel writes a label, all but its position and its points, as flags and varints:
// score, depth, nodes, the best move if there is one, and pairs of move and score.
func appendLabel[P games.Position[P]](b []byte, l datasets.LabelRow[P]) ([]byte, error) {
	flags := [...]byte{0, flagAtLeast, flagAtMost}[l.Bound]
	if l.Exact {
		flags |= flagExact
	}
	if l.HasBest {
		flags |= flagBest
	}
	b = append(b, flags)
	b = binary.AppendVarint(b, int64(l.Score))
	b = binary.AppendVarint(b, int64(l.Depth))
	b = binary.AppendVarint(b, l.Nodes)
	if l.HasBest {
		b = binary.AppendVarint(b, int64(l.Best))
	}
	for _, s := range l.Scores {
		b = binary.AppendVarint(b, int64(s.Move))
		b = binary.AppendVarint(b, int64(s.Score))
	}
	return b, nil
}

var errLabel = errors.New("not a label")

func decodeLabel[P games.Position[P]](b []byte) (l datasets.LabelRow[P], err error) {
	if len(b) == 0 {
		return l, errLabel
	}
	flags := b[0]
	if b = b[1:]; flags >= flagFailed {
		return l, errLabel
	}
	take := func(least, most int64) int64 {
		v, n := binary.Varint(b)
		if n <= 0 || v < least || v > most {
			err, b = errLabel, nil
			return 0
		}
		b = b[n:]
		return v
	}
	l.Exact, l.HasBest = flags&flagExact != 0, flags&flagBest != 0
	switch {
	case flags&flagAtLeast != 0:
		l.Bound = datasets.AtLeast
	case flags&flagAtMost != 0:
		l.Bound = datasets.AtMost
	}
	l.Score = int32(take(-search.Win, search.Win))
	l.Depth = int32(take(0, search.MaxPly))
	l.Nodes = take(0, 1<<62)
	if l.HasBest {
		l.Best = games.Move(take(0, 1<<16-1))
	}
	for len(b) > 0 && err == nil {
		m := games.Move(take(0, 1<<16-1))
		l.Scores = append(l.Scores, datasets.MoveScore{Move: m, Score: int32(take(-search.Win, search.Win))})
	}
	return l, err
}
