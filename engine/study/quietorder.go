package study

import (
	"slices"

	"kroo/engine/search"
	"kroo/games"
)

// quietOrder orders moves that are not tactical by earlier cutoffs. Killers (S. Akl and M. Newborn,
// 1977) are the last two moves with a cutoff at the same ply; the history (J. Schaeffer, 1983) adds
// up 2^depth for each cutoff of a move.
type quietOrder struct {
	killers   bool
	history   bool
	killed    map[int][2]games.Move // by ply
	histories map[moveOfSide]int
}

// moveOfSide is a move of the side that moves at even or odd plies.
type moveOfSide struct {
	move games.Move
	odd  int
}

func newQuietOrder(killers, history bool) *quietOrder {
	return &quietOrder{killers, history, map[int][2]games.Move{}, map[moveOfSide]int{}}
}

// cut records a move with a cutoff. Tactical ones, which come first anyway, do no harm.
func (q *quietOrder) cut(m games.Move, ply, depth int) {
	if last, found := q.killed[ply]; !found {
		q.killed[ply] = [2]games.Move{m, none}
	} else if last[0] != m {
		q.killed[ply] = [2]games.Move{m, last[0]}
	}
	q.histories[moveOfSide{m, ply & 1}] += 1 << min(depth, 30)
}

// arrangeQuiet orders quiet moves stably, and leaves tactical moves in their places.
func arrangeQuiet[P search.Position[P]](q *quietOrder, p P, moves []games.Move, ply int) {
	hints := p.AppendHints(nil, moves)
	var places []int
	var list []games.Move
	for i, m := range moves {
		if hints[i] <= 0 {
			places, list = append(places, i), append(list, m)
		}
	}
	slices.SortStableFunc(list, func(a, b games.Move) int { return q.rank(b, ply) - q.rank(a, ply) })
	for i, at := range places {
		moves[at] = list[i]
	}
}

// rank ranks killers above any history.
func (q *quietOrder) rank(m games.Move, ply int) int {
	if last, found := q.killed[ply]; q.killers && found {
		switch m {
		case last[0]:
			return 1<<62 - 1
		case last[1]:
			return 1<<62 - 2
		}
	}
	if q.history {
		return min(q.histories[moveOfSide{m, ply & 1}], 1<<61)
	}
	return 0
}
