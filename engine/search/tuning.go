package search

import "cmp"

// Tuning adapts the search to a game and its evaluation. Fields that are 0 have defaults,
// which are best for oware by captured seeds alone. Scores are in centi-seeds, reductions
// in hundredths of a ply.
type Tuning struct {
	// Futility is the maximum gain expected of a quiet move, per ply of depth; 0
	// means 300.
	Futility int
	// ReverseFutility is the maximum loss expected for the side to move, per ply
	// of depth; 0 means 150.
	ReverseFutility int
	// Fallen is the drop of the root's score that extends the time; 0 means 75.
	Fallen int
	// TableDepth is the minimum depth at which the search probes the hash table;
	// 0 means 4, or 5 at full width.
	TableDepth int
	// RankDepth is the minimum depth at which moves are ordered by the static
	// values of the positions they lead to; 0 means never. It helps if the
	// evaluation distinguishes quiet moves.
	RankDepth int
	// ReduceBelow is the distance below alpha from which the static value of a
	// ranked quiet move adds LateBelow to its reduction; 0 means never.
	ReduceBelow int
	// UnseenDepth is the minimum depth at which a node without a hash move is
	// searched a ply shallower, to provide a move for the next iteration; 0 means
	// never. Full-width searches ignore it.
	UnseenDepth int
	// Late is the reduction of quiet moves from the third on, from depth 3 on; 0
	// means 100.
	Late int
	// LateDepth is added to Late per ply of depth; 0 means 25.
	LateDepth int
	// LateFourth is added to Late for the fourth move.
	LateFourth int
	// LateFifth is added to Late from the fifth move on; 0 means 100.
	LateFifth int
	// LateBelow is added to the reduction of moves selected by ReduceBelow; 0
	// means 100.
	LateBelow int
}

// Setting is a field of a [Tuning] with its useful range.
type Setting struct {
	Name      string
	Value     *int
	Min, Max  int
	byDefault int
}

// Settings returns the fields of t.
func (t *Tuning) Settings() []Setting {
	return []Setting{
		{"Futility", &t.Futility, 1, MaxHeuristic, 300},
		{"ReverseFutility", &t.ReverseFutility, 1, MaxHeuristic, 150},
		{"Fallen", &t.Fallen, 1, MaxHeuristic, 75},
		{"TableDepth", &t.TableDepth, 1, never, selectiveTableDepth},
		{"RankDepth", &t.RankDepth, 1, never, never},
		{"ReduceBelow", &t.ReduceBelow, 1, noScore, noScore},
		{"UnseenDepth", &t.UnseenDepth, 2, never, never},
		{"Late", &t.Late, 1, maxLate, 100},
		{"LateDepth", &t.LateDepth, 1, maxLate, 25},
		{"LateFourth", &t.LateFourth, 0, maxLate, 0},
		{"LateFifth", &t.LateFifth, 1, maxLate, 100},
		{"LateBelow", &t.LateBelow, 1, maxLate, 100},
	}
}

// Values beyond all depths, differences of scores and reductions.
const (
	never   = MaxPly + 1
	noScore = 4 * Win
	maxLate = centi * MaxPly
)

// WithDefaults returns t with defaults for fields that are 0. A default of never becomes a
// value beyond all depths or scores.
func (t Tuning) WithDefaults(fullWidth bool) Tuning {
	if fullWidth {
		t.TableDepth, t.UnseenDepth = cmp.Or(t.TableDepth, fullWidthTableDepth), 0
	}
	for _, s := range t.Settings() {
		*s.Value = cmp.Or(*s.Value, s.byDefault)
	}
	t.TableDepth = max(t.TableDepth, 1)
	return t
}

// The defaults of Tuning.TableDepth. Closer to the leaves a probe takes more time than it
// saves (Sala Soler 2014 found the same), especially where the last ply is cheap: to depth
// 20 at full width, a minimum of 5 takes 3 % more nodes than 4, and a tenth less time.
// The selective search is fastest with 4: 3 takes 6 % fewer nodes and 5 % more time.
const (
	selectiveTableDepth = 4
	fullWidthTableDepth = 5
)
