package sampler

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/testkit"
)

var allRules = []oware.Rules{oware.Abapa, oware.Awari, oware.Simple}

// eachArrangement calls f with every way to put n seeds into places.
func eachArrangement(n int, places []int, f func()) {
	if len(places) == 1 {
		places[0] = n
		f()
		return
	}
	for k := range n + 1 {
		places[0] = k
		eachArrangement(n-k, places[1:], f)
	}
}

func choose(n, k int64) int64 {
	c := int64(1)
	for i := int64(1); i <= k; i++ {
		c = c * (n - k + i) / i
	}
	return c
}

// boardsOn counts the arrangements of n seeds on which the player to move has a legal move. Without
// own seeds there is no move. In abapa an opponent without seeds must be fed, which is impossible if
// house i, from the left, has at most 5−i seeds.
func boardsOn(n int, r oware.Rules) int64 {
	if n == 0 {
		return 0
	}
	boards := choose(int64(n)+11, 11) - choose(int64(n)+5, 5)
	if r == oware.Abapa && n <= 15 {
		var h [6]int
		eachArrangement(n, h[:], func() {
			for i, seeds := range h {
				if seeds > 5-i {
					return
				}
			}
			boards--
		})
	}
	return boards
}

func TestCountedBoardsAreThoseWithALegalMove(t *testing.T) {
	for _, r := range allRules {
		for n := range 6 {
			var found int64
			var houses [12]int
			eachArrangement(n, houses[:], func() {
				p := testkit.Must(oware.New(r, houses, [2]int{24, 24 - n}, oware.South))(t)
				if p.Legal() != 0 {
					found++
				}
			})
			if want := boardsOn(n, r); found != want {
				t.Errorf("%v, %d seeds: %d boards with a move: counted %d", r, n, found, want)
			}
			if want := choose(int64(n)+11, 11); arrangements(n) != want {
				t.Errorf("%d seeds: %d arrangements: want %d", n, arrangements(n), want)
			}
		}
	}
}

// qualifies reports whether a game can continue with these stores.
func qualifies(south, north int) bool {
	return south != 1 && north != 1 && south <= 24 && north <= 24 && south+north < 48
}

// checkCounts compares counts with weights by Pearson's chi-square; cells with an expectation below
// ten are merged.
func checkCounts(t *testing.T, name string, counts, weights []float64) {
	t.Helper()
	var n, w float64
	for i := range counts {
		n, w = n+counts[i], w+weights[i]
	}
	var observed, expected []float64
	var small [2]float64
	for i := range counts {
		e := weights[i] / w * n
		switch {
		case e == 0 && counts[i] != 0:
			t.Errorf("%s: cell %d holds %v: expected none", name, i, counts[i])
		case e < 10:
			small[0], small[1] = small[0]+counts[i], small[1]+e
		default:
			observed, expected = append(observed, counts[i]), append(expected, e)
		}
	}
	if small[1] > 0 {
		observed, expected = append(observed, small[0]), append(expected, small[1])
	}
	if len(observed) < 5 {
		t.Fatalf("%s: only %d cells", name, len(observed))
	}
	free := float64(len(observed) - 1)
	x := stat.ChiSquare(observed, expected)
	if p := (distuv.ChiSquared{K: free}).Survival(x); p < 1e-4 {
		t.Errorf("%s: chi-square %.1f with %v degrees of freedom, p = %g", name, x, free, p)
	}
}

// drawPositions draws cfg.N positions by a method that needs no search, Uniform or PPS.
func drawPositions[P search.Position[P]](ctx context.Context, g *games.Game[P], cfg Config) ([]P, error) {
	cfg, err := cfg.withDefaults(g.Info)
	if err != nil {
		return nil, err
	}
	if cfg.Method != Uniform && cfg.Method != PPS {
		return nil, fmt.Errorf("the method %s needs Sample: expected %s or %s", cfg.Method, Uniform, PPS)
	}
	var out []P
	for d, err := range random(ctx, g, cfg) {
		if err != nil || len(out) == cfg.N {
			return out, err
		}
		out = append(out, d.Position)
	}
	return out, nil
}

