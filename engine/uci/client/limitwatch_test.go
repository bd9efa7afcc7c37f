package client

import (
	"slices"
	"testing"
	"time"

	"kroo/engine/search"
	"kroo/internal/testkit"
)

// A search far from its limit is one that the program does not obey, if it is no exception.
func TestLimitsThatAProgramDoesNotObey(t *testing.T) {
	nodes, depth, movetime := Limits{Nodes: 2000}, Limits{Depth: 12}, Limits{MoveTime: time.Second}
	book := Answer{Result: search.Result{Best: 3}}
	for name, tt := range map[string]struct {
		limits  Limits
		answers []Answer // asked again and again
		n       int
		want    string
	}{
		"obeyed":                    {nodes, []Answer{{Result: search.Result{Depth: 7, Nodes: 2002}}}, 20, ""},
		"looks now and then":        {nodes, []Answer{{Result: search.Result{Depth: 7, Nodes: 4000}}}, 20, ""},
		"over":                      {nodes, []Answer{{Result: search.Result{Depth: 12, Nodes: 2_600_000}}}, 3, "asked for 2000 nodes, it visits 2600000"},
		"over, once":                {nodes, []Answer{{Result: search.Result{Depth: 12, Nodes: 2_600_000}}}, 2, ""},
		"over, now and then":        {nodes, []Answer{{Result: search.Result{Depth: 9, Nodes: 9000}}, {Result: search.Result{Depth: 7, Nodes: 2000}}}, 40, ""},
		"the first iteration":       {Limits{Nodes: 1}, []Answer{{Result: search.Result{Depth: 1, Nodes: 37}}}, 20, ""},
		"short":                     {nodes, []Answer{{Result: search.Result{Depth: 1, Nodes: 6}, Scored: true}}, 10, "asked for 2000 nodes, it moves after 6"},
		"short, a few times":        {nodes, []Answer{{Result: search.Result{Depth: 1, Nodes: 6}, Scored: true}}, 9, ""},
		"short, of a mate":          {nodes, []Answer{{Result: search.Result{Depth: 1, Nodes: 6, Score: search.MaxHeuristic + 3}, Scored: true}}, 20, ""},
		"short of one of two":       {Limits{Nodes: 2000, Depth: 1}, []Answer{{Result: search.Result{Depth: 1, Nodes: 6}}}, 20, ""},
		"no nodes":                  {nodes, []Answer{{Result: search.Result{Depth: 9}, Scored: true}}, 3, "asked for 2000 nodes, it reports none, so nothing shows that it obeys"},
		"no nodes, moves of a book": {nodes, []Answer{book}, 20, ""},
		"too deep":                  {depth, []Answer{{Result: search.Result{Depth: 13}}}, 3, "asked for depth 12, it searches to depth 13"},
		"not deep":                  {depth, []Answer{{Result: search.Result{Depth: 1}}}, 10, "asked for depth 12, it moves after depth 1"},
		"slow":                      {movetime, []Answer{{Result: search.Result{Depth: 9, Time: 3600 * time.Millisecond}}}, 3, "asked for 1s, it takes 3.6s"},
		"a busy machine":            {movetime, []Answer{{Result: search.Result{Depth: 9, Time: 1100 * time.Millisecond}}}, 20, ""},
		"quick":                     {movetime, []Answer{{Result: search.Result{Depth: 9, Time: 20 * time.Millisecond}}}, 10, "asked for 1s, it moves after 20ms"},
		"a clock":                   {Limits{Clock: &Clock{}}, []Answer{{Result: search.Result{Depth: 1, Nodes: 6, Time: time.Hour}}}, 20, ""},
	} {
		var tally LimitTally
		for i := range tt.n {
			tally.Add(tt.limits, tt.answers[i%len(tt.answers)])
		}
		testkit.Equal(t, tally.Disobeyed(), tt.want, "%s", name)
	}
}

// The user is warned once for all processes of a program, with the remedy.
func TestAProgramIsWarnedOfOnce(t *testing.T) {
	t.Parallel()
	var warnings []string
	watch := &LimitWatch{Warn: func(text string) { warnings = append(warnings, text) }}
	for range 2 {
		c := fakeCommand("none")
		c.Watch = watch
		p := start(t, c)
		for range 3 {
			if _, err := p.Search(t.Context(), newGame(), Limits{Nodes: 1000}, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	endless := fakeCommand("late")
	endless.Hang, endless.Watch = 10*time.Millisecond, &LimitWatch{Warn: watch.Warn}
	_, err := start(t, endless).Search(t.Context(), newGame(), Limits{Nodes: 1000}, nil)
	testkit.Refused(t, err, "asked for 1000 nodes, it searches until it is stopped; use --depth or --movetime")
	const say = ". Files record the limit nevertheless: use --depth or --movetime instead (train engine check shows which limits it obeys)."
	if want := []string{"WARNING: Fake 1: asked for 1000 nodes, it visits 4567" + say, "WARNING: Fake 1: asked for 1000 nodes, it searches until it is stopped" + say}; !slices.Equal(warnings, want) {
		t.Errorf("warned %q, want %q", warnings, want)
	}
}
