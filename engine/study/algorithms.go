package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/report"
)

// AlgorithmsConfig configures [Algorithms].
type AlgorithmsConfig struct {
	Rules  string          // "" means those of the published seconds, or else the game's default
	Depth  int             `name:"depth" default:"30" range:"2..40" help:"plies"` // at most
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
	Seconds float64 `json:"seconds"` // processor time
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
		column := AlgorithmColumn{Name: a.name}
		for depth := 1; depth <= c.Depth; depth++ {
			found := a.timed(root, depth)
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
	return r, r.checkValues()
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
	notes := []string{"Positions visited and processor seconds from the start position, rules " + r.rules + ", evaluation by " + r.counts + ". A column ends where a search would take too long, or the tree is exhausted. The values of minimax, alpha-beta and negascout, in hundredths of a " + r.unit + ", are equal at every depth."}
	deepest := 0
	for _, c := range r.Columns {
		t.Header = append(t.Header, c.Name, "s")
		if r.published.Waiting[c.Name] != nil {
			t.Header = append(t.Header, "(s published)", "(million/s)")
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
	return row
}