func drawOware(c Config) ([]oware.Position, error) {
	return drawPositions(context.Background(), oware.Descriptor(), c)
}

// sample is a large sample. Its chi-square values depend only on the code.
func sample(t *testing.T, method string, r oware.Rules) []oware.Position {
	t.Helper()
	return testkit.Must(drawOware(Config{Method: method, N: 100_000, Seed: 7, Rules: r.String()}))(t)
}

func TestDrawnPositionsQualify(t *testing.T) {
	for _, r := range allRules {
		for _, method := range []string{Uniform, PPS} {
			for _, p := range sample(t, method, r) {
				if _, over := p.Terminal(); over || !p.Reachable() || p.ToMove() != oware.South || p.Rules() != r {
					t.Fatalf("%v %s: %v does not qualify", r, method, p)
				}
			}
		}
	}
}

// weightOf is how often a method should draw boards with c captured seeds, relative to their
// number.
var weightOf = map[string]func(c int) float64{
	Uniform: func(int) float64 { return 1 },
	PPS:     func(c int) float64 { return float64(c) },
}

// boardsOn gives the exact number of boards with given stores, so both methods are tested on every
// pair of stores, and thus on every layer.
func TestStoresAreDrawnInProportionToTheirWeights(t *testing.T) {
	for _, r := range allRules {
		for method, weight := range weightOf {
			var counts, weights [25 * 25]float64
			for south := range 25 {
				for north := range 25 {
					if qualifies(south, north) {
						c := south + north
						weights[25*south+north] = weight(c) * float64(boardsOn(48-c, r))
					}
				}
			}
			for _, p := range sample(t, method, r) {
				counts[25*p.Store()+p.OpponentStore()]++
			}
			checkCounts(t, r.String()+" "+method+" stores", counts[:], weights[:])
		}
	}
}

// All residues of ranks modulo 97 are equally frequent, to within one, and almost certainly so
// among boards that qualify.
func TestUniformDrawsRanksEvenly(t *testing.T) {
	var counts, weights [97]float64
	for _, p := range sample(t, Uniform, oware.Abapa) {
		counts[p.Rank()%97]++
	}
	for i := range weights {
		weights[i] = 1
	}
	checkCounts(t, "ranks", counts[:], weights[:])
}

func TestArrangementsAreEquallyLikely(t *testing.T) {
	const n = 3
	var counts, weights []float64
	cell := map[[12]int]int{}
	var houses [12]int
	eachArrangement(n, houses[:], func() {
		cell[houses] = len(weights)
		weights = append(weights, 1)
	})
	counts = make([]float64, len(weights))
	rng := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		counts[cell[arrange(rng, n)]]++
	}
	checkCounts(t, "arrangements", counts, weights)
}

// The obvious way to the same weights: draw from all ranks and keep a board with probability
// proportional to its captured seeds.
func TestPPSAgreesWithKeepingUniformDraws(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	draw, _, err := owareDrawer(Config{Method: Uniform, Rules: "abapa"})
	testkit.NoError(t, err)
	var slow []oware.Position
	for len(slow) < 50_000 {
		p := testkit.Must(draw(rng))(t)
		if rng.IntN(48) < p.Progress() {
			slow = append(slow, p)
		}
	}
	fast := sample(t, PPS, oware.Abapa)
	for house := range 12 {
		a, b := histogram(fast, house), histogram(slow, house)
		var x, free float64
		for k := range a {
			if n := a[k] + b[k]; n >= 20 { // two-sample chi-square for unequal sizes
				d := a[k]*float64(len(slow)) - b[k]*float64(len(fast))
				x += d * d / n / float64(len(slow)) / float64(len(fast))
				free++
			}
		}
		if p := (distuv.ChiSquared{K: free - 1}).Survival(x); p < 1e-4 {
			t.Errorf("house %d: chi-square %.1f with %v degrees of freedom, p = %g", house, x, free-1, p)
		}
	}
}

