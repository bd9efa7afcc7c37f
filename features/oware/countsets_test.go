package oware

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func values(s *features.Set[oware.Position], p oware.Position) (own, opp []int) {
	own, opp = make([]int, s.Len()), make([]int, s.Len())
	s.Values(p, own, opp)
	return own, opp
}

func TestThesisNamesAreThePublishedTwelve(t *testing.T) {
	want := []string{"captures", "<1", "<2", "<3", "<4", "<5", ">7", ">8", ">10", ">11", ">12", ">13"} // Sala Soler 2014
	s := testkit.Must(Sets.ByName("thesis"))(t)
	testkit.EqualSlices(t, s.Names(), want, "names")
}

func TestValuesOfAHandCountedBoard(t *testing.T) {
	// South has 15 seeds in play and 6 captured, North has 27.
	p := position(t, [12]int{0, 1, 2, 3, 4, 5, 8, 9, 10, 0, 0, 0}, [2]int{6, 0})
	s, _ := Sets.ByName("thesis")
	own, opp := values(s, p)
	//                captures <1 <2 <3 <4 <5 >7 >8 >10 >11 >12 >13
	wantOwn := []int{6, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0}
	wantOpp := []int{0, 3, 3, 3, 3, 3, 3, 2, 0, 0, 0, 0}
	if !slices.Equal(own, wantOwn) || !slices.Equal(opp, wantOpp) {
		t.Errorf("own %v opp %v: want %v %v", own, opp, wantOwn, wantOpp)
	}
	q := position(t, [12]int{11, 12, 13, 0, 0, 0, 6: 12}, [2]int{})
	own, opp = values(s, q)
	wantOwn = []int{0, 3, 3, 3, 3, 3, 3, 3, 3, 2, 1, 0}
	wantOpp = []int{0, 5, 5, 5, 5, 5, 1, 1, 1, 1, 0, 0}
	if !slices.Equal(own, wantOwn) || !slices.Equal(opp, wantOpp) {
		t.Errorf("own %v opp %v: want %v %v", own, opp, wantOwn, wantOpp)
	}
}

// A changed hash makes existing weights files unusable, so it must not change by accident.
func TestSetHashesAreStable(t *testing.T) {
	want := map[string]string{"thesis": "288c9874f0e6d193", "thesis4": "2c863e2375f3eef6", "captures": "e96d67d0ba64cf51"}
	for name, hash := range want {
		s := testkit.Must(Sets.ByName(name))(t)
		testkit.Equal(t, s.Hash(), hash, "hash of %s", name)
	}
}

func TestValuesAllocatesNothing(t *testing.T) {
	s, _ := Sets.ByName("thesis")
	own, opp := make([]int, s.Len()), make([]int, s.Len())
	p := oware.Start(oware.Abapa)
	testkit.Equal(t, testing.AllocsPerRun(100, func() { s.Values(p, own, opp) }), 0, "testing.AllocsPerRun")
}

// Every number of houses below or above a bound, up to sixteen seeds, is a column of wide or its
// negative.
func TestWideHasEveryCountOnce(t *testing.T) {
	s := testkit.Must(Sets.ByName("wide"))(t)
	have := map[string]bool{}
	for _, name := range s.Names() {
		have[name] = true
	}
	for k := 1; k <= 16; k++ {
		fewer, more := have[fmt.Sprintf("<%d", k)], have[fmt.Sprintf(">%d", k-1)]
		if fewer == more {
			t.Errorf("fewer than %d: %v, more than %d: %v: want one of them", k, fewer, k-1, more)
		}
	}
	if !have["captures"] || s.Len() != 17 {
		t.Errorf("features %q", s.Names())
	}
}

// Every feature has a meaning; unknown names have none.
func TestEveryFeatureHasAMeaning(t *testing.T) {
	for _, set := range Sets.All {
		for _, name := range set.Names() {
			if Sets.Meaning(name) == "" {
				t.Errorf("%s has no meaning", name)
			}
		}
	}
	for name, want := range map[string]string{"captures": "seeds in the store", "<1": "empty houses", "<3": "houses with fewer than 3 seeds", ">12": "houses with more than 12 seeds", "": "", "<": "", "<3x": "", "wide": ""} {
		testkit.Equal(t, Sets.Meaning(name), want, "%q means", name)
	}
}

// fullFit is the weights of the full fit.
func fullFit() *Model { return thesis12Model.counts() }

func TestOnlyTheSetsOfTheThesisHavePublishedWeights(t *testing.T) {
	m, ok := FindPublished("thesis4")
	if w := m.Named; !ok || w.Rules != "abapa" || w.Features[3] != ">12" || w.Points[3] != 40.51 {
		t.Errorf("weights %+v", m.Named)
	}
	if _, ok := FindPublished("wide"); ok {
		t.Error("the set wide is not of the thesis")
	}
}

// bound is a model of some features of a set.
func bound(t testing.TB, rules string, s features.Info, names []string, points []float64) *Model {
	t.Helper()
	w := testkit.Must(features.New("oware", rules, s, names, points))(t)
	return testkit.Must(Sets.Model(w))(t)
}

// weightings are the published weights, random ones of every set and the
// largest allowed.
func weightings(t testing.TB) []*Model {
	rng := rand.New(rand.NewPCG(3, 4))
	all := []*Model{fullFit()}
	for _, s := range Sets.All {
		random, largest := make([]float64, s.Len()), make([]float64, s.Len())
		for i := range random {
			random[i] = 100 * rng.NormFloat64()
			largest[i] = math.Copysign(features.MaxWeight, rng.Float64()-0.5)
		}
		for _, points := range [][]float64{random, largest} {
			w := bound(t, "awari", s.Info, s.Names(), points)
			all = append(all, w)
		}
	}
	s := Sets.All[0]
	some := bound(t, "abapa", s.Info, []string{">12", "captures"}, []float64{40.51, 36.58})
	return append(all, some)
}

func TestCountsIsTheFittedFunctionWithinRoundingAndAntisymmetric(t *testing.T) {
	if maxRounding > 0.53 {
		t.Fatalf("maxRounding %v: want at most 0.53", maxRounding)
	}
	ps := randomPositions(t, 10000)
	for _, w := range weightings(t) {
		e := NewCounts(w)
		for _, p := range ps {
			exact, got := w.Exact(p)*24/10, e.Evaluate(p)
			if !(math.Abs(float64(got)-exact) <= maxRounding) {
				t.Fatalf("%s %v: %d centi-seeds, exactly %v", w.Set, p, got, exact)
			}
			if other := e.Evaluate(p.Swap()); got != -other {
				t.Fatalf("%s %v: %d, with the other player to move %d", w.Set, p, got, other)
			}
		}
	}
}

func TestCountsAllocatesNothing(t *testing.T) {
	e := NewCounts(fullFit())
	p, sum := oware.Start(oware.Abapa), 0
	testkit.Equal(t, testing.AllocsPerRun(100, func() { sum += e.Evaluate(p) }), 0, "testing.AllocsPerRun")
	testkit.Equal(t, sum, 0, "the start is worth")
}

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
