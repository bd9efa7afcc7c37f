package study

import (
	"math/rand/v2"
	"slices"

	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
)

// ordering is a move ordering, which depends on the position alone.
type ordering[P any] struct {
	name  string
	order func(p P, moves []games.Move)
}

// byRank tries moves in descending order of rank, keeping the game's order within a rank.
func byRank[P any](name string, rank func(P, games.Move) int) ordering[P] {
	return ordering[P]{name, func(p P, moves []games.Move) {
		slices.SortStableFunc(moves, func(a, b games.Move) int { return rank(p, b) - rank(p, a) })
	}}
}

// anyOrderings are the orderings for any game: random, the same for the same position, and naive,
// the game's own order.
func anyOrderings[P search.Position[P]]() []ordering[P] {
	return []ordering[P]{
		{"random", func(p P, moves []games.Move) {
			random := rand.New(rand.NewPCG(p.Key(), 0))
			random.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
		}},
		{"naive", func(P, []games.Move) {}},
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
