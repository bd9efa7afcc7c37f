package tune

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"kroo/engine/uci/client"
	"kroo/internal/journal"
	"kroo/internal/parallel"
	"kroo/internal/testkit"
	"kroo/match"
	"kroo/match/elo"
)

// fakePair plays without a program: the higher value of the first option wins; equal values draw.
func fakePair(b match.Pairing) (o [2]elo.Outcome) {
	points := 1
	if a, b := b.Sides[0][0].Value, b.Sides[1][0].Value; a != b {
		points = map[bool]int{true: 2, false: 0}[strings.Contains(a, ".")]
	}
	o[0].HalfPoints, o[1].HalfPoints = points, points
	return o
}

// fakes plays pairings by a function, n at a time.
func fakes(workers int, play func(match.Pairing) [2]elo.Outcome) func(context.Context, parallel.Feed[match.Pairing], func(match.Pairing, [2]elo.Outcome) error) error {
	return func(ctx context.Context, feed parallel.Feed[match.Pairing], done func(match.Pairing, [2]elo.Outcome) error) error {
		return parallel.Collect(ctx, workers, feed, func(_ context.Context, _ int, b match.Pairing) ([2]elo.Outcome, error) { return play(b), nil }, done)
	}
}

func newTuning(iterations, ahead int) *tuning {
	c := Config{Ahead: ahead}
	c.Pairs = iterations
	return &tuning{spsa: newSPSA(hill, iterations, ahead, 1), result: newResult(c, "", hill)}
}

// A tuning that is stopped after any number of pairs ends as one that is not, whatever
// the number of workers.
func TestTuningResumesFromJournal(t *testing.T) {
	t.Parallel()
	const iterations, ahead = 60, 7
	var lock sync.Mutex
	journal := map[int]pair{}
	whole := newTuning(iterations, ahead)
	err := whole.play(t.Context(), nil, fakes(1, fakePair), func(p pair) error { journal[p.Iteration] = p; return nil })
	if err != nil || len(journal) != iterations || whole.spsa.applied != iterations {
		t.Fatalf("%d pairs, %d applied, error %v", len(journal), whole.spsa.applied, err)
	}
	want := whole.result.at(whole.spsa)
	for _, stop := range []int{1, 30, 59} {
		finished, stopped := map[int]pair{}, errors.New("stopped")
		keep := func(p pair) error {
			lock.Lock()
			defer lock.Unlock()
			if len(finished) == stop {
				return stopped
			}
			finished[p.Iteration] = p
			return nil
		}
		if err := newTuning(iterations, ahead).play(t.Context(), nil, fakes(3, fakePair), keep); !errors.Is(err, stopped) {
			t.Fatalf("error %v", err)
		}
		again := 0
		rest := newTuning(iterations, ahead)
		if err := rest.play(t.Context(), finished, fakes(3, fakePair), func(pair) error { again++; return nil }); err != nil || again != iterations-stop {
			t.Errorf("stopped after %d: %d more, error %v", stop, again, err)
		}
		if got := rest.result.at(rest.spsa); !reflect.DeepEqual(got, want) {
			t.Errorf("stopped after %d: %+v: want %+v", stop, got, want)
		}
	}
}

// A short tuning of which a quarter was forfeited ends in an error as well, with the reason.
func TestAShortTuningOfForfeitsFails(t *testing.T) {
	t.Parallel()
	for forfeits, want := range map[int]string{0: "", 1: "", 2: "2 of 8 games were forfeited; the first: no answer"} {
		n := 0
		some := func(match.Pairing) (o [2]elo.Outcome) {
			n++
			if n <= forfeits {
				o[0] = elo.Outcome{Forfeit: [2]bool{true, false}, Reason: "no answer"}
			}
			return o
		}
		err := newTuning(4, 1).play(t.Context(), nil, fakes(1, some), func(pair) error { return nil })
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d of 8 games: error %v, want %q", forfeits, err, want)
		}
	}
}

func TestATuningOfAProgramThatForfeitsEnds(t *testing.T) {
	t.Parallel()
	played := 0
	lost := func(match.Pairing) (o [2]elo.Outcome) {
		played++
		o[0].Forfeit[0], o[1].HalfPoints = true, 2
		return o
	}
	err := newTuning(1000, 1).play(t.Context(), nil, fakes(1, lost), func(pair) error { return nil })
	testkit.ErrorContains(t, err, "20 of 40 games were forfeited")
}

