package farm

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

var owareCodec = codec[oware.Position]{Game: oware.Descriptor(), Rules: "abapa"}

// answered are jobs with their results.
func answered(t testing.TB) ([]engine.Job[oware.Position], []search.Result) {
	t.Helper()
	over, err := oware.ParseBoard(oware.Abapa, "0-0-0-0-0-0-0-0-0-0-0-0-25-23-S")
	testkit.NoError(t, err)
	var jobs []engine.Job[oware.Position]
	for i, p := range append(walk(40), over) {
		jobs = append(jobs, engine.Job[oware.Position]{Position: p, Limits: search.Limits{Nodes: 2000}, AllMoves: i%3 == 0})
	}
	jobs[1].Limits = search.Limits{Depth: 3}
	var results []search.Result
	pool := engine.NewSearchers(func() *search.Searcher[oware.Position] {
		return search.NewSearcher(search.Knowledge[oware.Position]{Eval: evaluations.Captures{}}, search.Options{HashMB: 1})
	}, 1)
	for _, j := range jobs {
		r, err := pool.One(t.Context(), j)
		testkit.NoError(t, err)
		r.Time = 0
		results = append(results, r)
	}
	return jobs, results
}

// walk gives n positions from random games, so that jobs differ.
func walk(n int) []oware.Position {
	r := rand.New(rand.NewPCG(7, 7))
	var ps []oware.Position
	for p := oware.Start(oware.Abapa); len(ps) < n; {
		if _, over := p.Terminal(); over {
			p = oware.Start(oware.Abapa)
		}
		moves := p.AppendMoves(nil)
		p = p.Play(moves[r.IntN(len(moves))])
		ps = append(ps, p)
	}
	return ps
}

func TestJobsAndResultsComeBackAsTheyWere(t *testing.T) {
	jobs, results := answered(t)
	for i, j := range jobs {
		back, err := owareCodec.decodeJob(encoded(t, j))
		if err != nil || back != j {
			t.Errorf("job %+v comes back as %+v, %v", j, back, err)
		}
		r, err := owareCodec.decodeResult(encodedResult(t, results[i]), j)
		if err != nil || !reflect.DeepEqual(r, results[i]) {
			t.Errorf("result %+v comes back as %+v, %v", results[i], r, err)
		}
	}
}

func encoded(t testing.TB, j engine.Job[oware.Position]) []byte {
	t.Helper()
	b, err := owareCodec.encodeJob(j)
	testkit.NoError(t, err)
	return b
}

func encodedResult(t testing.TB, r search.Result) []byte {
	t.Helper()
	b, err := encodeResult(r)
	testkit.NoError(t, err)
	return b
}

func TestImpossibleResultsAreRefused(t *testing.T) {
	jobs, results := answered(t)
	j, good := jobs[0], encodedResult(t, results[0])
	for want, spoil := range map[string]func(*search.Result){
		"expected -20000 to 20000":         func(r *search.Result) { r.Score, r.Lines[0].Score = 20_001, 20_001 },
		"of its best line":                 func(r *search.Result) { r.Score++ },
		"each legal move once":             func(r *search.Result) { r.Lines[1] = r.Lines[0] },
		"expected a legal one":             func(r *search.Result) { r.Lines[0].PV = append(r.Lines[0].PV[:1:1], 11) },
		"the same where one is proven":     func(r *search.Result) { r.Steady = search.Win - 3 },
		"expected one for each":            func(r *search.Result) { r.Lines = r.Lines[1:]; r.Score = r.Lines[0].Score },
		"nodes: expected at most 2000":     func(r *search.Result) { r.Nodes = 100_000 },
		"0 nodes to depth":                 func(r *search.Result) { r.Nodes = 0 },
		"terminal is true":                 func(r *search.Result) { r.Terminal = true },
		"proven is true":                   func(r *search.Result) { r.Proven = true },
		"0 plies: expected it to begin":    func(r *search.Result) { r.Lines[2].PV = nil },
		"to begin with the move":           func(r *search.Result) { r.Lines[2].PV[0] = r.Lines[1].Move },
		"with score -20001":                func(r *search.Result) { r.Lines[2].Score = -20_001 },
		"to depth 513":                     func(r *search.Result) { r.Depth = 513 },
		"2251799813685248 nodes to depth ": func(r *search.Result) { r.Nodes = 1 << 51 },
	} {
		var bad search.Result
		testkit.NoError(t, json.Unmarshal(good, &bad))
		spoil(&bad)
		if _, err := owareCodec.decodeResult(encodedResult(t, bad), j); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v: want %q in it", err, want)
		}
	}
	for n := range good {
		if _, err := owareCodec.decodeResult(good[:n], j); err == nil {
			t.Errorf("the first %d bytes of a result were taken", n)
		}
	}
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
		if _, err := owareCodec.decodeJob([]byte(bad)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v: want %q in it", err, want)
		}
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

func FuzzDecodeResult(f *testing.F) {
	jobs, results := answered(f)
	for i := range 5 {
		f.Add(encodedResult(f, results[i]))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := owareCodec.decodeResult(b, jobs[0])
		if err != nil {
			return
		}
		back, err := owareCodec.decodeResult(encodedResult(t, r), jobs[0])
		if err != nil || !reflect.DeepEqual(back, r) {
			t.Errorf("%+v comes back as %+v, %v", r, back, err)
		}
	})
}
