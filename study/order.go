package study

import (
	"math/rand/v2"
	"slices"

	"kroo/games/oware"
)

// Orderings are those that Sala Soler (2014) compares: at random; naive, from
// the left; defensive, houses with one or two seeds first, which are those that
// can be captured soonest; attacking, captures first, the largest before the
// others; combined, captures, then the defensive moves, then the rest.
var orderings = []struct {
	name  string
	order orderer
}{
	{"random", atRandom},
	{"naive", func(oware.Position, []oware.Move) {}},
	{"defensive", byRank(func(p oware.Position, m oware.Move) int { return weak(p, m) })},
	{"attacking", byRank(func(p oware.Position, m oware.Move) int { return p.Gain(m) })},
	{"combined", byRank(func(p oware.Position, m oware.Move) int { return 2*p.Gain(m) + weak(p, m) })},
}

// weak is 1 for a house with one or two seeds.
func weak(p oware.Position, m oware.Move) int {
	if n := p.House(int(m)); n == 1 || n == 2 {
		return 1
	}
	return 0
}

// byRank tries moves of a higher rank first, those of one rank from the left.
func byRank(rank func(oware.Position, oware.Move) int) orderer {
	return func(p oware.Position, moves []oware.Move) {
		slices.SortStableFunc(moves, func(a, b oware.Move) int { return rank(p, b) - rank(p, a) })
	}
}

// atRandom shuffles, the same way for the same position.
func atRandom(p oware.Position, moves []oware.Move) {
	random := rand.New(rand.NewPCG(p.Key(), 0))
	random.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
}
