package study

import (
	"math/rand/v2"
	"slices"

	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
)

// ordering is a move ordering of a search.
type ordering[P any] struct {
	Name  string
	order orderer[P]
}

type orderer[P any] func(p P, moves []games.Move)

// anyOrderings are the orderings for any game: random, and naive, the game's own order.
func anyOrderings[P search.Position[P]]() []ordering[P] {
	return []ordering[P]{
		{"random", atRandom[P]},
		{"naive", func(P, []games.Move) {}},
	}
}

// owareOrderings are those that Sala Soler (2014) compares, in addition to those for any game:
// defensive, houses with one or two seeds first, which are those that can be captured soonest;
// attacking, captures first, the largest before the others; combined, captures, then the defensive
// moves, then the rest.
var owareOrderings = []ordering[oware.Position]{
	{"defensive", byRank(weak)},
	{"attacking", byRank(oware.Position.Gain)},
	{"combined", byRank(func(p oware.Position, m games.Move) int { return 2*p.Gain(m) + weak(p, m) })},
}

// byHints tries moves in descending order of the hints that the engine's searches use.
func byHints[P search.Position[P]](name string) ordering[P] {
	return ordering[P]{name, byRank(func(p P, m games.Move) int {
		var one [1]int32
		return int(p.AppendHints(one[:0], []games.Move{m})[0])
	})}
}

// weak is 1 for a house with one or two seeds.
func weak(p oware.Position, m games.Move) int {
	if n := p.House(int(m)); n == 1 || n == 2 {
		return 1
	}
	return 0
}

// byRank tries moves in descending order of rank, keeping the game's order within a rank.
func byRank[P any](rank func(P, games.Move) int) orderer[P] {
	return func(p P, moves []games.Move) {
		slices.SortStableFunc(moves, func(a, b games.Move) int { return rank(p, b) - rank(p, a) })
	}
}

// atRandom shuffles, in the same way for the same position.
func atRandom[P search.Position[P]](p P, moves []games.Move) {
	random := rand.New(rand.NewPCG(p.Key(), 0))
	random.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
}
