package farm

import (
	"reflect"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/gametest"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

var owareCodec = codec[oware.Position]{Game: oware.Descriptor(), Rules: "abapa"}

// answered are jobs with their results.
func answered(t testing.TB) ([]engine.Job[oware.Position], []engine.Answer) {
	t.Helper()
	over, err := oware.ParseBoard(oware.Abapa, "0-0-0-0-0-0-0-0-0-0-0-0-25-23-S")
	testkit.NoError(t, err)
	var jobs []engine.Job[oware.Position]
	for _, p := range append(gametest.Walk(oware.Start(oware.Abapa), 40), over) {
		jobs = append(jobs, engine.Job[oware.Position]{Position: p, Limits: search.Limits{Nodes: 2000}})
	}
	jobs[1].Limits = search.Limits{Depth: 3}
	var results []engine.Answer
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{HashMB: 1, Tables: engine.NoTables}}, "abapa"))(t)
	pool := testkit.Must(e.Searchers(1))(t)
	for _, j := range jobs {
		r, err := pool.One(t.Context(), j)
		testkit.NoError(t, err)
		r.Time = 0
		results = append(results, r)
	}
	return jobs, results
}

func TestJobsAndAnswersComeBackAsTheyWere(t *testing.T) {
	jobs, results := answered(t)
	for i, j := range jobs {
		back, err := owareCodec.decodeJob(encoded(t, j))
		if err != nil || back != j {
			t.Errorf("job %+v comes back as %+v, %v", j, back, err)
		}
		r, err := owareCodec.decodeAnswer(encodeAnswer(results[i]), j)
		if err != nil || !reflect.DeepEqual(r, results[i]) {
			t.Errorf("answer %+v comes back as %+v, %v", results[i], r, err)
		}
	}
}

func encoded(t testing.TB, j engine.Job[oware.Position]) []byte {
	t.Helper()
	b, err := owareCodec.encodeJob(j)
	testkit.NoError(t, err)
	return b
}

func TestImpossibleAnswersAreRefused(t *testing.T) {
	jobs, results := answered(t)
	for want, spoil := range map[string]func(*engine.Answer){
		"score 20001, steady":          func(a *engine.Answer) { a.Score = 20_001 },
		"expected a legal one":         func(a *engine.Answer) { a.Move = 11 },
		"the same where one is proven": func(a *engine.Answer) { a.Steady = search.Win - 3 },
		"of the limit":                 func(a *engine.Answer) { a.Nodes = 1_000_000 },
		"0 nodes":                      func(a *engine.Answer) { a.Nodes = 0 },
		"it has a best move: false":    func(a *engine.Answer) { a.HasMove = false },
		"proven is true":               func(a *engine.Answer) { a.Proven = true },
		"from a book":                  func(a *engine.Answer) { a.Book = true },
	} {
		bad := results[0]
		spoil(&bad)
		_, err := owareCodec.decodeAnswer(encodeAnswer(bad), jobs[0])
		testkit.ErrorContains(t, err, want)
	}
	deep := results[1]
	deep.Depth = 4
	_, err := owareCodec.decodeAnswer(encodeAnswer(deep), jobs[1])
	testkit.ErrorContains(t, err, "depth 4: expected at most 3")
	over := results[len(results)-1]
	over.Depth = 1
	_, err = owareCodec.decodeAnswer(encodeAnswer(over), jobs[len(jobs)-1])
	testkit.ErrorContains(t, err, "no moves and no depth")
	_, err = owareCodec.decodeAnswer(append(encodeAnswer(results[0]), 0), jobs[0])
	testkit.ErrorContains(t, err, "1 bytes too many")
}

func TestImpossibleJobsAreRefused(t *testing.T) {
	jobs, _ := answered(t)
	good := string(encoded(t, jobs[0]))
	for want, bad := range map[string]string{
		"expected a depth, nodes or a time": strings.Replace(good, `"nodes":2000`, `"soft":1`, 1),
		"Nodes:-2000":                       strings.Replace(good, `2000`, `-2000`, 1),
		"Depth:600":                         strings.Replace(good, `"nodes":2000`, `"depth":600`, 1),
		"longer than":                       good + strings.Repeat(" ", maxJob),
		"the file ends":                     good[:len(good)-1],
		"expected nothing after":            good + "7",
		"board field":                       strings.Replace(good, `"board":"`, `"board":"x`, 1),
	} {
		_, err := owareCodec.decodeJob([]byte(bad))
		testkit.ErrorContains(t, err, want)
	}
}

func FuzzDecodeJob(f *testing.F) {
	jobs, _ := answered(f)
	f.Add(encoded(f, jobs[0]))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		j, err := owareCodec.decodeJob(b)
		if err != nil {
			return
		}
		back, err := owareCodec.decodeJob(encoded(t, j))
		if err != nil || back != j {
			t.Errorf("%+v comes back as %+v, %v", j, back, err)
		}
	})
}

func FuzzDecodeAnswer(f *testing.F) {
	jobs, results := answered(f)
	for i := range 5 {
		f.Add(encodeAnswer(results[i]))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := owareCodec.decodeAnswer(b, jobs[0])
		if err != nil {
			return
		}
		back, err := owareCodec.decodeAnswer(encodeAnswer(a), jobs[0])
		if err != nil || !reflect.DeepEqual(back, a) {
			t.Errorf("%+v comes back as %+v, %v", a, back, err)
		}
	})
}
