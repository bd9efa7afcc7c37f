package oware

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

func parse(t testing.TB, spec string) *PatternSet {
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

func compiled(t testing.TB, m *Model) *Evaluator {
	t.Helper()
	return testkit.Must(Compile(m))(t)
}

func compilationOf(t testing.TB, m *Model) compilation {
	t.Helper()
	return testkit.Must(compile(m))(t)
}

// modelsOfAllKinds have weights from small to the largest that tables can represent.
func modelsOfAllKinds(t testing.TB) []*Model {
	models := []*Model{
		randomModel(t, full, 20), randomModel(t, full, 150), randomModel(t, staged, 60),
		randomModel(t, "houses", 1000), randomModel(t, "store/4+houses/4", 30), randomModel(t, "houses+pairs/2", 100),
		randomModel(t, "phase+fours/4", 40),
	}
	for _, f := range publishedModels {
		m, _ := FindByName(f.name)
		models = append(models, m)
	}
	return models
}

func TestEvaluateIsTheFittedFunctionWithinRounding(t *testing.T) {
	ps := randomPositions(t, 1000)
	places := map[uint]bool{}
	for _, m := range modelsOfAllKinds(t) {
		e := compiled(t, m)
		places[smallPlaces-e.shift] = true
		worst := 0.0
		for _, p := range ps {
			for _, p := range []oware.Position{p, p.Swap(), p.Mirror()} {
				exact := m.Exact(p) * 2.4
				got := e.Evaluate(p)
				off := math.Abs(float64(got) - exact)
				if !(off <= e.Rounding()) {
					t.Fatalf("%s %v: %d centi-seeds, exactly %v, rounding %v", m.Set, p, got, exact, e.Rounding())
				}
				worst = max(worst, off)
			}
		}
		if e.patterns[0] != nil && worst < e.Rounding()/4 {
			t.Errorf("%s: rounding %v, but no position is off by more than %v", m.Set, e.Rounding(), worst)
		}
	}
	if len(places) < 2 {
		t.Errorf("all entries have the same binary places: %v", places)
	}
}

// Each entry for play is the nearest multiple of its table's unit, halves up, and fits into a byte.
func TestEntriesAreTheNearestUnits(t *testing.T) {
	for _, most := range []int{0, 1, 100, 127, 128, 5000, math.MaxInt16} {
		var fine fineTable
		for i := range fine {
			fine[i] = int16(i%(2*most+1) - most)
		}
		if most == math.MaxInt16 {
			fine[7] = math.MinInt16
		}
		var t8 patternTables
		const shift = 4
		t8.roundToInt8(2, &fine, shift)
		unit := int(t8.units[2]) >> shift
		if want := max(1, (most+126)/127); unit != want && most != math.MaxInt16 {
			t.Errorf("most %d: unit %d: want %d", most, unit, want)
		}
		for i, v := range fine {
			want := int(math.Floor(float64(v)/float64(unit) + 0.5))
			if got := int(t8.entries[2][i]); got != want {
				t.Fatalf("most %d, unit %d: %d becomes %d: want %d", most, unit, v, got, want)
			}
		}
	}
}

func TestCompileRefusesEntriesThatDoNotFit(t *testing.T) {
	for spec, want := range map[string]string{"houses": "house A", "store": "stores", "pairs": "houses ABC", "sixes": "houses ABC"} {
		s := parse(t, spec)
		m, err := Sets.NewModel("abapa", s, make([]float64, s.Len()), features.Provenance{})
		testkit.NoError(t, err)
		m.Weights[0] = features.MaxWeight
		_, err = Compile(m)
		testkit.ErrorContains(t, err, want)
		out := testkit.File(t, "t.weights", "an earlier fit's")
		models := features.ModelPath(out)
		_, err = keep(m, out, models)
		testkit.ErrorContains(t, err, out+" is not written", want, "the model is in "+models)
		testkit.Equal(t, testkit.Text(t, out), "an earlier fit's", "the earlier tables")
		if _, err := Sets.Load(models); err != nil {
			t.Error(err)
		}
	}
}

func TestLargestSmallEntriesDoNotOverflow(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		s := parse(t, "houses")
		w := make([]float64, s.Len())
		for i := range w {
			w[i] = sign * maxSmall / centi * 0.99999
		}
		m := testkit.Must(Sets.NewModel("abapa", s, w, features.Provenance{}))(t)
		p := oware.Start(oware.Abapa)
		if got, want := compiled(t, m).Evaluate(p), m.Exact(p)*centi; math.Abs(float64(got)-want) > compiled(t, m).Rounding() {
			t.Errorf("%d: want %v", got, want)
		}
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	e := compiled(t, randomModel(t, "pairs/2", 10))
	p, sum := oware.Start(oware.Abapa), 0
	testkit.Equal(t, testing.AllocsPerRun(100, func() { sum += e.Evaluate(p) }), 0, "testing.AllocsPerRun")
	values, ps := make([]int32, 0, 20), make([]oware.Position, 20)
	testkit.Equal(t, testing.AllocsPerRun(100, func() { values = e.AppendValues(values[:0], ps) }), 0, "testing.AllocsPerRun")
}

func TestAppendValuesIsEvaluateOfEach(t *testing.T) {
	ps := randomPositions(t, 300)
	for _, m := range modelsOfAllKinds(t) {
		e := compiled(t, m)
		for n := range 2*batchSize + 2 {
			for from := 0; from+n <= len(ps); from += n + 1 {
				want := []int32{-7} // dst's content is kept
				for _, p := range ps[from:][:n] {
					want = append(want, int32(e.Evaluate(p)))
				}
				if got := e.AppendValues([]int32{-7}, ps[from:][:n]); !slices.Equal(got, want) {
					t.Fatalf("%s, %d positions from %d on: %v; want %v", m.Set, n, from, got, want)
				}
			}
		}
	}
}

func TestHashOfTheEvaluatorFollowsPlay(t *testing.T) {
	m := randomModel(t, "store+pairs", 10)
	e := compiled(t, m)
	if again := compiled(t, m); again.Hash() != e.Hash() || len(e.Hash()) != 16 {
		t.Errorf("hashes %q and %q of one model", e.Hash(), again.Hash())
	}
	m.Provenance.Note = "no matter for play"
	testkit.Equal(t, compiled(t, m).Hash(), e.Hash(), "the hash depends on provenance")
	m.Weights[0]++
	if compiled(t, m).Hash() == e.Hash() {
		t.Error("the hash does not depend on a weight")
	}
}

// walk returns positions in the order in which a search visits them: the leaves of small trees
// along random games.
func walk() (ps []oware.Position) {
	const size = 1 << 17
	var leaves func(p oware.Position, depth int)
	leaves = func(p oware.Position, depth int) {
		if _, over := p.Terminal(); over || depth == 0 {
			ps = append(ps, p)
			return
		}
		for _, m := range p.AppendMoves(nil) {
			leaves(p.Play(m), depth-1)
		}
	}
	for i, p := range gamePositions(rand.New(rand.NewPCG(5, 6)), 1<<12) {
		if i%4 == 0 {
			leaves(p, 4)
		}
		if len(ps) >= size {
			break
		}
	}
	return ps[:size]
}

func benchmarkEvaluate(b *testing.B, e *Evaluator) {
	ps := walk()
	var sum int
	for i := 0; b.Loop(); i++ {
		sum += e.Evaluate(ps[i&(len(ps)-1)])
	}
	sink = sum
}

func BenchmarkEvaluateFull(b *testing.B) { benchmarkEvaluate(b, compiled(b, randomModel(b, full, 20))) }
func BenchmarkEvaluateStaged(b *testing.B) {
	benchmarkEvaluate(b, compiled(b, randomModel(b, staged, 20)))
}
func BenchmarkCompileFull(b *testing.B) {
	m := randomModel(b, full, 20)
	for b.Loop() {
		compiled(b, m)
	}
}

var sink int

// A model made of tables is compiled to the same function; weights without stages are repeated in a
// set with stages, and weights with stages need a set with as many.
func TestDecompiledWeightsCompileToTheSameFunction(t *testing.T) {
	const plain = "store+phase+storephase+houses+pairs+sixes"
	for spec, into := range map[string]string{
		"store+phase+storephase+houses+pairs+triples+quads+sixes": plain, "store+houses": plain, "storephase+houses+sixes": plain, "pairs+rows": plain,
		"store+phase+houses+pairs+sixes":            "storephase+houses/3+pairs/3+sixes",
		"storephase+houses+quads":                   "storephase+houses/4+sixes/4",
		"store+houses/2+pairs/2+quads+sixes":        "storephase+houses/2+pairs/2+sixes/2",
		"storephase+houses/4+triples/4+quads/4":     "storephase+houses/4+sixes/4",
		"storephase+houses/3+triples+adjacent+rows": "storephase+houses/3+sixes/3",
	} {
		e := compilationOf(t, randomModel(t, spec, 20))
		m := testkit.Must(decompile(e, parse(t, into)))(t)
		again := compiled(t, m)
		if into == plain && strings.Contains(spec, "sixes") && strings.Contains(spec, "pairs") && again.Hash() != e.Hash() {
			t.Errorf("%s: other tables", spec)
		}
		for _, p := range randomPositions(t, 1000) {
			if a, b := e.Evaluate(p), again.Evaluate(p); a != b {
				t.Fatalf("%s as %s: %v is %d, was %d", spec, into, p, b, a)
			}
		}
	}
}

func TestDecompileRefuses(t *testing.T) {
	e := compilationOf(t, randomModel(t, "store+pairs", 10))
	_, err := decompile(e, parse(t, "storephase+houses+pairs"))
	testkit.ErrorContains(t, err, "storephase, houses and sixes")
	staged := compilationOf(t, randomModel(t, "pairs/2", 10))
	for _, spec := range []string{"storephase+houses+sixes", "storephase+houses/2+sixes", "storephase+houses/3+sixes/3"} {
		_, err := decompile(staged, parse(t, spec))
		testkit.ErrorContains(t, err, "houses/2 and sixes/2")
	}
}

// On the grid, entries of pattern tables in a file are exact: only stores and houses are rounded.
func TestEntriesOfWeightsOnTheGridAreExact(t *testing.T) {
	m := randomModel(t, "storephase+houses+pairs/2+triples+quads/2+sixes", 3)
	before := append([]float64(nil), m.Weights...)
	m.Set.(*PatternSet).ToGrid(m.Weights)
	for i, w := range m.Weights {
		if d := math.Abs(float64(w - before[i])); d > gridUnit*0.501 {
			t.Fatalf("column %d (%s): %v became %v", i, m.Set.ColumnName(i), before[i], w)
		}
	}
	c := compilationOf(t, m)
	if places := smallPlaces - c.shift; places != maxPlaces {
		t.Fatalf("%d binary places: want %d, as the weights are small", places, maxPlaces)
	}
	const most = 13*0.5/(1<<smallPlaces) + 1e-3 // float32 of points
	for _, p := range randomPositions(t, 2000) {
		if d := math.Abs(c.fineValue(p) - m.Exact(p)*centi); d > most {
			t.Fatalf("%v: %v centi-seeds off: want at most %v", p, d, most)
		}
	}
}

// fineValue is the value by the file's tables, not rounded.
func (c compilation) fineValue(p oware.Position) float64 {
	stage := c.stageAt(p)
	sum := int(c.stores[p.Store()<<6|p.OpponentStore()].value)
	for h, n := range seedsOf(p) {
		sum += int(c.house(stage, h, int(n)))
	}
	b := bucketsOf(p)
	for pair, six := range sixes() {
		sum += int(c.fine[stage][pair][six.column(&b)]) << c.shift
	}
	return float64(sum) / (1 << smallPlaces)
}

// Weights of few houses compress: most differences of the tables are zero.
func TestCompiledFilesOfWeightsOnTheGridAreSmall(t *testing.T) {
	size := func(m *Model) int {
		path := filepath.Join(t.TempDir(), "m.weights")
		testkit.NoError(t, save(compilationOf(t, m), path))
		f := testkit.Must(os.Stat(path))(t)
		return int(f.Size())
	}
	m := randomModel(t, "houses+pairs+triples", 3)
	off := size(m)
	m.Set.(*PatternSet).ToGrid(m.Weights)
	if on := size(m); on*4 > off {
		t.Errorf("%d bytes on the grid, %d off it: want at most a quarter", on, off)
	}
}
