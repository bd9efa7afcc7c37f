package sampler

import (
	"encoding/binary"
	"errors"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/journal"
)

// label is what a search found, without its position.
type label struct {
	score, depth   int
	nodes          int64
	bound          datasets.Bound
	exact, hasBest bool
	best           games.Move
	scores         []datasets.MoveScore
}

func labelOf(r search.Result, allMoves bool) label {
	l := label{score: r.Score, depth: r.Depth, nodes: r.Nodes, exact: r.Proven, hasBest: !r.Terminal}
	if l.hasBest {
		l.best = r.Best
	}
	l.bound = boundOf(r.Score)
	if allMoves {
		for _, line := range r.Lines {
			l.scores = append(l.scores, datasets.MoveScore{Move: line.Move, Score: int32(line.Score)})
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
func (l *labeller[P]) fromTables(t search.Prober[P], p P) (label, bool) {
	if t == nil || l.cfg.AllMoves {
		return label{}, false
	}
	low, high, ok := t.Final(p)
	if !ok {
		return label{}, false
	}
	score, decided := search.Decided(low, high)
	return label{score: score, exact: true, bound: boundOf(score)}, decided
}

// rowOf is the label's row for the position at.
func rowOf[P games.Position[P]](l label, info games.Info, at datasets.PositionRow[P]) datasets.LabelRow[P] {
	return datasets.LabelRow[P]{
		PositionRow: at,
		Score:       int32(l.score),
		Bound:       l.bound,
		Label:       float64(engine.Points(info, l.score)),
		Depth:       int32(l.depth),
		Nodes:       l.nodes,
		Exact:       l.exact,
		HasBest:     l.hasBest,
		Best:        l.best,
		Scores:      l.scores,
	}
}

// The flags of a label in the journal.
const (
	flagExact = 1 << iota
	flagBest
	flagAtLeast
	flagAtMost
)

// labelCodec writes a label as flags and varints: score, depth, nodes, the best
// move if there is one, and pairs of move and score.
var labelCodec = journal.Codec[label]{Append: appendLabel, Decode: decodeLabel}

func appendLabel(b []byte, l label) ([]byte, error) {
	flags := [...]byte{0, flagAtLeast, flagAtMost}[l.bound]
	if l.exact {
		flags |= flagExact
	}
	if l.hasBest {
		flags |= flagBest
	}
	b = append(b, flags)
	b = binary.AppendVarint(b, int64(l.score))
	b = binary.AppendVarint(b, int64(l.depth))
	b = binary.AppendVarint(b, l.nodes)
	if l.hasBest {
		b = binary.AppendVarint(b, int64(l.best))
	}
	for _, s := range l.scores {
		b = binary.AppendVarint(b, int64(s.Move))
		b = binary.AppendVarint(b, int64(s.Score))
	}
	return b, nil
}

var errLabel = errors.New("not a label")

func decodeLabel(b []byte) (l label, err error) {
	if len(b) == 0 {
		return l, errLabel
	}
	flags := b[0]
	b = b[1:]
	take := func(least, most int64) int64 {
		v, n := binary.Varint(b)
		if n <= 0 || v < least || v > most {
			err, b = errLabel, nil
			return 0
		}
		b = b[n:]
		return v
	}
	l.exact, l.hasBest = flags&flagExact != 0, flags&flagBest != 0
	switch {
	case flags&flagAtLeast != 0:
		l.bound = datasets.AtLeast
	case flags&flagAtMost != 0:
		l.bound = datasets.AtMost
	}
	l.score = int(take(-search.Win, search.Win))
	l.depth = int(take(0, search.MaxPly))
	l.nodes = take(0, 1<<62)
	if l.hasBest {
		l.best = games.Move(take(0, 1<<16-1))
	}
	for len(b) > 0 && err == nil {
		m := games.Move(take(0, 1<<16-1))
		l.scores = append(l.scores, datasets.MoveScore{Move: m, Score: int32(take(-search.Win, search.Win))})
	}
	return l, err
}
