package oware

import (
	"math/rand/v2"
	"testing"

	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// randomPositions draws n positions over all ranks and both sides to move, as
// many from random games, and adds the extremes: everything in one house or one
// store.
func randomPositions(t testing.TB, n int) []oware.Position {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	ps := gamePositions(rng, n)
	for range n {
		p := testkit.Must(oware.Unrank(oware.Abapa, rng.Int64N(oware.Ranks), oware.Side(rng.IntN(2))))(t)
		ps = append(ps, p)
	}
	for i := range houses {
		var board [houses]int
		board[i] = oware.Seeds
		ps = append(ps, position(t, board, [2]int{}))
	}
	return append(ps, position(t, [houses]int{}, [2]int{48, 0}), position(t, [houses]int{}, [2]int{0, 48}),
		position(t, [houses]int{13, 13, 13, 3, 3, 3}, [2]int{}), position(t, [houses]int{6: 13, 7: 13, 8: 22}, [2]int{}))
}

// gamePositions are n positions of random games, in the order of play.
func gamePositions(rng *rand.Rand, n int) (ps []oware.Position) {
	p := oware.Start(oware.Abapa)
	for plies := 0; len(ps) < n; plies++ {
		if _, over := p.Terminal(); over || plies == 150 {
			p, plies = oware.Start(oware.Abapa), 0
		}
		ps = append(ps, p)
		moves := p.AppendMoves(nil)
		p = p.Play(moves[rng.IntN(len(moves))])
	}
	return ps
}

func position(t testing.TB, board [houses]int, stores [2]int) oware.Position {
	t.Helper()
	return testkit.Must(oware.New(oware.Abapa, board, stores, oware.South))(t)
}

func parse(t testing.TB, spec string) *Set {
	t.Helper()
	return testkit.Must(Parse(spec))(t)
}

// full is everything that the tables hold, in one stage; staged has its own tables
// for each stage.
const (
	full   = "store+storephase+phase+houses+adjacent+pairs+blocks+triples+fours+quads+rows+sixes"
	staged = "store/3+storephase+houses/3+pairs+triples/3+sixes/3"
)

// randomModel has weights of the given deviation in points, a part of them zero.
func randomModel(t testing.TB, spec string, deviation float64) *Model {
	t.Helper()
	s := parse(t, spec)
	rng := rand.New(rand.NewPCG(3, 4))
	w := make([]float64, s.Len())
	for i := range w {
		if rng.IntN(4) > 0 {
			w[i] = float64(float32(deviation * rng.NormFloat64()))
		}
	}
	return testkit.Must(Sets.NewModel("abapa", s, w, features.Provenance{Name: "random"}))(t)
}
