package dropout

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kroo/book"
	"kroo/engine"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/journal"
	"kroo/internal/journal/journaltest"
	"kroo/internal/spec"
	_ "kroo/internal/testenv" // temporary folders in memory
	"kroo/internal/testkit"
)

// slowPool has five workers, whose answers come in any order.
func slowPool(seed uint64) *fakePool {
	pool := newFakePool(seed)
	pool.workers, pool.delay = 5, 100*time.Microsecond
	return pool
}

func TestGraphDoesNotDependOnTheOrderOfAnswers(t *testing.T) {
	cfg := config(300)
	want := dump(build(t, cfg))
	for seed := range uint64(4) {
		synctest.Test(t, func(t *testing.T) {
			g, _, err := cfg.by(slowPool(seed))
			if err != nil || dump(g) != want {
				t.Errorf("order %d gives another graph (%v)", seed, err)
			}
		})
	}
	cfg.Width = 3
	if dump(build(t, cfg)) == want {
		t.Error("the width makes no difference: the test tests nothing")
	}
}

func TestEachPositionIsSearchedOnce(t *testing.T) {
	pool := slowPool(3)
	g, _, err := config(300).by(pool)
	testkit.NoError(t, err)
	terminal := 0
	for _, n := range g.all() {
		if _, over := n.pos.Terminal(); over {
			terminal++
		}
	}
	if pool.searches != len(pool.seen) || pool.searches+terminal != g.nodes.len {
		t.Errorf("%d searches of %d positions for %d nodes, %d of them terminal", pool.searches, len(pool.seen), g.nodes.len, terminal)
	}
}

// South's book is grown by descents for South, North's by descents for North,
// the book for both by turns, South first.
func TestSides(t *testing.T) {
	dumps := map[string]bool{}
	for sides, turns := range map[book.Sides][]oware.Side{
		book.ForSouth: {oware.South, oware.South},
		book.ForNorth: {oware.North, oware.North},
		book.ForBoth:  {oware.South, oware.North},
	} {
		cfg := config(101)
		cfg.Sides, cfg.Width = string(sides), 1
		x := cfg.begin(t)
		for i := range cfg.Expansions {
			leaf, _ := x.graph.nextLeaf(turns[i%2])
			testkit.NoError(t, x.launch(leaf), x.expandOldest(t.Context()))
		}
		got := dump(build(t, cfg))
		testkit.Equal(t, got, dump(x.graph), "%q: another graph than step by step", sides)
		dumps[got] = true
	}
	testkit.Equal(t, len(dumps), 3, "len")
}

// When nothing is left for one side, its turns go to the other.
func TestFinishedSideSkipsItsTurn(t *testing.T) {
	cfg := config(100_000)
	cfg.Root = board(t, oware.Abapa, "1-0-0-1-0-0-1-0-0-1-0-1-21-22-S")
	expanded := map[book.Sides]int{}
	for _, sides := range []book.Sides{book.ForSouth, book.ForNorth, book.ForBoth} {
		cfg.Sides = string(sides)
		g := build(t, cfg)
		expanded[sides] = g.expanded
		if south, north := g.finished(oware.South), g.finished(oware.North); !south && sides != book.ForNorth || !north && sides != book.ForSouth {
			t.Errorf("%s: finished for south %v, for north %v", sides, south, north)
		}
	}
	if min(expanded[book.ForSouth], expanded[book.ForNorth]) < 10 || expanded[book.ForBoth] <= max(expanded[book.ForSouth], expanded[book.ForNorth]) {
		t.Errorf("expansions until nothing is left: %v", expanded)
	}
}

// logged is a configuration with a log.
func logged(t *testing.T, n int) job {
	cfg := config(n)
	cfg.log = filepath.Join(t.TempDir(), "expansion.log")
	return cfg
}

func TestAnExpansionSurvivesCrashes(t *testing.T) {
	expand := func(dir string, change func(*job)) ([]byte, int, error) {
		cfg := config(40)
		cfg.log = filepath.Join(dir, "expansion.log")
		change(&cfg)
		pool := newFakePool(1)
		g, _, err := cfg.by(pool)
		if err != nil {
			return nil, 0, err
		}
		return []byte(dump(g)), pool.searches, nil
	}
	others := map[string]func(string) error{}
	for want, change := range map[string]func(*job){
		"limits.depth is 3, expected 9":      func(c *job) { c.limits.Depth = 9 },
		`rules is "abapa", expected "awari"`: func(c *job) { c.Root = oware.Start(oware.Awari) },
		"limits.time is not set":             func(c *job) { c.limits.Time = time.Second },
		`engine is "fake", expected "other"`: func(c *job) { c.engine = "other" },
	} {
		others[want] = func(dir string) error { _, _, err := expand(dir, change); return err }
	}
	journaltest.Run(t, journaltest.Work{
		Journal: "expansion.log",
		Do:      func(dir string) ([]byte, int, error) { return expand(dir, func(*job) {}) },
		Others:  others,
	})
}

