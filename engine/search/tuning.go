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
	// evaluation distinguishes quiet moves.
	RankDepth int
	// ReduceBelow is how far below alpha the static value of a ranked quiet move
	// must be for the move to be searched one more ply less deep; 0 means that
	// none is.
	ReduceBelow int
	// UnseenDepth is the least depth at which a node without a move in the hash
	// table is searched a ply less deep: the next iteration has a move for it. 0
	// means never. The search at full width does not do it.
	UnseenDepth int
	// Late is by how many hundredths of a ply the quiet moves from the third on are
	// searched less deep, from depth 3; 0 means 100.
	Late int
	// LateDepth is what every ply of depth adds to Late; 0 means 25.
	LateDepth int
	// LateFourth is what Late is more for the fourth move.
	LateFourth int
	// LateFifth is what Late is more from the fifth move on; 0 means 100.
	LateFifth int
	// LateBelow is what ReduceBelow adds to the reduction of a move, in hundredths of a
	// ply; 0 means 100.
	LateBelow int
}

// Setting is a field of a [Tuning] with the range that makes sense.
type Setting struct {
	Name     string
	Value    *int
	Min, Max int
}

// Settings are the fields of t.
func (t *Tuning) Settings() []Setting {
	const never = MaxPly + 1
	return []Setting{
		{"Futility", &t.Futility, 1, MaxHeuristic},
		{"ReverseFutility", &t.ReverseFutility, 1, MaxHeuristic},
		{"Fallen", &t.Fallen, 1, MaxHeuristic},
		{"TableDepth", &t.TableDepth, 1, never},
		{"RankDepth", &t.RankDepth, 1, never},
		{"ReduceBelow", &t.ReduceBelow, 1, noScore},
		{"UnseenDepth", &t.UnseenDepth, 2, never},
		{"Late", &t.Late, 1, maxLate},
		{"LateDepth", &t.LateDepth, 1, maxLate},
		{"LateFourth", &t.LateFourth, 0, maxLate},
		{"LateFifth", &t.LateFifth, 1, maxLate},
		{"LateBelow", &t.LateBelow, 1, maxLate},
	}
}

const (
	noScore = 4 * Win        // more than scores differ
	maxLate = centi * MaxPly // all plies that there are
)

// WithDefaults fills in the defaults. For a default of never it takes a value beyond
// every depth or score.
func (t Tuning) WithDefaults(fullWidth bool) Tuning {
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
		ReduceBelow:     cmp.Or(t.ReduceBelow, noScore),
		UnseenDepth:     cmp.Or(t.UnseenDepth, MaxPly+1),
		Late:            cmp.Or(t.Late, 100),
		LateDepth:       cmp.Or(t.LateDepth, 25),
		LateFourth:      t.LateFourth,
		LateFifth:       cmp.Or(t.LateFifth, 100),
		LateBelow:       cmp.Or(t.LateBelow, 100),
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
