package farm

import (
	"bytes"
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
		back, err := owareCodec.decodeJob(owareCodec.appendJob(nil, j))
		if err != nil || back != j {
			t.Errorf("job %+v comes back as %+v, %v", j, back, err)
		}
		r, err := owareCodec.decodeResult(owareCodec.appendResult(nil, results[i]), j)
		if err != nil || !reflect.DeepEqual(r, results[i]) {
			t.Errorf("result %+v comes back as %+v, %v", results[i], r, err)
		}
	}
}

func TestImpossibleResultsAreRefused(t *testing.T) {
	jobs, results := answered(t)
	j, good := jobs[0], results[0]
	for want, spoil := range map[string]func(*search.Result){
		"expected -20000 to 20000":      func(r *search.Result) { r.Score, r.Lines[0].Score = 20_001, 20_001 },
		"of its best line":              func(r *search.Result) { r.Score++ },
		"each legal move once":          func(r *search.Result) { r.Lines[1].PV = []search.Move{r.Lines[0].Move} },
		"expected a legal one":          func(r *search.Result) { r.Lines[0].PV = append(r.Lines[0].PV[:1:1], 11) },
		"the same where one is proven":  func(r *search.Result) { r.Steady = search.Win - 3 },
		"expected one for each":         func(r *search.Result) { r.Lines = r.Lines[1:]; r.Score = r.Lines[0].Score },
		"nodes: expected at most 2000":  func(r *search.Result) { r.Nodes = 100_000 },
		"no nodes":                      func(r *search.Result) { r.Nodes = 0 },
		"terminal is true":              func(r *search.Result) { r.Terminal = true },
		"proven is true":                func(r *search.Result) { r.Proven = true },
		"a line without a move":         func(r *search.Result) { r.Lines[2].PV = nil },
		"513: expected at most 512":     func(r *search.Result) { r.Depth = 513 },
		"it ends too early":             nil,
		"bytes too many":                nil,
		"flags 0x84":                    nil,
		"longer than it has to be":      nil,
		"expected at most 112589990684": func(r *search.Result) { r.Nodes = 1 << 51 },
	} {
		bad := good
		bad.Lines = nil
		for _, l := range good.Lines {
			l.PV = append([]search.Move(nil), l.PV...)
			bad.Lines = append(bad.Lines, l)
		}
		if spoil != nil {
			spoil(&bad)
		}
		b := owareCodec.appendResult(nil, bad)
		switch want {
		case "it ends too early":
			b = b[:len(b)-1]
		case "bytes too many":
			b = append(b, 0)
		case "flags 0x84":
			b[0] |= 0x80
		case "longer than it has to be":
			b = append([]byte{b[0], 0x80, 0}, b[2:]...)
		}
		if _, err := owareCodec.decodeResult(b, j); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v: want %q in it", err, want)
		}
	}
}

func TestJobsWithoutLimitOrBoardAreRefused(t *testing.T) {
	jobs, _ := answered(t)
	for want, spoil := range map[string]func([]byte) []byte{
		"no limit":         func(b []byte) []byte { return append(b[:len(b)-6], 0, 0, 0, 0, 0) },
		"at most 256":      func([]byte) []byte { return []byte{0xff, 0xff, 0x03} },
		"ends too early":   func(b []byte) []byte { return b[:len(b)-1] },
		"1 bytes too many": func(b []byte) []byte { return append(b, 7) },
		"board field":      func(b []byte) []byte { b[1] = 'x'; return b },
	} {
		b := spoil(owareCodec.appendJob(nil, jobs[0]))
		if _, err := owareCodec.decodeJob(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v: want %q in it", err, want)
		}
	}
}

func FuzzDecodeJob(f *testing.F) {
	jobs, _ := answered(f)
	f.Add(owareCodec.appendJob(nil, jobs[0]))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		j, err := owareCodec.decodeJob(b)
		if err != nil {
			return
		}
		back, err := owareCodec.decodeJob(owareCodec.appendJob(nil, j))
		if err != nil || back != j {
			t.Errorf("%+v comes back as %+v, %v", j, back, err)
		}
	})
}

func FuzzDecodeResult(f *testing.F) {
	jobs, results := answered(f)
	for i := range 5 {
		f.Add(owareCodec.appendResult(nil, results[i]))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := owareCodec.decodeResult(b, jobs[0])
		if err != nil {
			return
		}
		if back := owareCodec.appendResult(nil, r); !bytes.Equal(back, b) {
			t.Errorf("%x comes back as %x", b, back)
		}
	})
}