// announced are options of a program.
var announced = []client.Spec{
	{Name: "Contempt", Kind: "spin", Default: "24", Min: -100, Max: 100},
	{Name: "Margin", Kind: "string", Default: "0.5"},
	{Name: "Style", Kind: "combo", Default: "wild"},
	{Name: "Path", Kind: "string", Default: "<empty>"},
}

// read reads a file with a table of this text.
func read(t *testing.T, text string) ([]Parameter, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.toml")
	testkit.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return ReadParameters(path)
}

func TestParametersDefaultToAnnouncedValues(t *testing.T) {
	t.Parallel()
	list, err := read(t, `
[[parameter]]
option = "contempt"
c_end = 10
[[parameter]]
option = "Contempt2"
c_end = 1
[[parameter]]
option = "Margin"
start = 0.25
min = 0
max = 1
c_end = 0.1
r_end = 0.01`)
	testkit.NoError(t, err)
	list = append(list[:1], list[2])
	got, err := resolveAll(list, announced)
	want := []parameter{
		{Option: "Contempt", Whole: true, Start: 24, Min: -100, Max: 100, Perturbation: 10, Learning: defaultLearning},
		{Option: "Margin", Start: 0.25, Max: 1, Perturbation: 0.1, Learning: 0.01},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, error %v: want %+v", got, err, want)
	}
}

func TestParametersThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ fields, want string }{
		{"", "1 to 100"},
		{`option = ""` + "\nc_end = 1", "expected the name"},
		{`option = "Contempt"`, "c_end is 0"},
		{`option = "Contempt"` + "\nc_end = nan", "c_end = nan: expected a number"},
		{`option = "Contempt"` + "\nc_end = 0.2", "0.5 or more"},
		{`option = "Contempt"` + "\nc_end = 101", "at most half"},
		{`option = "Contempt"` + "\nc_end = 1\nr_end = 2", "r_end is 2"},
		{`option = "Contempt"` + "\nc_end = 1\nmin = 5\nmax = 5", "expected a range"},
		{`option = "Contempt"` + "\nc_end = 1\nmax = 101", "within -100 to 100"},
		{`option = "Contempt"` + "\nc_end = 1\nmin = 30", "start 24: expected 30 to 100"},
		{`option = "Contempt"` + "\nc_end = 1\nstart = 1.5", "whole numbers"},
		{`option = "Margin"` + "\nc_end = 0.1", "expected min and max"},
		{`option = "Margin"` + "\nc_end = 0.1\nmin = 0\nmax = inf", "max = inf: expected a number"},
		{`option = "Style"` + "\nc_end = 1", "expected an option that is a number"},
		{`option = "Path"` + "\nc_end = 1", "expected an option that is a number"},
		{`option = "None"` + "\nc_end = 1", "expected Contempt, Margin, Style or Path"},
	} {
		text := c.fields
		if text != "" {
			text = "[[parameter]]\n" + text
		}
		list, err := read(t, text)
		if err == nil {
			_, err = resolveAll(list, announced)
		}
		testkit.ErrorContains(t, err, c.want)
	}
	_, err := read(t, strings.Repeat("[[parameter]]\noption = \"Contempt\"\nc_end = 1\n", 2))
	testkit.ErrorContains(t, err, "twice")
}

// Parameters that are taken fit a program within the range that it announces, or are refused
// in one line.
func FuzzParameters(f *testing.F) {
	text := testkit.Read(f, "../../docs/search.toml")
	f.Add(string(text))
	f.Add("[[parameter]]\noption = 'contempt'\nc_end = 10\n[[parameter]]\noption = 'Margin'\nstart = 0.25\nmin = 0\nmax = 1\nc_end = 0.1\nr_end = 0.01")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := parseParameters(text)
		if err == nil {
			var fit []parameter
			fit, err = resolveAll(list, announced)
			for _, p := range fit {
				if !(p.Min <= p.Start && p.Start <= p.Max && p.Perturbation > 0 && p.Learning > 0) {
					t.Errorf("taken: %+v", p)
				}
			}
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: want one line", err)
		}
	})
}

