package dropout

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kroo/engine/search"
	"kroo/farm"
	"kroo/games/oware"
	"kroo/internal/journal"
	"kroo/internal/wal"
)

func TestGraphDoesNotDependOnTheOrderOfAnswers(t *testing.T) {
	cfg := config(300)
	want := dump(build(t, cfg))
	for seed := range uint64(5) {
		pool := newFakePool(seed + 10)
		if seed == 0 {
			pool.order = nil
		}
		g, err := Build(context.Background(), cfg, pool, nil)
		if err != nil || dump(g) != want {
			t.Errorf("order %d gives another graph (%v)", seed, err)
		}
	}
	cfg.Batch = 3
	if dump(build(t, cfg)) == want {
		t.Error("the size of the batch makes no difference: the test tests nothing")
	}
}

func TestEachPositionIsSearchedOnce(t *testing.T) {
	pool := newFakePool(3)
	g, err := Build(context.Background(), config(300), pool, nil)
	if err != nil {
		t.Fatal(err)
	}
	terminal := 0
	for i := range g.nodes {
		if _, over := g.nodes[i].pos.Terminal(); over {
			terminal++
		}
	}
	if pool.searches != len(pool.seen) || pool.searches+terminal != len(g.nodes) {
		t.Errorf("%d searches of %d positions for %d nodes, %d of them terminal", pool.searches, len(pool.seen), len(g.nodes), terminal)
	}
}

// South's book is grown by descents for South, North's by descents for North,
// the book for both by turns, South first.
func TestSides(t *testing.T) {
	dumps := map[string]bool{}
	for sides, turns := range map[Sides][]oware.Side{
		ForSouth: {oware.South, oware.South},
		ForNorth: {oware.North, oware.North},
		ForBoth:  {oware.South, oware.North},
		"":       {oware.South, oware.North},
	} {
		cfg := config(101)
		cfg.Sides, cfg.Batch = sides, 1
		b := &builder{cfg: Config{Root: oware.Start(oware.Abapa)}, graph: newGraph(cfg.Omega),
			pool: newFakePool(1), journal: new(journal.Journal[finished]), results: map[int64]found{}}
		if err := b.start(context.Background()); err != nil {
			t.Fatal(err)
		}
		for i := range cfg.Expansions {
			leaf, ok := b.graph.choose(turns[i%2])
			if !ok {
				t.Fatal("nothing to expand")
			}
			if err := b.expand(context.Background(), []index{leaf}); err != nil {
				t.Fatal(err)
			}
		}
		got := dump(build(t, cfg))
		if got != dump(b.graph) {
			t.Errorf("%q: another graph than step by step", sides)
		}
		dumps[got] = true
	}
	if len(dumps) != 3 {
		t.Errorf("%d different graphs for three kinds of books", len(dumps))
	}
}

// When nothing is left for one side, its turns go to the other.
func TestSideWithNothingLeftGivesItsTurnAway(t *testing.T) {
	cfg := config(100_000)
	cfg.Root = board(t, oware.Abapa, "1-0-0-1-0-0-1-0-0-1-0-1-21-22-S")
	expanded := map[Sides]int{}
	for _, sides := range []Sides{ForSouth, ForNorth, ForBoth} {
		cfg.Sides = sides
		g := build(t, cfg)
		expanded[sides] = g.expanded
		if south, north := g.Finished(oware.South), g.Finished(oware.North); !south && sides != ForNorth || !north && sides != ForSouth {
			t.Errorf("%s: finished for south %v, for north %v", sides, south, north)
		}
	}
	if min(expanded[ForSouth], expanded[ForNorth]) < 10 || expanded[ForBoth] <= max(expanded[ForSouth], expanded[ForNorth]) {
		t.Errorf("expansions until nothing is left: %v", expanded)
	}
}

func logged(t *testing.T, n int) Config {
	cfg := config(n)
	cfg.Engine = "fake"
	cfg.Log = filepath.Join(t.TempDir(), "expansion.log")
	return cfg
}

