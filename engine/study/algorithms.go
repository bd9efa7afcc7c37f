package study

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/report"
)

// AlgorithmsConfig configures [Algorithms].
type AlgorithmsConfig struct {
	Rules  string          // "" means those of the published seconds or the recorded games, or else the game's default
	Depth  int             `name:"depth" default:"30" range:"2..40" help:"plies"` // at most; for [Plies] of every search
	Budget engine.Duration `name:"budget" default:"3s" help:"longest search"`     // processor time of one search: a column ends before a longer one
	HashMB int             `name:"hash" default:"64" range:"1..65536" group:"Search" help:"hash table of each searcher, in MiB"`
}

// AlgorithmsResult is the nodes and times of searches from the start by depth.
type AlgorithmsResult struct {
	Columns []AlgorithmColumn `json:"columns"`

	rules     string
	unit      string // of final differences
	counts    string // description of the evaluation
	published literature
}

// AlgorithmColumn is the results of one algorithm, from depth 1.
type AlgorithmColumn struct {
	Name  string          `json:"name"`
	Cells []AlgorithmCell `json:"cells"`
}

// AlgorithmCell is one search.
type AlgorithmCell struct {
	Depth   int     `json:"depth"`
	Score   int     `json:"score"`
	Nodes   int64   `json:"nodes"`
	Seconds float64 `json:"seconds"`          // processor time
	Result  float64 `json:"result,omitempty"` // mean result of UCT's games for the side to move: 0 lost, 1 won
}

// Algorithms searches the start position with the textbook algorithms and the engine, to increasing
// depths. A column ends early when a search visits no more positions than the one before: the tree
// is exhausted. It returns an error if the values of the textbook algorithms differ.
func Algorithms[P search.Position[P]](ctx context.Context, s Subject[P], c AlgorithmsConfig, progress parallel.Progress) (*AlgorithmsResult, error) {
	rules := cmp.Or(c.Rules, s.Published.WaitingRules, s.game.Rules[0])
	root, err := s.game.Start(rules)
	if err != nil {
		return nil, err
	}
	r := &AlgorithmsResult{rules: rules, unit: s.game.Unit, counts: s.Counts, published: s.Published.under(rules)}
	searchers := s.algorithms(ctx, c.HashMB)
	progress.At(0, int64(len(searchers)*c.Depth))
	for i, a := range searchers {
		column, m := AlgorithmColumn{Name: a.name}, a.start()
		for depth := 1; depth <= c.Depth; depth++ {
			m.Clear()
			found := timed(m, root, depth)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			column.Cells = append(column.Cells, AlgorithmCell{Depth: depth, Score: found.score, Nodes: found.nodes, Seconds: found.seconds})
			progress.At(int64(i*c.Depth+depth), int64(len(searchers)*c.Depth))
			if found.seconds*growth(column.Cells) > c.Budget.Seconds() || exhausted(column.Cells) {
				break
			}
		}
		r.Columns = append(r.Columns, column)
	}
	r.Columns = append(r.Columns, uctColumn(ctx, root, r.Columns[1]))
	return r, cmp.Or(r.checkValues(), ctx.Err())
}

// uctColumn returns the column of UCT, which has no depth: at each depth it visits as many positions
// as another algorithm.
func uctColumn[P search.Position[P]](ctx context.Context, root P, like AlgorithmColumn) AlgorithmColumn {
	column := AlgorithmColumn{Name: "uct"}
	for _, c := range like.Cells {
		cell := AlgorithmCell{Depth: c.Depth}
		cell.Seconds = processorTime(func() {
			_, cell.Result, cell.Nodes = search.SearchUCT(ctx, root, nil, c.Nodes, rand.New(rand.NewPCG(1, 0)))
		})
		column.Cells = append(column.Cells, cell)
	}
	return column
}

// checkValues compares the values of the textbook algorithms.
func (r *AlgorithmsResult) checkValues() error {
	for i, want := range r.value() {
		for _, c := range r.Columns[:textbooks] {
			if i < len(c.Cells) && c.Cells[i].Score != want {
				return fmt.Errorf("depth %d: %s finds %d: expected %d, as the other algorithms do", i+1, c.Name, c.Cells[i].Score, want)
			}
		}
	}
	return nil
}

// value returns the values of the start by depth, from 1, by the textbook algorithm that searches
// deepest.
func (r *AlgorithmsResult) value() (list []int) {
	deepest := slices.MaxFunc(r.Columns[:textbooks], func(a, b AlgorithmColumn) int { return len(a.Cells) - len(b.Cells) })
	for _, cell := range deepest.Cells {
		list = append(list, cell.Score)
	}
	return list
}

