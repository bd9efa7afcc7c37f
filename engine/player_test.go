package engine

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestLevelsGrowStronger(t *testing.T) {
	usual := &Engine[oware.Position]{Spec: Spec{Search: Config{Depth: 4}}}
	before := Level{Noise: 1000}
	margin := 1000 // of the book that a weaker level plays from
	for _, l := range Levels() {
		if l.Nodes <= before.Nodes || l.Noise >= before.Noise || l.Book && l.Policy.Margin() > margin || before.Book && !l.Book || l.Policy.Check() != nil || !strings.Contains(l.Against, " against ") || l.Like == "" || l.For == "" {
			t.Errorf("%+v after %+v", l, before)
		}
		if got, err := ParseLevel(strings.ToUpper(l.Name)); err != nil || got != l {
			t.Errorf("%s: %+v, %v", l.Name, got, err)
		}
		p := Player[oware.Position]{Level: l, Engine: usual}
		if got := p.Limits(); got != (search.Limits{Nodes: l.Nodes}) {
			t.Errorf("%s searches within %+v", l.Name, got)
		}
		if before = l; l.Book {
			margin = l.Policy.Margin()
		}
	}
	_, err := ParseLevel("silly")
	testkit.Refused(t, err, "expected beginner, easy")
	for _, l := range []Level{{}, FullStrength} {
		p := Player[oware.Position]{Level: l, Engine: usual}
		if got := p.Limits(); got != (search.Limits{Depth: 4}) {
			t.Errorf("%+v: %+v", l, got)
		}
	}
}

func TestALevelPlaysMovesWithinItsNoise(t *testing.T) {
	r := search.Result{Best: 0, Score: 50, Lines: []search.Line{
		{Move: 0, Score: 50, Exact: true}, {Move: 1, Score: 30, Exact: true}, {Move: 2, Score: -60, Exact: true}, {Move: 3, Score: 49},
	}}
	random := rand.New(rand.NewPCG(1, 2))
	choose := func(l Level) search.Result {
		p := Player[oware.Position]{Level: l, Random: random}
		within, drawn := p.within(0)
		testkit.Equal(t, drawn, (l.Noise > 0), "%+v: a move is drawn", l)
		chosen := r
		if drawn {
			p.draw(&chosen, within)
		}
		return chosen
	}
	seen := map[games.Move]int{}
	for range 200 {
		seen[choose(Level{Noise: 20}).Best]++
	}
	if len(seen) != 2 || seen[0] < 50 || seen[1] < 50 {
		t.Errorf("within 20: %v", seen)
	}
	if got := choose(Level{}); got.Best != 0 || got.Score != 50 {
		t.Errorf("without noise: %+v", got)
	}
	r.Proven, random = true, nil // nothing is drawn
	if got := choose(Level{Noise: 500}); got.Best != 0 {
		t.Errorf("a proven win: %+v", got)
	}
}

func TestVaryDrawsLimitsAroundThePlayers(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	v := &Vary{Within: 40, Plies: 12}
	least, most := int64(1<<60), int64(0)
	for range 2000 {
		l := v.limits(search.Limits{Nodes: 1000, Time: time.Second, Depth: 7}, random)
		if l.Depth != 7 || l.Time < time.Second/2 || l.Time > 3*time.Second/2 {
			t.Fatalf("%+v", l)
		}
		least, most = min(least, l.Nodes), max(most, l.Nodes)
		clocked := v.limits(search.Limits{Soft: time.Second, Time: 1200 * time.Millisecond}, random)
		if clocked.Time != 1200*time.Millisecond || clocked.Soft < time.Second/2 || clocked.Soft > clocked.Time {
			t.Fatalf("under a clock: %+v", clocked)
		}
	}
	if least < 500 || least > 520 || most > 1500 || most < 1480 {
		t.Errorf("nodes from %d to %d, want 500 to 1500", least, most)
	}
}

// A label of such a position, which no player makes, takes its time as any other.
func TestASingleMoveTakesNoTime(t *testing.T) {
	kit := Oware()
	eval := testkit.Must(kit.Evaluation("captures", "abapa"))(t)
	p := Player[oware.Position]{Engine: &Engine[oware.Position]{Kit: kit}, Searcher: Own(search.NewSearcher(eval.Knowledge(), search.Options{HashMB: 1}))}
	board := testkit.Must(oware.ParseBoard(oware.Abapa, "0-0-0-0-0-3-4-4-4-4-4-4-10-11-S"))(t)
	l := kit.Game.NewLine(board)
	if r, _ := p.Search(t.Context(), l, search.Limits{Time: time.Hour}, search.Query{}); r.Depth != 1 || r.Best != 5 {
		t.Errorf("%+v", r)
	}
	if r, _ := p.Search(t.Context(), l, search.Limits{Depth: 4}, search.Query{}); r.Depth != 4 {
		t.Errorf("by depth: %d plies, want 4", r.Depth)
	}
	hit := make(chan struct{})
	time.AfterFunc(20*time.Millisecond, func() { close(hit) })
	if r, _ := p.Search(t.Context(), l, search.Limits{Time: time.Millisecond}, search.Query{Ponder: hit}); r.Depth < 2 {
		t.Errorf("pondering: %d plies, want the time until the hit", r.Depth)
	}
}

// What is read as vary is in range, and is written and read again as the same.
func FuzzVary(f *testing.F) {
	for _, text := range []string{"on", "40", "40:12", "0:0", ":", "40:", "-1", "99999999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var v, again Vary
		err := v.UnmarshalText([]byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
				t.Errorf("%q: want one short line", err)
			}
			return
		}
		if err := again.UnmarshalText([]byte(v.String())); v.Check() != nil || err != nil || again != v {
			t.Errorf("%q: %+v, again %+v, %v", text, v, again, err)
		}
	})
}

// A level is found by its own name alone, in any case.
func FuzzLevel(f *testing.F) {
	for _, name := range append(LevelNames(), "", "best", "EASY", "eaſy") {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		l, err := ParseLevel(name)
		if err == nil && !strings.EqualFold(l.Name, name) || err != nil && (strings.Contains(err.Error(), "\n") || len(err.Error()) > 500) {
			t.Errorf("%q: %+v, %v", name, l, err)
		}
	})
}