func TestContextStopsAndKeepsTheLog(t *testing.T) {
	cfg := logged(t, 100)
	ctx, cancel := context.WithCancel(context.Background())
	pool := newFakePool(1)
	pool.change = func(*engine.Answer) error {
		if pool.searches == 77 {
			cancel()
		}
		return nil
	}
	cfg.pool = pool
	g, reason, err := cfg.expand(ctx, nil)
	if !errors.Is(err, context.Canceled) || g == nil || strings.Contains(err.Error(), "\n") || reason != interrupted {
		t.Fatalf("graph %v, %q, %v", g, reason, err)
	}
	check(t, g, cfg)
	if g.expanded == 0 || g.expanded >= 77 || len(g.entries()) != g.expanded {
		t.Errorf("%d expansions", g.expanded)
	}
	for _, n := range g.all() {
		if !n.isExpanded() && !n.outcome.isDecided() && !n.isFree() {
			t.Errorf("%s is still chosen", n.pos)
		}
	}
	again := newFakePool(9)
	g, _, err = cfg.by(again)
	if err != nil || dump(g) != dump(build(t, config(100))) {
		t.Errorf("continued: another graph (%v)", err)
	}
	testkit.Equal(t, pool.searches+again.searches, g.searched, "%d searches, then %d, for", pool.searches, again.searches)

	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	g, reason, err = config(10).expand(ctx, nil)
	if !errors.Is(err, context.Canceled) || g == nil {
		t.Fatalf("context done before: graph %v, %v", g, err)
	}
	empty := testkit.Must(newGraph(0, nil))(t)
	if s := g.summary(reason); s != (Summary{RootScores: empty.rootScores(), Ended: reason}) || len(g.entries()) != 0 || g.pv() != nil {
		t.Errorf("an empty graph has contents: %+v", s)
	}
}

// Entries are counted, from what the log held on: nothing in a fresh run.
func TestEntriesAreCountedFromTheLogOn(t *testing.T) {
	cfg := logged(t, 10)
	for held, want := range []int64{0, 10} {
		cfg.Expansions = 10 + 10*held
		var counts []int64
		last := ""
		if _, _, err := cfg.expand(t.Context(), func(done, total int64, note string) {
			testkit.Equal(t, total, int64(cfg.Expansions), "entries in all")
			counts, last = append(counts, done), note
		}); err != nil {
			t.Fatal(err)
		}
		if n := len(counts); counts[0] > want || counts[0] < want-int64(cfg.Width) || counts[n-1] != int64(cfg.Expansions) {
			t.Errorf("counted %v, want from %d on", counts, want)
		}
		testkit.Contains(t, last, "best line ", "next leaf ", "'s book, priority ")
	}
}

func TestRequestsAreChecked(t *testing.T) {
	for want, change := range map[string]func(*Request){
		"nothing ends":     func(r *Request) { r.Expansions = 0 },
		"expansions is -1": func(r *Request) { r.Expansions = -1 },
		"searches is":      func(r *Request) { r.Stop.Searches = -1 },
		"sides is":         func(r *Request) { r.Sides = "east" },
		"omega is -1":      func(r *Request) { r.Omega = -1 },
		"omega is NaN":     func(r *Request) { r.Omega = math.NaN() },
		"omega is +Inf":    func(r *Request) { r.Omega = math.Inf(1) },
		"limits":           func(r *Request) { r.Nodes = 0 },
		"width is -1":      func(r *Request) { r.Width = -1 },
		"game is over":     func(r *Request) { r.Root = board(t, oware.Abapa, "0-0-0-0-0-0-0-0-0-0-0-0-30-18-S") },
		"no opening books": func(r *Request) { r.Root = oware.Start(oware.Arena) },
		"absent":           func(r *Request) { r.Log = filepath.Join(t.TempDir(), "absent", "x.log") },
	} {
		req := config(10).Request
		req.Config = engine.Config{Nodes: 10, HashMB: 1}
		change(&req)
		_, err := Grow(t.Context(), req, filepath.Join(t.TempDir(), "book.bin"), nil)
		testkit.ErrorContains(t, err, want)
	}
}