// Stopped again and again, the job ends like an uninterrupted one, and no
// search is done twice.
func TestResume(t *testing.T) {
	cfg := logged(t, 120)
	whole := newFakePool(1)
	g, err := Build(context.Background(), config(120), whole, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, searches := dump(g), 0
	for run := 1; ; run++ {
		pool := newFakePool(uint64(100 + run)) // answers come in another order
		pool.stop = 1 + run*5%23
		g, err := Build(context.Background(), cfg, pool, nil)
		searches += pool.searches
		if err == nil {
			if dump(g) != want {
				t.Error("another graph than without interruptions")
			}
			if run < 10 {
				t.Errorf("finished after %d runs: the test tests nothing", run)
			}
			break
		}
		if !errors.Is(err, errStop) || g != nil {
			t.Fatalf("run %d: %v, graph %v", run, err, g)
		}
	}
	if searches != whole.searches {
		t.Errorf("%d searches, uninterrupted %d", searches, whole.searches)
	}
}

// A killed process leaves the log cut at any byte. The last records are cut at
// each, the rest at some: every cut costs several waits for the disk, and
// wal has its own test of all.
func TestResumeFromLogCutAnywhere(t *testing.T) {
	cfg := logged(t, 3)
	cfg.Root = board(t, oware.Abapa, "0-0-0-0-1-3-8-0-0-0-0-0-18-18-S") // few moves
	g, err := Build(context.Background(), cfg, newFakePool(1), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := dump(g)
	data, err := os.ReadFile(cfg.Log)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Log = filepath.Join(t.TempDir(), "cut.log")
	for n := range data {
		if n%11 != 0 && n < len(data)-2*recordSize {
			continue
		}
		if err := os.WriteFile(cfg.Log, data[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		g, err := Build(context.Background(), cfg, newFakePool(2), nil)
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		if dump(g) != want {
			t.Fatalf("cut at %d: another graph", n)
		}
	}
}

func TestMoreExpansionsContinueALog(t *testing.T) {
	cfg := logged(t, 50)
	pool := newFakePool(1)
	if _, err := Build(context.Background(), cfg, pool, nil); err != nil {
		t.Fatal(err)
	}
	cfg.Expansions = 130
	g, err := Build(context.Background(), cfg, pool, nil)
	if err != nil {
		t.Fatal(err)
	}
	if dump(g) != dump(build(t, config(130))) {
		t.Error("another graph than at one go")
	}
	before := pool.searches
	cfg.Expansions = 20 // fewer than the log has
	if g, err = Build(context.Background(), cfg, pool, nil); err != nil || dump(g) != dump(build(t, config(20))) {
		t.Errorf("fewer expansions: another graph (%v)", err)
	}
	if pool.searches != before {
		t.Errorf("%d searches for what the log has", pool.searches-before)
	}
}

func TestContextStopsAndKeepsTheLog(t *testing.T) {
	cfg := logged(t, 100)
	ctx, cancel := context.WithCancel(context.Background())
	pool := newFakePool(1)
	pool.change = func(*farm.Result) {
		if pool.searches == 77 {
			cancel()
		}
	}
	g, err := Build(ctx, cfg, pool, nil)
	if !errors.Is(err, context.Canceled) || g == nil || strings.Contains(err.Error(), "\n") {
		t.Fatalf("graph %v, %v", g, err)
	}
	check(t, g)
	if g.expanded == 0 || g.expanded >= 77 || len(g.Entries()) != g.expanded {
		t.Errorf("%d expansions", g.expanded)
	}
	for i := range g.nodes {
		if g.nodes[i].chosen {
			t.Errorf("node %d is still chosen", i)
		}
	}
	again := newFakePool(9)
	g, err = Build(context.Background(), cfg, again, nil)
	if err != nil || dump(g) != dump(build(t, config(100))) {
		t.Errorf("continued: another graph (%v)", err)
	}
	if pool.searches != 77 || again.searches != len(g.nodes)-77 {
		t.Errorf("%d searches, then %d, for %d nodes", pool.searches, again.searches, len(g.nodes))
	}

	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	g, err = Build(ctx, config(10), newFakePool(1), nil)
	if !errors.Is(err, context.Canceled) || g == nil {
		t.Fatalf("context done before: graph %v, %v", g, err)
	}
	if _, _, ok := g.Best(); ok || len(g.Entries()) != 0 || g.Diagram(oware.South) != nil || g.Stats() != (Stats{}) || g.Finished(oware.South) {
		t.Error("an empty graph has contents")
	}
}

func TestProgress(t *testing.T) {
	var seen []int64
	_, err := Build(context.Background(), config(20), newFakePool(1), func(done, total int64) {
		seen = append(seen, done)
		if total != 20 {
			t.Errorf("total %d", total)
		}
	})
	if err != nil || len(seen) < 3 || seen[len(seen)-1] != 20 {
		t.Errorf("%v, %v", seen, err)
	}
}

func TestConfigIsChecked(t *testing.T) {
	over := board(t, oware.Abapa, "0-0-0-0-0-0-0-0-0-0-0-0-30-18-S")
	for want, change := range map[string]func(*Config){
		"0 expansions":  func(c *Config) { c.Expansions = 0 },
		"unknown sides": func(c *Config) { c.Sides = "east" },
		"unknown rules": func(c *Config) { c.Rules = 7 },
		"omega -1":      func(c *Config) { c.Omega = -1 },
		"omega NaN":     func(c *Config) { c.Omega = math.NaN() },
		"omega +Inf":    func(c *Config) { c.Omega = math.Inf(1) },
		"limits":        func(c *Config) { c.Limits = search.Limits{} },
		"Depth:-1":      func(c *Config) { c.Limits.Depth = -1 },
		"batch of -1":   func(c *Config) { c.Batch = -1 },
		"game is over":  func(c *Config) { c.Root = over },
		"a position of abapa, the rules are awari": func(c *Config) { c.Rules, c.Root = oware.Awari, oware.Start(oware.Abapa) },
		"absent": func(c *Config) { c.Log = filepath.Join(t.TempDir(), "absent", "x.log") },
	} {
		cfg := config(10)
		change(&cfg)
		g, err := Build(context.Background(), cfg, newFakePool(1), nil)
		if g != nil || err == nil || !strings.HasPrefix(err.Error(), "dropout: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestLogOfAnotherConfigIsRefused(t *testing.T) {
	cfg := logged(t, 10)
	if _, err := Build(context.Background(), cfg, newFakePool(1), nil); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Config){
		`rules is "abapa" there and "awari" here`: func(c *Config) { c.Rules = oware.Awari },
		`root is "4-4`:                            func(c *Config) { c.Root = oware.Start(oware.Abapa).Play(5) },
		`sides is "both"`:                         func(c *Config) { c.Sides = ForNorth },
		"omega is 2 there and 2.5 here":           func(c *Config) { c.Omega = 2.5 },
		"batch is 8 there and 9 here":             func(c *Config) { c.Batch = 9 },
		"limits.time is not set":                  func(c *Config) { c.Limits.Time = time.Second },
		`engine is "fake" there and "other" here`: func(c *Config) { c.Engine = "other" },
	} {
		other := cfg
		change(&other)
		_, err := Build(context.Background(), other, newFakePool(1), nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), cfg.Log) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestForeignLogsAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		header, record string
	}{
		"other header":    {`{"format":"x"}`, ""},
		"no JSON":         {"hello", ""},
		"short record":    {"", "123"},
		"score too large": {"", strings.Repeat("\x7f", 24) + "\x01"},
		"bad flag":        {"", strings.Repeat("\x00", 24) + "\x02"},
	} {
		cfg := logged(t, 10)
		if c.header == "" {
			if _, err := Build(context.Background(), cfg, newFakePool(1), nil); err != nil {
				t.Fatal(err)
			}
		} else if l, err := wal.Create(cfg.Log, []byte(c.header)); err != nil || l.Close() != nil {
			t.Fatal(err)
		}
		if c.record != "" {
			l, err := wal.Open(cfg.Log, nil, nil)
			if err != nil || l.Append([]byte(c.record)) != nil || l.Close() != nil {
				t.Fatal(err)
			}
		}
		_, err := Build(context.Background(), cfg, newFakePool(1), nil)
		if err == nil || !strings.Contains(err.Error(), cfg.Log) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPoolsThatMisbehave(t *testing.T) {
	for want, change := range map[string]func(*farm.Result){
		"job 1000 of 1": func(r *farm.Result) { r.Index = 1000 },
		"score 20001":   func(r *farm.Result) { r.Search.Score = 20001 },
		"no luck":       func(r *farm.Result) { r.Err = errors.New("no luck") },
	} {
		pool := newFakePool(1)
		pool.change = change
		if g, err := Build(context.Background(), config(10), pool, nil); err == nil || g != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := Build(context.Background(), config(10), idlePool{}, nil); err == nil || !strings.Contains(err.Error(), "0 of 1 jobs") {
		t.Errorf("pool without answers: %v", err)
	}
}

// idlePool says that all is done and has done nothing.
type idlePool struct{ farm.Pool[oware.Position] }

func (idlePool) Run(context.Context, []farm.Job[oware.Position], func(farm.Result) error) error {
	return nil
}

// Any record is refused or comes out as it went in.
func FuzzRecord(f *testing.F) {
	f.Add(make([]byte, recordSize))
	f.Add([]byte("x"))
	f.Fuzz(func(t *testing.T, record []byte) {
		search, err := readRecord(record)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of two lines: %q", err)
			}
			return
		}
		if again, err := appendRecord(nil, search); err != nil || !bytes.Equal(again, record) {
			t.Errorf("%x came out as %x, error %v", record, again, err)
		}
	})
}