func histogram(ps []oware.Position, house int) (counts [49]float64) {
	for _, p := range ps {
		counts[p.House(house)]++
	}
	return counts
}

func TestSameSeedSamePositions(t *testing.T) {
	for _, method := range []string{Uniform, PPS} {
		cfg := Config{Method: method, N: 1000, Seed: 42}
		a := testkit.Must(drawOware(cfg))(t)
		b := testkit.Must(drawOware(cfg))(t)
		testkit.EqualSlices(t, a, b, "%s: the same seed gives other positions", method)
		cfg.Seed++
		if c, err := drawOware(cfg); err != nil || slices.Equal(a, c) {
			t.Errorf("%s: another seed gives the same positions (error %v)", method, err)
		}
		cfg.Seed, cfg.N = 42, 100
		if c, err := drawOware(cfg); err != nil || !slices.Equal(a[:100], c) {
			t.Errorf("%s: a smaller sample is not the beginning of a larger one (error %v)", method, err)
		}
	}
}

func TestDrawStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := drawPositions(ctx, oware.Descriptor(), Config{Method: Uniform, N: 10})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v: want %v", err, context.Canceled)
	}
}

func TestConfigErrorsListTheAllowedValues(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Method: "chess", N: 1}, `method is "chess": expected uniform, pps, games, file or mix`},
		{Config{Method: PPS, N: 0}, "n is 0: expected 1 to 100000000"},
		{Config{Method: PPS, N: MaxN + 1}, "n is 100000001: expected 1 to 100000000"},
		{Config{Method: PPS, N: 1, Rules: "kalah"}, "expected abapa, awari, simple, simple-to-end or arena"},
		{Config{Method: PPS, N: 1, Population: "all"}, "expected reachable or thesis"},
		{Config{Method: PPS, N: 1, Split: 0.6}, "split is 0.6: expected 0 to 0.5"},
		{Config{Method: PPS, N: 1, RandomMoves: new(1.5)}, "random_moves is 1.5: expected 0 to 1"},
		{Config{Method: file, N: 1}, "expected a file"},
		{Config{Method: played, N: 1}, "needs Sample"},
	} {
		_, err := drawOware(c.cfg)
		testkit.ErrorContains(t, err, c.want)
	}
}

// The numbers of Sala Soler 2014 and ours, from their formulas; the middle one is counted by
// definition for small boards.
func TestPopulations(t *testing.T) {
	testkit.Equal(t, choose(61, 13), allBoards, "choose")
	testkit.Equal(t, choose(61, 13)-2*choose(58, 11), thesisBoards, "choose")
	var reachable int64
	for south := range 49 {
		for north := range 49 - south {
			if south != 1 && north != 1 {
				reachable += arrangements(48 - south - north)
			}
		}
	}
	testkit.Equal(t, reachable, reachableBoards, "reachable")
}

func TestThesisPopulationHasStoresOfOneSeed(t *testing.T) {
	ps := testkit.Must(drawOware(Config{Method: Uniform, Population: Thesis, N: 20_000, Seed: 4}))(t)
	ones := 0
	for _, p := range ps {
		if _, over := p.Terminal(); over {
			t.Fatalf("%v is over", p)
		}
		if !p.Reachable() {
			ones++
		}
	}
	// 31.29 % of all boards; slightly less of those on which the game is not over.
	if share := float64(ones) / float64(len(ps)); share < 0.29 || share > 0.33 {
		t.Errorf("a share of %.3f has a store of one seed: want 0.31", share)
	}
}

func TestPopulationsAndSizesAreOwares(t *testing.T) {
	for _, c := range []Config{{Method: PPS, N: 1}, {Method: Uniform, Population: Thesis, N: 1}} {
		_, err := drawPositions(context.Background(), tictactoe.Descriptor(), c)
		testkit.ErrorContains(t, err, "oware's")
	}
}