// A result that is taken is described, and written and read again.
func FuzzResult(f *testing.F) {
	f.Add(`{"format":"` + Format + `","program":"p","iterations":2,"curve_spacing":1,"parameters":[{"option":"x","start":1,"min":0,"max":2,"value":1.5,"tuned":"1.5","moved":0.5,"curve":[1,1.5]}],"wins":1,"draws":1,"losses":2,"forfeits":1}`)
	f.Add(`{"format":"` + Format + `","iterations":1,"parameters":[{}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parseResult(strings.NewReader(text))
		if err != nil {
			return
		}
		if r.Doc().Text("tuned.json") == "" {
			t.Error("not described")
		}
		again := testkit.Must(json.Marshal(r))(t)
		if _, err := parseResult(strings.NewReader(string(again))); err != nil {
			t.Errorf("%s: %v", again, err)
		}
	})
}

// A pair that is taken from a journal can be applied.
func FuzzPair(f *testing.F) {
	f.Add([]byte(`{"i":1,"points":[2,0],"forfeits":1}`))
	f.Add([]byte(`{"i":-1,"points":[3]}`))
	f.Fuzz(func(t *testing.T, record []byte) {
		const iterations = 3
		p, err := journal.JSON[pair]().Decode(record)
		if err != nil || p.check(iterations) != nil {
			return
		}
		list := testkit.Must(resolveAll([]Parameter{{Option: "Contempt", Perturbation: 10}}, announced))(t)
		tuned := &tuning{spsa: newSPSA(list, iterations, iterations, 1), result: newResult(Config{Config: match.Config{Pairs: iterations}}, "p", list)}
		for i := range iterations {
			p.Iteration = i
			if err := tuned.apply(p); err != nil && p.Forfeits == 0 {
				t.Errorf("%+v: %v", p, err)
			}
		}
		if value := tuned.result.at(tuned.spsa).Parameters[0].Value; !(value >= -100 && value <= 100) {
			t.Errorf("%+v: tuned to %g", p, value)
		}
	})
}

// quadratic plays games whose odds follow from how far the values are from the best.
type quadratic struct {
	best, width []float64
	random      *rand.Rand
}

func (q quadratic) strength(x []float64) (s float64) {
	for i := range x {
		d := (x[i] - q.best[i]) / q.width[i]
		s -= d * d
	}
	return s
}

// pair is games won less games lost by a, of two.
func (q quadratic) pair(a, b []float64) (result int) {
	odds := 1 / (1 + math.Exp(q.strength(b)-q.strength(a)))
	for range 2 {
		switch r := q.random.Float64(); {
		case r < odds-0.1:
			result++
		case r > odds+0.1:
			result--
		}
	}
	return result
}

var hill = []parameter{
	{Option: "whole", Whole: true, Start: 100, Min: 0, Max: 1000, Perturbation: 20, Learning: 0.02},
	{Option: "fraction", Start: 0.9, Min: 0, Max: 1, Perturbation: 0.05, Learning: 0.02},
	{Option: "coarse", Whole: true, Start: 9, Min: 1, Max: 12, Perturbation: 0.8, Learning: 0.02},
	{Option: "at its end", Whole: true, Start: 30, Min: 0, Max: 60, Perturbation: 4, Learning: 0.02},
}

func newHill(seed uint64) quadratic {
	return quadratic{best: []float64{300, 0.3, 4, 80}, width: []float64{80, 0.2, 3, 20}, random: rand.New(rand.NewPCG(seed, 1))}
}

// Values without effect on games end as far from their start as chance predicts, normally
// distributed: two thirds within one standard deviation.
func TestChanceIsHowFarUnfeltValuesWander(t *testing.T) {
	t.Parallel()
	wide := []parameter{{Option: "unfelt", Start: 0, Min: -1e6, Max: 1e6, Perturbation: 20, Learning: 0.02}}
	random := rand.New(rand.NewPCG(7, 7))
	const tunings = 400
	square, within := 0.0, 0
	for seed := range uint64(tunings) {
		s := newSPSA(wide, 200, 8, seed)
		for range 200 {
			s.apply(random.IntN(5) - 2)
		}
		z := s.values()[0] / s.chance(0)
		square += z * z
		if math.Abs(z) < 1 {
			within++
		}
	}
	if rms := math.Sqrt(square / tunings); math.Abs(rms-1) > 0.12 || within < 240 || within > 306 {
		t.Errorf("root mean square %.2f of what chance says, %d of %d within: want 1 and some 273", rms, within, tunings)
	}
}

func TestSPSAClimbsANoisyHill(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		for _, ahead := range []int{1, 16} {
			q := newHill(seed)
			const iterations = 20_000
			s := newSPSA(hill, iterations, ahead, seed)
			for i := range iterations {
				s.apply(q.pair(s.sides(i)))
			}
			want := []float64{300, 0.3, 4, 60} // the last cannot reach its best
			for j, p := range hill {
				if off := math.Abs(s.values()[j] - want[j]); off > 2*p.Perturbation {
					t.Errorf("seed %d, %d ahead: %s %.3g: want %g", seed, ahead, p.Option, s.values()[j], want[j])
				}
			}
		}
	}
}

// The last iteration has the perturbations that the user sets, and they decrease by Spall's formulas.
func TestGainsAreThoseOfFishtest(t *testing.T) {
	t.Parallel()
	s := newSPSA(hill, 1000, 1, 1)
	p := hill[0]
	c, a := s.perturbation(p, 999), s.rate(p, 999)
	if c != 20 || math.Abs(a-0.02*20*20) > 1e-9 {
		t.Errorf("the last perturbation and rate are %g and %g", c, a)
	}
	c, a = s.perturbation(p, 0), s.rate(p, 0)
	if want := 20 * math.Pow(1000, 0.101); math.Abs(c-want) > 1e-9 {
		t.Errorf("the first perturbation is %g: want %g", c, want)
	}
	if want := 8 * math.Pow(1100./101, 0.602); math.Abs(a-want) > 1e-9 {
		t.Errorf("the first rate is %g: want %g", a, want)
	}
}

func TestSidesStayInRangeAndWhole(t *testing.T) {
	t.Parallel()
	s := newSPSA([]parameter{
		{Whole: true, Start: 1, Min: 0, Max: 3, Perturbation: 5, Learning: 1},
		{Start: 0.5, Min: 0.25, Max: 0.75, Perturbation: 0.1, Learning: 1},
		{Whole: true, Start: 50, Min: 0, Max: 100, Perturbation: 0.25, Learning: 1e-9},
	}, 1000, 1, 7)
	var sum float64
	for i := range 1000 {
		plus, minus := s.sides(i)
		for j, p := range s.parameters {
			for _, x := range []float64{plus[j], minus[j]} {
				if x < p.Min || x > p.Max || p.Whole && x != math.Trunc(x) {
					t.Fatalf("iteration %d plays %g of %+v", i, x, p)
				}
			}
		}
		sum += math.Abs(plus[2] - minus[2])
		s.apply(i%5 - 2)
	}
	// The step falls from 0.25·1000^0.101 to 0.25: its mean is 0.278.
	if mean := sum / 1000; math.Abs(mean-2*0.278) > 0.05 {
		t.Errorf("whole sides are %.3f apart: want twice the step", mean)
	}
}

// The values that an iteration plays with do not depend on how many more are applied.
func TestIterationsAheadUseOnlyEarlierResults(t *testing.T) {
	t.Parallel()
	const ahead, iterations = 4, 100
	early, late := newSPSA(hill, iterations, ahead, 3), newSPSA(hill, iterations, ahead, 3)
	result := func(i int) int { return i*7%5 - 2 }
	for i := range iterations {
		if i >= ahead { // as late as may be
			late.apply(result(i - ahead))
		}
		a, _ := late.sides(i)
		b, _ := early.sides(i)
		if !slices.Equal(a, b) {
			t.Fatalf("iteration %d: %v applied late, %v at once", i, a, b)
		}
		early.apply(result(i))
	}
}

// A result reads back from its file; options have the tuned values or those of the start.
func TestResultsReadBack(t *testing.T) {
	t.Parallel()
	const iterations = 301 // more than a curve has points: every second value is one, and the last
	tuned := newTuning(iterations, 3)
	testkit.NoError(t, tuned.play(t.Context(), nil, fakes(2, fakePair), func(pair) error { return nil }))
	r := tuned.result.at(tuned.spsa)
	path := filepath.Join(t.TempDir(), "tuned.json")
	testkit.NoError(t, r.Write(path))
	file := testkit.Must(os.Open(path))(t)
	defer file.Close()
	got := testkit.Must(parseResult(file))(t)
	if !reflect.DeepEqual(got, r) {
		t.Errorf("read back: %+v: want %+v", got, r)
	}
	testkit.Equal(t, got.Wins+got.Draws+got.Losses, 2*iterations, "games")
	for i, p := range r.Parameters {
		testkit.Equal(t, r.Options()[i], client.Option{Name: hill[i].Option, Value: hill[i].text(p.Value)}, "tuned option")
		start := testkit.Must(strconv.ParseFloat(r.Starts()[i].Value, 64))(t)
		testkit.Equal(t, start, hill[i].Start, "start of %s", r.Starts()[i].Name)
		testkit.Equal(t, len(p.Curve), 2+iterations/2, "points of the curve of %s", p.Option)
		testkit.Equal(t, p.Curve[0], hill[i].Start, "first point of the curve of %s", p.Option)
		testkit.Equal(t, p.Curve[1+iterations/2], p.Value, "last point of the curve of %s", p.Option)
	}
	d := testkit.Must(Describe(path))(t)
	testkit.Contains(t, d.Title+d.Body(), "301 pairs of games", hill[0].Option, r.Parameters[0].Tuned)
}

func TestFilesOfOtherResultsAreRefused(t *testing.T) {
	t.Parallel()
	good := `{"format":"kroo-tuning 1","program":"p","iterations":4,"curve_spacing":1,"parameters":[{"option":"A"}],"wins":8,"draws":0,"losses":0,"forfeits":0}`
	refuse := func(old, new, says string) {
		t.Helper()
		path := testkit.File(t, "tuned.json", strings.Replace(good, old, new, 1))
		_, err := Describe(path)
		if says == "" {
			testkit.NoError(t, err)
			return
		}
		testkit.ErrorContains(t, err, path, "not the values of a tuning", says)
	}
	refuse("", "", "")
	refuse("kroo-tuning 1", "kroo-tuning 9", `"kroo-tuning 9": expected "kroo-tuning 1"`)
	refuse(`[{"option":"A"}]`, `[]`, "0 parameters: expected 1 to")
	refuse(`"iterations":4`, `"iterations":0`, "counts of games")
	refuse(`"losses":0`, `"losses":-1`, "expected none below 0")
	refuse(`"format"`, `"fromat"`, "fromat")
	if _, err := Describe(filepath.Join(t.TempDir(), "none.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v: expected that there is no file", err)
	}
}

// A range may be all that the program announces, its start at either end, and c_end half of it.
func TestParametersMayBeAtTheirLimits(t *testing.T) {
	for _, p := range []parameter{
		{Option: "a", Start: 0, Min: 0, Max: 10, Perturbation: 5, Whole: true},
		{Option: "b", Start: 10, Min: 0, Max: 10, Perturbation: 0.5, Whole: true},
		{Option: "c", Start: 1e12, Min: -1e12, Max: 1e12, Perturbation: 1},
	} {
		testkit.NoError(t, p.check(p.Min, p.Max))
	}
}

func TestImpossiblePairsAreRefused(t *testing.T) {
	for _, p := range []pair{{}, {Iteration: 4, HalfPoints: [2]int{2, 2}, Forfeits: 2}} {
		testkit.NoError(t, p.check(5))
	}
	for _, p := range []pair{
		{Iteration: -1}, {Iteration: 5}, {HalfPoints: [2]int{-1, 0}}, {HalfPoints: [2]int{0, -1}}, {Forfeits: -1},
		{HalfPoints: [2]int{3, 0}}, {HalfPoints: [2]int{0, 3}}, {Forfeits: 3},
	} {
		testkit.ErrorContains(t, p.check(5), "impossible pair")
	}
}

func TestTheProgressOfATuningCountsForfeits(t *testing.T) {
	r := Result{Parameters: []Tuned{{Option: "a", Value: 1.5}}}
	testkit.Equal(t, r.values(), "a 1.5", "without forfeits")
	r.Forfeits = 1
	testkit.Equal(t, r.values(), "1 forfeit, a 1.5", "with one")
}