// simulates reports whether the column is of random games.
func (c AlgorithmColumn) simulates() bool { return c.Name == "uct" }

// exhausted reports whether the last search was no larger than the one before.
func exhausted(cells []AlgorithmCell) bool {
	n := len(cells)
	return n > 1 && cells[n-1].Nodes == cells[n-2].Nodes
}

// growth estimates the cost factor of another ply, rounded up.
func growth(cells []AlgorithmCell) float64 {
	n := len(cells)
	if n < 2 || cells[n-2].Nodes == 0 {
		return 1
	}
	return float64(cells[n-1].Nodes/cells[n-2].Nodes + 1)
}

// Doc has the nodes and seconds of each algorithm, published seconds, and nodes relative to these.
func (r *AlgorithmsResult) Doc() *doc.Doc {
	t := doc.NewTable("depth", "value")
	chart := report.Chart{Name: "study-algorithms", Title: "Positions visited by depth", Line: "from the start position, evaluation by " + r.counts, X: "depth, plies", Y: "positions visited", Log: true}
	notes := []string{"Positions visited and processor seconds from the start position, rules " + r.rules + ", evaluation by " + r.counts + ". A column ends where a search would take too long, or the tree is exhausted. The values of minimax, alpha-beta, negascout and mtdf, in hundredths of a " + r.unit + ", are equal at every depth. Uct plays random games, with as many positions as alpha-beta visits at that depth; its result is their mean for the side to move."}
	deepest := 0
	for _, c := range r.Columns {
		t.Header = append(t.Header, c.Name, "s")
		if r.published.Waiting[c.Name] != nil {
			t.Header = append(t.Header, "(s published)", "(million/s)")
			notes = append(notes, r.growthText(c))
		}
		if c.simulates() {
			t.Header = append(t.Header, "result")
		}
		deepest = max(deepest, len(c.Cells))
		for _, cell := range c.Cells {
			chart.Add(c.Name, float64(cell.Depth), float64(cell.Nodes))
		}
	}
	values := r.value()
	for i := range deepest {
		row := []any{i + 1, ""}
		if i < len(values) {
			row[1] = values[i]
		}
		for _, c := range r.Columns {
			row = append(row, c.cells(i, r.published.Waiting[c.Name])...)
		}
		t.Add(row...)
	}
	return docOf(r, t, chart, append(notes, r.published.Algorithms)...)
}

// cells returns the cells of a column at depth i+1; published, if not nil, has seconds by depth.
func (c AlgorithmColumn) cells(i int, published map[int]int) []any {
	there := i < len(c.Cells)
	cell := AlgorithmCell{}
	if there {
		cell = c.Cells[i]
	}
	some := func(there bool, format string, v any) any {
		if !there {
			return ""
		}
		return fmt.Sprintf(format, v)
	}
	row := []any{some(there, "%d", cell.Nodes), some(there, "%.3f", cell.Seconds)}
	if published != nil {
		s, found := published[i+1]
		row = append(row, some(found, "%d", s), some(found && there, "%.2f", float64(cell.Nodes)/float64(s)/1e6))
	}
	if c.simulates() {
		row = append(row, some(there, "%.1f %%", 100*cell.Result))
	}
	return row
}

// growthText describes the growth of an algorithm's positions and seconds per ply, next to the
// published one.
func (r *AlgorithmsResult) growthText(c AlgorithmColumn) string {
	old := r.published.Waiting[c.Name]
	var positions, seconds, theirs []string
	factor := func(list *[]string, now, before float64) { *list = append(*list, fmt.Sprintf("%.1f", now/before)) }
	depths := slices.Sorted(maps.Keys(old))
	for _, d := range depths[1:] {
		if d <= len(c.Cells) {
			now, before := c.Cells[d-1], c.Cells[d-2]
			factor(&positions, float64(now.Nodes), float64(before.Nodes))
			factor(&seconds, now.Seconds, before.Seconds)
		}
		factor(&theirs, float64(old[d]), float64(old[d-1]))
	}
	return fmt.Sprintf("Growth of %s to depth %d … %d: positions %s, seconds %s; published seconds %s.",
		c.Name, depths[1], depths[len(depths)-1], strings.Join(positions, " "), strings.Join(seconds, " "), strings.Join(theirs, " "))
}
