package study

import (
	"math/rand/v2"
	"slices"

	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
)

// ordering is a move ordering. start begins a search with it.
type ordering[P any] struct {
	name  string
	start func() orderer[P]
}

// orderer orders the moves of one search.
type orderer[P any] struct {
	order func(p P, moves []games.Move, ply int)
	cut   func(m games.Move, ply, depth int) // called for a move with a cutoff; may be nil
}

// static is an ordering that depends on the position alone.
func static[P any](name string, order func(P, []games.Move)) ordering[P] {
	return ordering[P]{name, func() orderer[P] {
		return orderer[P]{order: func(p P, moves []games.Move, _ int) { order(p, moves) }}
	}}
}

// byRank tries moves in descending order of rank, keeping the game's order within a rank.
func byRank[P any](name string, rank func(P, games.Move) int) ordering[P] {
	return static(name, func(p P, moves []games.Move) {
		slices.SortStableFunc(moves, func(a, b games.Move) int { return rank(p, b) - rank(p, a) })
	})
}

// anyOrderings are the orderings for any game: random, the same for the same position, and naive,
// the game's own order.
func anyOrderings[P search.Position[P]]() []ordering[P] {
	return []ordering[P]{
		static("random", func(p P, moves []games.Move) {
			random := rand.New(rand.NewPCG(p.Key(), 0))
			random.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
		}),
		static("naive", func(P, []games.Move) {}),
	}
}

// owareOrderings are those that Sala Soler (2014) compares, in addition to those for any game:
// defensive, houses with one or two seeds first, which are those that can be captured soonest;
// attacking, captures first, the largest before the others; combined, captures, then the defensive
// moves, then the rest.
var owareOrderings = []ordering[oware.Position]{
	byRank("defensive", weak),
	byRank("attacking", oware.Position.Gain),
	byRank("combined", func(p oware.Position, m games.Move) int { return 2*p.Gain(m) + weak(p, m) }),
}

// weak is 1 for a house with one or two seeds.
func weak(p oware.Position, m games.Move) int {
	if n := p.House(int(m)); n == 1 || n == 2 {
		return 1
	}
	return 0
}

// byHints tries moves in descending order of the hints that the engine's searches use.
func byHints[P search.Position[P]](name string) ordering[P] {
	return byRank(name, func(p P, m games.Move) int {
		var one [1]int32
		return int(p.AppendHints(one[:0], []games.Move{m})[0])
	})
}

// killers changes an ordering: the last two moves with a cutoff at the same ply come first among
// the quiet moves (S. Akl and M. Newborn, 1977).
func killers[P search.Position[P]](o ordering[P]) ordering[P] {
	return ordering[P]{o.name + ", killers", func() orderer[P] {
		first, last := map[int][2]games.Move{}, o.start()
		return orderer[P]{
			order: func(p P, moves []games.Move, ply int) {
				last.order(p, moves, ply)
				arrangeQuiet(p, moves, func(m games.Move) int {
					killed, found := first[ply]
					if i := slices.Index(killed[:], m); found && i >= 0 {
						return len(killed) - i
					}
					return 0
				})
			},
			cut: func(m games.Move, ply, _ int) {
				if killed, found := first[ply]; !found {
					first[ply] = [2]games.Move{m, none}
				} else if killed[0] != m {
					first[ply] = [2]games.Move{m, killed[0]}
				}
			},
		}
	}}
}

// byHistory changes an ordering: quiet moves come in the order of the sum of 2^depth over their
// cutoffs, whatever the ply (J. Schaeffer, 1983).
func byHistory[P search.Position[P]](o ordering[P]) ordering[P] {
	type moveOfSide struct {
		move games.Move
		odd  int // of the ply
	}
	return ordering[P]{o.name + ", history", func() orderer[P] {
		sums, last := map[moveOfSide]int{}, o.start()
		return orderer[P]{
			order: func(p P, moves []games.Move, ply int) {
				last.order(p, moves, ply)
				arrangeQuiet(p, moves, func(m games.Move) int { return sums[moveOfSide{m, ply & 1}] })
			},
			cut: func(m games.Move, ply, depth int) { sums[moveOfSide{m, ply & 1}] += 1 << min(depth, 30) },
		}
	}}
}

// arrangeQuiet sorts quiet moves stably by descending rank, and leaves tactical moves in their
// places.
func arrangeQuiet[P search.Position[P]](p P, moves []games.Move, rank func(games.Move) int) {
	hints := p.AppendHints(nil, moves)
	var places []int
	var quiet []games.Move
	for i, m := range moves {
		if hints[i] <= 0 {
			places, quiet = append(places, i), append(quiet, m)
		}
	}
	slices.SortStableFunc(quiet, func(a, b games.Move) int { return rank(b) - rank(a) })
	for i, at := range places {
		moves[at] = quiet[i]
	}
}
