package engine

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"kroo/engine/search"
	"kroo/engine/uci/client"
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
		before = l
		if l.Book {
			margin = l.Policy.Margin()
		}
	}
	_, err := ParseLevel("silly")
	testkit.ErrorContains(t, err, "expected beginner, easy")
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
		within, isRandom := p.within(0)
		testkit.Equal(t, isRandom, (l.Noise > 0), "%+v: a move is drawn", l)
		chosen := r
		if isRandom {
			p.pickAtRandom(&chosen, within)
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

func TestParseSpec(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Spec{
		"captures":     {Weights: "captures"},
		"a b/w,1.json": {Weights: "a b/w,1.json"},
		"weights=w.json,nodes=5,depth=6,hash=7,movetime=8ms,book=b.bin,name=x": {
			Name: "x", Weights: "w.json", Book: "b.bin",
			Search: Config{Nodes: 5, Depth: 6, HashMB: 7, MoveTime: Duration{Duration: 8 * time.Millisecond}},
		},
		`cmd=./other -x "two words" '',dir=/tmp,option.Hash=16,option.Clear Hash=,startup=2s,timeout=3s,tc=1m+2s,unit=250`: {
			Clock: TimeControl{Base: time.Minute, Inc: 2 * time.Second},
			Program: client.Command{
				Path: "./other", Args: []string{"-x", "two words", ""}, Dir: "/tmp", StartUp: 2 * time.Second, Hang: 3 * time.Second, Unit: 250,
				Options: []client.Option{{Name: "Hash", Value: "16"}, {Name: "Clear Hash"}},
			},
		},
		"vary=on":                 {Vary: &Vary{Within: 40, Plies: 12}},
		"vary=10:6":               {Vary: &Vary{Within: 10, Plies: 6}},
		"full_width=true,depth=9": {Search: Config{Depth: 9, FullWidth: true}},
		"book=default,bookloss=1.008,bookvariety=guarded": {
			Book: "default", Policy: PolicyOfPoints(42, Guarded),
		},
		"vary=5": {Vary: &Vary{Within: 5, Plies: 12}},
		"cmd=./bot,protocol=cg,movetime=50ms": {
			Search:  Config{MoveTime: Duration{Duration: 50 * time.Millisecond}},
			Program: client.Command{Path: "./bot", Args: []string{}, Protocol: client.CG},
		},
		"cmd=a,protocol=uci": {Program: client.Command{Path: "a", Args: []string{}}},
		`cmd=a\,b=c`:         {Program: client.Command{Path: "a,b=c", Args: []string{}}},
	} {
		got, err := ParseSpec(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestPlayersThatCannotBe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                             "no player",
		"=":                            "expected KEY=VALUE",
		"nodes=5,nodes=6":              "each key once",
		"nodes=5,depth":                "KEY=VALUE",
		"nodes=":                       "no value",
		"nodes=many":                   "expected 1 or more",
		"nodes=-1":                     "expected 1 or more",
		"nodes=0":                      "expected 1 or more",
		"movetime=0s":                  "expected a time above 0",
		"cmd=a 'b":                     "nterminated single-quoted string",
		"vary=no":                      "expected on, WITHIN or WITHIN:PLIES",
		"vary=1:-1":                    "expected on",
		"vary=40:":                     "expected on",
		"vary=10001":                   "expected on",
		"cmd=a,vary=on":                "not for a program",
		"cmd=a,full_width=true":        "not for a program",
		"cmd=a,step=2":                 "not for a program",
		"full_width=maybe":             "expected true or false",
		"book=b,bookloss=x":            "expected 0 to 24",
		"book=b,bookloss=-1":           "expected 0 to 24",
		"book=b,bookvariety=odd":       "expected even, weighted or guarded",
		"bookloss=1":                   "without a book",
		"cmd=a,bookloss=1":             "not for a program",
		"cmd= ":                        "expected a program",
		"cmd=a,weights=captures":       "not for a program",
		"option.Hash=1":                "expected cmd",
		"protocol=cg":                  "expected cmd",
		"cmd=a,protocol=xboard":        "expected uci or cg",
		"cmd=a,protocol=cg,nodes=5":    "movetime alone",
		"cmd=a,protocol=cg,option.X=5": "movetime alone",
		"unit=1":                       "expected cmd",
		"cmd=a,unit=0":                 "expected 0.001 to",
		"cmd=a,unit=NaN":               "expected 0.001 to",
		"tc=soon":                      "BASE[+INCREMENT]",
		"nose=5":                       "unknown: expected book, book_loss, book_variety, cmd,",
		"weigts=x":                     "did you mean weights?",
	} {
		if _, err := ParseSpec(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Times without a unit are seconds, as other match programs write time controls.
func TestTimeControlsWithoutUnitsAreInSeconds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]TimeControl{
		"10+0.1":          {Base: 10 * time.Second, Inc: 100 * time.Millisecond},
		"60":              {Base: time.Minute},
		".5+0":            {Base: 500 * time.Millisecond},
		"2m+1":            {Base: 2 * time.Minute, Inc: time.Second},
		"10s+100ms":       {Base: 10 * time.Second, Inc: 100 * time.Millisecond},
		"1m0s+0s":         {Base: time.Minute},
		"0+0.1":           {Inc: 100 * time.Millisecond},
		"40/10+0.1":       {Moves: 40, Base: 10 * time.Second, Inc: 100 * time.Millisecond},
		"40/10s+100ms":    {Moves: 40, Base: 10 * time.Second, Inc: 100 * time.Millisecond},
		"1/60":            {Moves: 1, Base: time.Minute},
		"1000/24h0m0s+1s": {Moves: 1000, Base: 24 * time.Hour, Inc: time.Second},
	} {
		var got TimeControl
		err := got.UnmarshalText([]byte(text))
		if err != nil || got != want {
			t.Errorf("%s: %v, %v: want %v", text, got, err, want)
		}
		var again TimeControl
		testkit.NoError(t, again.UnmarshalText([]byte(got.String())))
		testkit.Equal(t, again, got, "%s, written as %s", text, got)
	}
	for _, text := range []string{
		"", "+", "+1", "10+", ".", "1e3", "-1", "0", "0+0", "1+-1", "25h", "1s+25h", "1s+1s+1s", "x\ny",
		"/10", "40/", "40/0+1", "40/0", "0/10", "-1/10", "1001/10", "4.5/10", "40/40/10", "40 / 10",
	} {
		var tc TimeControl
		testkit.ErrorContains(t, tc.UnmarshalText([]byte(text)), "BASE[+INCREMENT] in seconds or with units, such as 10+0.1, 40/10+0.1")
		testkit.Equal(t, tc, TimeControl{}, "%q", text)
	}
}

func TestTimeControlsOutOfRange(t *testing.T) {
	t.Parallel()
	testkit.Equal(t, TimeControl{}.String(), "", "no clock")
	for _, tc := range []TimeControl{
		{Base: -1}, {Base: 1, Inc: -1}, {Base: 1, Inc: 25 * time.Hour}, {Moves: 1}, {Moves: 1, Inc: 1}, {Moves: -1, Base: 1},
		{Moves: 1001, Base: 1},
	} {
		testkit.ErrorContains(t, tc.Check(), "time control")
	}
}

func FuzzParseSpec(f *testing.F) {
	f.Add("cmd=a 'b',option.x=\\,y,nodes=5")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ParseSpec(text); err != nil && len(err.Error()) == 0 {
			t.Error("an error without words")
		}
	})
}
