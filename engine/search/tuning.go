package search

import "cmp"

// Tuning suits the search to a game and its evaluation. A field of 0 has its
// default, which is best for oware by captured seeds alone. Scores are in
// centi-seeds.
type Tuning struct {
	// Futility is the most that a quiet move is expected to gain, a ply of
	// depth; 0 means 300.
	Futility int
	// ReverseFutility is the most that the side to move is expected to lose, a
	// ply of depth; 0 means 150.
	ReverseFutility int
	// Fallen is the drop of the root's score that makes the search take more
	// time; 0 means 75.
	Fallen int
	// TableDepth is the least depth at which the search probes the hash table; 0
	// means 4, or 5 at full width.
	TableDepth int
	// RankDepth is the least depth at which the search evaluates the positions
	// that moves lead to, and tries the best first; 0 means never. It pays if the
	// evaluation tells quiet moves apart.
	RankDepth int
	// ReduceBelow is how far below alpha the static value of a ranked quiet move
	// must be for the move to be searched one more ply less deep; 0 means that
	// none is.
	ReduceBelow int
	// UnseenDepth is the least depth at which a node without a move in the hash
	// table is searched a ply less deep: the next iteration has a move for it. 0
	// means never. The search at full width does not do it.
	UnseenDepth int
}

// withDefaults fills in the defaults. For a default of never it takes a value beyond
// every depth or score.
func (t Tuning) withDefaults(fullWidth bool) Tuning {
	tableDepth := selectiveTableDepth
	if fullWidth {
		tableDepth, t.UnseenDepth = fullWidthTableDepth, 0
	}
	return Tuning{
		Futility:        cmp.Or(t.Futility, 300),
		ReverseFutility: cmp.Or(t.ReverseFutility, 150),
		Fallen:          cmp.Or(t.Fallen, 75),
		TableDepth:      max(cmp.Or(t.TableDepth, tableDepth), 1),
		RankDepth:       cmp.Or(t.RankDepth, MaxPly+1),
		ReduceBelow:     cmp.Or(t.ReduceBelow, 4*Win),
		UnseenDepth:     cmp.Or(t.UnseenDepth, MaxPly+1),
	}
}

// Tuning.TableDepth by default. Closer to the leaves a probe costs more than it
// saves (Sala Soler 2014 found the same), all the more where the last ply is
// cheap: at full width to depth 20, probing from 5 on takes 3 % more nodes than
// from 4 on and a tenth less time. A selective search is fastest from 4 on: from
// 3 on it takes 6 % less nodes and 5 % more time.
const (
	selectiveTableDepth = 4
	fullWidthTableDepth = 5
)
