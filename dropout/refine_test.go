package dropout

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kroo/book"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/journal/journaltest"
	"kroo/internal/parallel"
	"kroo/internal/testkit"
)

// shallow is a file with a book of searches that a second pass is to better.
func shallow(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shallow.bin")
	testkit.NoError(t, book.Write(path, book.Header{Fields: []book.Field{{Name: book.FieldRules, Value: "abapa"}}}, build(t, config(150)).entries()))
	return path
}

// pass is a second pass in a folder: what is asked of it, and its answers.
type pass struct {
	RefineRequest
	pool *fakePool
}

func newPass() pass {
	p := pass{RefineRequest{Rules: oware.Abapa, Root: oware.Start(oware.Abapa), Loss: 3, Total: 6, PerRound: 8}, newFakePool(1)}
	p.pool.noise = 130
	return p
}

// run deepens the book in a file and returns the bytes of the new one, nil without one.
func (p pass) run(ctx context.Context, from, out string, progress parallel.Progress) (sum RefineSummary, data []byte, err error) {
	b, err := book.Open(from)
	if err != nil {
		return sum, nil, err
	}
	by := source{rules: p.Rules, limits: search.Limits{Depth: 5}, engine: "fake", pool: p.pool, log: p.Log}
	sum, err = refine(ctx, b, p.RefineRequest, by, out, progress)
	data, rerr := os.ReadFile(out)
	if err == nil {
		err = rerr
	}
	return sum, data, err
}

// whole is the second pass without a break.
func (p pass) whole(t *testing.T, from string) (RefineSummary, []byte) {
	t.Helper()
	sum, data, err := p.run(t.Context(), from, filepath.Join(t.TempDir(), "whole.bin"), nil)
	testkit.NoError(t, err)
	return sum, data
}

// The book is the same whatever the number of workers and the order of their answers. Its new
// values are those of the second searches, and it has no faults.
func TestRefinedBookDoesNotDependOnWorkers(t *testing.T) {
	from := shallow(t)
	sum, want := newPass().whole(t, from)
	if sum.Searched < 50 || sum.Left != 0 || sum.Ended != allSearched || sum.Visited != 10*int64(sum.Searched) {
		t.Errorf("%+v", sum)
	}
	for seed := range uint64(3) {
		p := newPass()
		p.pool = newFakePool(seed)
		p.pool.noise, p.pool.workers, p.pool.delay = 130, 3, 200*time.Microsecond
		if _, data := p.whole(t, from); !slices.Equal(data, want) {
			t.Fatal("other workers, another book")
		}
	}
	checkLeaves(t, from, want, newPass().pool)
}

// checkLeaves checks the values of moves out of a refined book: those of the second searches,
// or else of the book before.
func checkLeaves(t *testing.T, from string, data []byte, pool *fakePool) {
	t.Helper()
	old := testkit.Must(book.Open(from))(t)
	path := filepath.Join(t.TempDir(), "deeper.bin")
	testkit.NoError(t, os.WriteFile(path, data, 0o666))
	deeper := testkit.Must(book.Open(path))(t)
	changed := 0
	for i, e := range deeper.Entries() {
		before := old.Entries()[i]
		p := testkit.Must(oware.FromBookKey(oware.Abapa, e.Key))(t)
		sources, _ := deeper.Sources(p)
		for m, s := range sources {
			if s.Plies != 1 || s.Origin != "search" && s.Origin != "proof" {
				continue
			}
			again := points(-pool.search(p.Play(oware.Move(m))).Score)
			switch int(e.Scores[m]) {
			case again:
				changed++
			case int(before.Scores[m]):
			default:
				t.Fatalf("%s: move %d is worth %d: expected %d or %d", p, m, e.Scores[m], again, before.Scores[m])
			}
		}
	}
	if changed < 50 {
		t.Errorf("%d moves have a new value: the test tests too little", changed)
	}
	if r, err := book.Verify(t.Context(), path, book.NoTables); err != nil || !r.OK() {
		t.Errorf("%v, %+v", err, r)
	}
}

