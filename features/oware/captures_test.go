package oware

import (
	"math/rand/v2"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// win is more than any value of Captures.
const win = 20_000

// randomGames returns the last positions of random games, stopped at random.
func randomGames(rng *rand.Rand, r oware.Rules, n int) (list []oware.Position) {
	for range n {
		p := oware.Start(r)
		for range rng.IntN(120) {
			moves := p.AppendMoves(nil)
			q := p.Play(moves[rng.IntN(len(moves))])
			if _, over := q.Terminal(); over {
				break
			}
			p = q
		}
		list = append(list, p)
	}
	return list
}

// fewSeeds returns unfinished positions of up to maxSeeds seeds.
func fewSeeds(rng *rand.Rand, r oware.Rules, n, maxSeeds int) (list []oware.Position) {
	for len(list) < n {
		var houses [2 * oware.Houses]int
		seeds := 1 + rng.IntN(maxSeeds)
		for range seeds {
			houses[rng.IntN(len(houses))]++
		}
		taken := oware.Seeds - seeds
		p, err := oware.New(r, houses, [2]int{taken / 2, taken - taken/2}, oware.Side(rng.IntN(2)))
		if err != nil {
			panic(err)
		}
		if _, over := p.Terminal(); !over {
			list = append(list, p)
		}
	}
	return list
}

func board(t *testing.T, text string) oware.Position {
	t.Helper()
	return testkit.Must(oware.ParseBoard(oware.Abapa, text))(t)
}

// The reference makes the moves that BestReply avoids. If BestReply is sure, no move ends the game;
// it is sure most of the time, even in games this long.
func TestBestReplyEqualsMakingTheMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 0))
	e := Captures{}
	for _, r := range []oware.Rules{oware.Abapa, oware.Awari, oware.Simple} {
		asked, sureOf := 0, 0
		list := randomGames(rng, r, 2000)
		for n := range 12 {
			list = append(list, fewSeeds(rng, r, 300, n+2)...)
		}
		for i, p := range list {
			best := -win
			for _, m := range p.AppendMoves(nil) {
				child := p.Play(m)
				if _, over := child.Terminal(); over {
					best = win
					break
				}
				best = max(best, -e.Evaluate(child))
			}
			enough := best - 100*rng.IntN(4)
			all, moves, sure := e.BestReply(p, win)
			some, fewer, _ := e.BestReply(p, enough)
			if i < 2000 {
				asked++
			}
			if !sure {
				continue
			}
			if i < 2000 {
				sureOf++
			}
			if all != best || moves != len(p.AppendMoves(nil)) {
				t.Errorf("%v %v: %d after %d moves: want %d", r, p, all, moves, best)
			}
			if some < enough || some > best || fewer > moves {
				t.Errorf("%v %v: %d after %d moves: want at least %d, at most %d", r, p, some, fewer, enough, best)
			}
		}
		if sureOf < asked/2 {
			t.Errorf("%v: sure of %d of %d only", r, sureOf, asked)
		}
	}
}

func TestBestReplyAllocatesNothing(t *testing.T) {
	e := Captures{}
	testkit.Equal(t, testing.AllocsPerRun(100, func() { e.BestReply(oware.Start(oware.Abapa), win) }), 0, "testing.AllocsPerRun")
}

func TestCapturesIsTheDifferenceOfTheStores(t *testing.T) {
	e := Captures{}
	p := board(t, "4-4-4-4-4-4-4-4-4-0-0-4-3-5-S")
	testkit.Equal(t, e.Evaluate(p), -200, "South")
	testkit.Equal(t, e.Evaluate(p.Swap()), 200, "North")
}
