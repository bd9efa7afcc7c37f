package datasets

import (
	"fmt"

	"kroo/games/oware"
)

const (
	maxLabel = 1000   // points
	maxScore = 20_000 // centi-seeds, a proven result in 0 plies
)

// PositionRow is a row of a positions table.
type PositionRow struct {
	Key int64 // book key: oware.Position.BookKey
}

// LabelRow is a labelled position: the outcome of its search.
type LabelRow struct {
	Key   int64   // book key
	Score int32   // of the search, centi-seeds for the player to move, within ±20000
	Label float64 // points for the player to move, within ±1000 (1000/24 a seed)
	Depth int32   // plies of the last finished iteration
	Nodes int64   // positions visited
	Exact bool    // the score is proven, not heuristic
}

// FeatureRow is a labelled position with its features. Own and Opp hold one
// number for every feature of the table's set: what it counts on the side of
// the player to move, and on his opponent's.
type FeatureRow struct {
	Key      int64   // book key
	Label    float64 // points for the player to move, within ±1000
	Depth    int32   // plies of the labelling search
	Exact    bool    // the label is proven
	Own, Opp []uint8
}

// row is what the three row types offer to the code that writes and reads them.
type row[R any] interface {
	kind() string
	key() int64
	check(m *Meta) error
	// put appends the row to the columns that follow key and board.
	put(cols []column, p oware.Position)
	// take builds a row of the i-th values of all columns.
	take(cols []column, i int) R
}

func (PositionRow) kind() string      { return Positions }
func (r PositionRow) key() int64      { return r.Key }
func (PositionRow) check(*Meta) error { return nil }

func (PositionRow) put(cols []column, p oware.Position) { putInt(&cols[0], int64(p.SeedsInPlay())) }

func (PositionRow) take(cols []column, i int) PositionRow { return PositionRow{Key: cols[0].ints[i]} }

func (LabelRow) kind() string { return Labels }
func (r LabelRow) key() int64 { return r.Key }

func (r LabelRow) check(*Meta) error {
	if r.Score < -maxScore || r.Score > maxScore {
		return fmt.Errorf("score is %d: expected -%d to %d", r.Score, maxScore, maxScore)
	}
	if r.Nodes < 0 {
		return fmt.Errorf("nodes is %d: expected no negative number", r.Nodes)
	}
	return checkLabel(r.Label, r.Depth)
}

func checkLabel(label float64, depth int32) error {
	if !(label >= -maxLabel && label <= maxLabel) { // not the other way round: NaN
		return fmt.Errorf("label is %v: expected -%d to %d", label, maxLabel, maxLabel)
	}
	if depth < 0 {
		return fmt.Errorf("depth is %d: expected no negative number", depth)
	}
	return nil
}

func (r LabelRow) put(cols []column, p oware.Position) {
	putInt(&cols[0], int64(p.SeedsInPlay()))
	putInt(&cols[1], int64(r.Score))
	cols[2].floats = append(cols[2].floats, r.Label)
	putInt(&cols[3], int64(r.Depth))
	putInt(&cols[4], r.Nodes)
	cols[5].bools = append(cols[5].bools, r.Exact)
}

func (LabelRow) take(cols []column, i int) LabelRow {
	return LabelRow{
		Key:   cols[0].ints[i],
		Score: int32(cols[3].ints[i]),
		Label: cols[4].floats[i],
		Depth: int32(cols[5].ints[i]),
		Nodes: cols[6].ints[i],
		Exact: cols[7].bools[i],
	}
}

func (FeatureRow) kind() string { return Features }
func (r FeatureRow) key() int64 { return r.Key }

func (r FeatureRow) check(m *Meta) error {
	if n := len(m.Features); len(r.Own) != n || len(r.Opp) != n {
		return fmt.Errorf("%d own and %d opponent's features: the meta names %d", len(r.Own), len(r.Opp), n)
	}
	return checkLabel(r.Label, r.Depth)
}

func (r FeatureRow) put(cols []column, _ oware.Position) {
	cols[0].floats = append(cols[0].floats, r.Label)
	putInt(&cols[1], int64(r.Depth))
	cols[2].bools = append(cols[2].bools, r.Exact)
	for f := range r.Own {
		putInt(&cols[3+2*f], int64(r.Own[f]))
		putInt(&cols[4+2*f], int64(r.Opp[f]))
	}
}

func (FeatureRow) take(cols []column, i int) FeatureRow {
	r := FeatureRow{
		Key:   cols[0].ints[i],
		Label: cols[2].floats[i],
		Depth: int32(cols[3].ints[i]),
		Exact: cols[4].bools[i],
	}
	counts := cols[5:]
	n := len(counts) / 2
	both := make([]uint8, 2*n)
	r.Own, r.Opp = both[:n:n], both[n:]
	for f := range n {
		r.Own[f] = uint8(counts[2*f].ints[i])
		r.Opp[f] = uint8(counts[2*f+1].ints[i])
	}
	return r
}

func putInt(c *column, v int64) { c.ints = append(c.ints, v) }