// Another width, ω, root and so on takes its searches from the same log, and
// builds the graph that it builds without.
func TestLogServesOtherExpansions(t *testing.T) {
	cfg := logged(t, 60)
	if _, _, err := cfg.by(newFakePool(1)); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*job){
		"root":  func(c *job) { c.Root = oware.Start(oware.Abapa).Play(5) },
		"sides": func(c *job) { c.Sides = string(book.ForNorth) },
		"omega": func(c *job) { c.Omega = 2.5 },
		"width": func(c *job) { c.Width = 9 },
		"cover": func(c *job) {
			c.Cover = []oware.Position{oware.Start(oware.Abapa), oware.Start(oware.Abapa).Play(0)}
		},
	} {
		with, without := cfg, config(60)
		change(&with)
		change(&without)
		pool := newFakePool(2)
		g, _, err := with.by(pool)
		if err != nil || dump(g) != dump(build(t, without)) {
			t.Errorf("%s: another graph than without the log (%v)", name, err)
		} else if pool.searches >= g.searched {
			t.Errorf("%s: %d searches for %d positions: none from the log", name, pool.searches, g.searched)
		}
	}
}

func TestForeignLogsAreRefused(t *testing.T) {
	raw := journal.Codec[string]{Append: func(dst []byte, record string) ([]byte, error) { return append(dst, record...), nil },
		Decode: func([]byte) (string, error) { return "", nil }}
	for name, record := range map[string]string{
		"short record":    "123",
		"score too large": strings.Repeat("\x7f", 20) + "\x01",
		"bad flag":        strings.Repeat("\x00", 20) + "\x02",
		"negative nodes":  strings.Repeat("\x00", 12) + strings.Repeat("\xff", 8) + "\x00",
		"no key":          "\x7f" + strings.Repeat("\x00", 18) + "\x01\x00",
	} {
		cfg := logged(t, 10)
		_, _, err := cfg.by(newFakePool(1))
		testkit.NoError(t, err)
		l := testkit.Must(journal.Open(cfg.log, logKind, logHeader{"abapa", cfg.limits, cfg.engine}, raw, func(string) error { return nil }))(t)
		testkit.NoError(t, l.Append(record), l.Close())
		_, _, err = cfg.by(newFakePool(1))
		if err == nil || !strings.Contains(err.Error(), cfg.log) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPoolsThatMisbehave(t *testing.T) {
	for want, change := range map[string]func(*engine.Answer) error{
		"score 20001":              func(r *engine.Answer) error { r.Score = 20001; return nil },
		"steady -20001":            func(r *engine.Answer) error { r.Steady = -20001; return nil },
		"no luck":                  func(*engine.Answer) error { return errors.New("no luck") },
		"a search of -1 positions": func(r *engine.Answer) error { r.Nodes = -1; return nil },
		"contradict":               func(r *engine.Answer) error { r.Steady, r.Proven = 100, true; return nil },
	} {
		pool := newFakePool(1)
		pool.change = change
		if g, _, err := config(10).by(pool); err == nil || g != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	_, _, err := config(10).by(idlePool{})
	testkit.ErrorContains(t, err, "has not answered")
}

// idlePool reports success without doing anything.
type idlePool struct{ engine.Pool[oware.Position] }

func (idlePool) Search(context.Context, engine.Feed[oware.Position], func(engine.Job[oware.Position], engine.Answer) error) error {
	return nil
}

// Any record is refused or comes out as it went in.
func FuzzRecord(f *testing.F) {
	codec := codec(oware.Abapa)
	start := finished{oware.Start(oware.Abapa), engine.Answer{HasMove: true, Steady: -3, Depth: 2, Nodes: 9}}
	f.Add(testkit.Must(codec.Append(nil, start))(f))
	f.Fuzz(func(t *testing.T, record []byte) {
		found, err := codec.Decode(record)
		if err != nil {
			return
		}
		again := testkit.Must(codec.Decode(testkit.Must(codec.Append(nil, found))(t)))(t)
		if !reflect.DeepEqual(again, found) {
			t.Errorf("%+v came out as %+v", found, again)
		}
	})
}

// finished reports whether nothing is left to expand for the book of a side.
func (g *graph) finished(side oware.Side) bool {
	return g.nodes.at(root).priority[g.rootRole(side)] == never
}

// Each way to stop ends at the first expansion that reaches it, with the same
// graph when it continues from a log, whatever limits made that log.
func TestStops(t *testing.T) {
	for reason, change := range map[Reason]func(*job){
		atExpansions: func(j *job) { j.Expansions = 41 },
		atSearches:   func(j *job) { j.Expansions, j.Stop.Searches = 10_000, 130 },
	} {
		cfg := config(0)
		change(&cfg)
		g, got, err := cfg.by(newFakePool(1))
		if err != nil || got != reason {
			t.Fatalf("%q: ended with %q, %v", reason, got, err)
		}
		check(t, g, cfg)
		if shorter := build(t, config(g.expanded-1)); reason == atSearches && shorter.searched >= 130 {
			t.Errorf("%q: one expansion less were enough", reason)
		}
		testkit.Equal(t, dump(g), dump(build(t, config(g.expanded))), "%q: another graph than with as many expansions", reason)
		for _, before := range []int{20, 300} {
			resumed := logged(t, before)
			if _, _, err := resumed.by(newFakePool(1)); err != nil {
				t.Fatal(err)
			}
			change(&resumed)
			again, got, err := resumed.by(newFakePool(1))
			if err != nil || got != reason || dump(again) != dump(g) {
				t.Errorf("%q, after a log of %d expansions: %q, %v, or another graph", reason, before, got, err)
			}
		}
	}
}

func TestSolvedRootEndsIt(t *testing.T) {
	cfg := config(100_000)
	cfg.Root = board(t, oware.Abapa, "0-0-0-0-0-1-1-0-0-0-0-1-24-21-S") // F captures two: 26
	g, reason, err := cfg.by(newFakePool(1))
	if err != nil || reason != rootSolved || g.expanded != 1 {
		t.Fatalf("%q after %d expansions, %v", reason, g.expanded, err)
	}
	if s := g.summary(reason); s.Best != "F" || s.BestPoints != 1000 {
		t.Errorf("%+v", s)
	}
}

// Without an expanded position there is no book, and that is an error with its reason.
func TestNoBookIsAnError(t *testing.T) {
	const solved = "0-0-0-0-0-1-2-0-0-0-0-0-22-23-S"
	for want, change := range map[string]func(*Request){
		"the root is solved (North wins at ply 1)": func(r *Request) { r.Root = board(t, oware.Abapa, solved) },
		"the expansion ended (searches)":           func(r *Request) { r.Stop.Searches = 1 },
	} {
		req := config(10).Request
		req.Config = engine.Config{Nodes: 100, HashMB: 1, Tables: engine.NoTables}
		req.By = engine.Spec{Weights: engine.CapturesName}
		req.Log = filepath.Join(t.TempDir(), "book.bin.log")
		change(&req)
		out := filepath.Join(t.TempDir(), "book.bin")
		_, err := Grow(t.Context(), req, out, nil)
		testkit.ErrorContains(t, err, "no book is written", want)
		if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a book: %v", want, err)
		}
	}
}

func TestTimeEndsItWithABook(t *testing.T) {
	cfg := logged(t, 0)
	cfg.Stop = Stop{Time: spec.Duration{Duration: 30 * time.Millisecond}}
	g, reason, err := cfg.by(slowPool(1))
	if err != nil || reason != atTime {
		t.Fatalf("%q, %v", reason, err)
	}
	check(t, g, cfg)
}

// records parses games.
func records(t *testing.T, text string) []games.Record[oware.Position] {
	t.Helper()
	return testkit.Must(oware.Descriptor().ParseRecords(strings.NewReader(text), "test"))(t)
}

const twoLines = "1. A a 2. B b *\n\n[Event \"x\"]\n\n1. A b 2. C *\n"

func TestCoverListsPliesInOrder(t *testing.T) {
	start := oware.Start(oware.Abapa)
	after := func(moves ...oware.Move) oware.Position {
		p := start
		for _, m := range moves {
			p = p.Play(m)
		}
		return p
	}
	for plies, want := range map[int][]oware.Position{
		1: {start},
		3: {start, after(0), after(0, 0), after(0, 1)},
		9: {start, after(0), after(0, 0), after(0, 1), after(0, 0, 1)},
	} {
		testkit.EqualSlices(t, Cover(records(t, twoLines), plies), want, "%d plies", plies)
	}
}

// The lines are expanded first, whatever they are worth, by any number of
// workers; what no line leads to is left out.
func TestCoverIsExpandedFirst(t *testing.T) {
	cover := Cover(records(t, twoLines), 10)
	foreign := board(t, oware.Abapa, "0-0-0-0-1-3-8-0-0-0-0-0-18-18-S")
	for _, width := range []int{1, 3, 8} {
		cfg := config(len(cover))
		cfg.Width = width
		cfg.Cover = append([]oware.Position{foreign}, append(cover, cover[0])...)
		g := build(t, cfg)
		for _, p := range cover {
			if n := g.node(p); n == nil || !n.isExpanded() {
				t.Errorf("width %d: %s is not expanded", width, p)
			}
		}
		cfg.Expansions = 80
		want := dump(build(t, cfg))
		if got, _, err := cfg.by(slowPool(1)); err != nil || dump(got) != want {
			t.Errorf("width %d: another graph with five workers (%v)", width, err)
		}
		check(t, build(t, cfg), cfg)
	}
}