// A pass that is interrupted keeps what is finished, writes the rounds that are done, and
// ends in the same bytes when it is called again; so does one that had ended earlier by a
// number of searches, and no position is searched twice.
func TestDeepenResumesFromLog(t *testing.T) {
	from := shallow(t)
	sum, want := newPass().whole(t, from)
	dir := t.TempDir()
	out := filepath.Join(dir, "out.bin")
	searched := 0
	for stop := 13; ; stop += 17 {
		ctx, cancel := context.WithCancel(t.Context())
		p := newPass()
		p.Log = out + ".log"
		part, data, err := p.run(ctx, from, out, func(done, _ int64, _ string) {
			if done >= int64(stop) {
				cancel()
			}
		})
		cancel()
		searched += p.pool.searches
		if err == nil {
			if !slices.Equal(data, want) || part != sum {
				t.Errorf("another book than without interruptions: %+v, expected %+v", part, sum)
			}
			break
		}
		if !errors.Is(err, context.Canceled) || part.Searched%8 != 0 || part.Searched > stop+8 || part.Searched > 0 != (data != nil) {
			t.Fatalf("stopped at %d: %+v, %v", stop, part, err)
		}
	}
	testkit.Equal(t, searched, sum.Searched, "searched")
	p := newPass()
	p.Log, p.Searches = filepath.Join(dir, "few.log"), 20
	few, _, err := p.run(t.Context(), from, filepath.Join(dir, "few.bin"), nil)
	if err != nil || few.Searched != 20 || few.Left == 0 || few.Ended != atSearches {
		t.Errorf("%+v, %v", few, err)
	}
	p.Searches = 0
	if _, data, err := p.run(t.Context(), from, filepath.Join(dir, "few.bin"), nil); err != nil || !slices.Equal(data, want) || p.pool.searches != sum.Searched {
		t.Errorf("%v: %d searches for %d leaves", err, p.pool.searches, sum.Searched)
	}
}

// A pass whose time is over writes a book of its results so far.
func TestDeepeningEndsInTime(t *testing.T) {
	p := newPass()
	p.Time.Duration = time.Nanosecond
	sum, data, err := p.run(t.Context(), shallow(t), filepath.Join(t.TempDir(), "out.bin"), nil)
	if err != nil || data == nil || sum.Ended != atTime || sum.Searched != 0 || sum.Left == 0 {
		t.Errorf("%+v, %v", sum, err)
	}
}

// A failed search is an error, and what is finished is kept.
func TestDeepeningStopsWithAFailedSearch(t *testing.T) {
	p := newPass()
	p.pool.stop = 20
	out := filepath.Join(t.TempDir(), "out.bin")
	p.Log = out + ".log"
	if sum, data, err := p.run(t.Context(), shallow(t), out, nil); !errors.Is(err, errStop) || data != nil || sum != (RefineSummary{}) {
		t.Errorf("%+v, %v", sum, err)
	}
}

func TestDeepeningSettings(t *testing.T) {
	for want, change := range map[string]func(*RefineRequest){
		"loss is -1":       func(d *RefineRequest) { d.Loss = -1 },
		"total_loss is 97": func(d *RefineRequest) { d.Total = 97 },
		"round is 5000":    func(d *RefineRequest) { d.PerRound = 5000 },
		"searches is -1":   func(d *RefineRequest) { d.Searches = -1 },
		"time is \"-1s\"":  func(d *RefineRequest) { d.Time.Duration = -time.Second },
	} {
		d := newPass().RefineRequest
		change(&d)
		testkit.ErrorContains(t, d.Check(), want)
	}
}

// With the engine, two workers make what one makes, and the header describes it all.
func TestDeepenWithTheEngine(t *testing.T) {
	from := shallow(t)
	var want []byte
	for workers := 1; workers <= 2; workers++ {
		b := testkit.Must(book.Open(from))(t)
		d := newPass().RefineRequest
		d.By.Search, d.By.Weights, d.Workers, d.Made = engine.Config{Nodes: 300, HashMB: 1, Tables: engine.NoTables}, engine.CapturesName, workers, "a test"
		out := filepath.Join(t.TempDir(), "out.bin")
		if _, err := Refine(t.Context(), b, d, out, nil); err != nil {
			t.Fatal(err)
		}
		data := testkit.Read(t, out)
		if want == nil {
			want = data
		}
		testkit.EqualSlices(t, data, want, "two workers make another book than one")
		deeper := testkit.Must(book.Open(out))(t)
		h := deeper.Header()
		if text := h.Get(book.FieldDeepened); !strings.Contains(text, "nodes 300, on lines from 4-4-4") || !strings.Contains(text, "lose up to 3 seeds per move and 6 in total, rounds of 8; bench-") {
			t.Errorf("the header says %q", text)
		}
		if h.Get(book.FieldMade) != "a test" {
			t.Errorf("the header is %+v", h)
		}
	}
}

func TestASecondPassSurvivesCrashes(t *testing.T) {
	from := shallow(t)
	journaltest.Run(t, journaltest.Work{
		Journal: "out.bin.log",
		Do: func(dir string) ([]byte, int, error) {
			p := newPass()
			p.Log = filepath.Join(dir, "out.bin.log")
			_, data, err := p.run(t.Context(), from, filepath.Join(dir, "out.bin"), nil)
			return data, p.pool.searches, err
		},
	})
}
