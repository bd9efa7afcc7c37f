package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/internal/outline"
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

// textbooks are the algorithms that must find equal values. They are the first ones compared.
var textbooks = []search.Algorithm{search.TextbookMinimax, search.TextbookAlphaBeta, search.TextbookNegascout}

// algorithms are the algorithms that [Algorithms] compares.
func (s Subject[P]) algorithms(ctx context.Context, hashMB int) (list []searcher[P]) {
	for _, a := range textbooks {
		list = append(list, s.textbook(ctx, string(a), search.Textbook[P]{Algorithm: a}))
	}
	if s.listings != nil {
		list = append(list, s.listings(ctx, s.eval.Evaluator)...)
	}
	return append(list,
		s.engine(ctx, "engine, full width", search.Options{HashMB: hashMB, FullWidth: true}),
		s.engine(ctx, "engine", search.Options{HashMB: hashMB}))
}

// Algorithms searches the start position with the textbook algorithms and the engine, to increasing
// depths. A column ends early when a search visits no more positions than the one before: the tree
// is exhausted. It returns an error if the values of the textbook algorithms differ.
func Algorithms[P search.Position[P]](
	ctx context.Context, s Subject[P], c AlgorithmsConfig, progress parallel.Progress,
) (*AlgorithmsResult, error) {
	rules := cmp.Or(c.Rules, s.published.waitingRules, s.game.Rules[0])
	root, err := s.game.Start(rules)
	if err != nil {
		return nil, err
	}
	r := &AlgorithmsResult{rules: rules, unit: s.game.Unit, counts: s.counts, published: s.published.under(rules)}
	searchers := s.algorithms(ctx, c.HashMB)
	progress.At(0, int64(len(searchers)*c.Depth))
	for i, a := range searchers {
		column := AlgorithmColumn{Name: a.name}
		last, growth := int64(0), 1.0
		for depth := 1; depth <= c.Depth; depth++ {
			found := a.timeSearch(root, depth)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			column.Cells = append(column.Cells,
				AlgorithmCell{Depth: depth, Score: found.score, Nodes: found.nodes, Seconds: found.seconds})
			progress.At(int64(i*c.Depth+depth), int64(len(searchers)*c.Depth))
			if last > 0 {
				growth = float64(found.nodes/last + 1) // cost factor of another ply, rounded up
			}
			if found.seconds*growth > c.Budget.Seconds() || found.nodes == last {
				break
			}
			last = found.nodes
		}
		r.Columns = append(r.Columns, column)
	}
	return r, r.checkValues()
}

// checkValues compares the values of the textbook algorithms.
func (r *AlgorithmsResult) checkValues() error {
	for i, want := range r.deepest() {
		for _, c := range r.Columns[:len(textbooks)] {
			if i < len(c.Cells) && c.Cells[i].Score != want.Score {
				return fmt.Errorf("depth %d: %s finds %d: expected %d, as the other algorithms do",
					i+1, c.Name, c.Cells[i].Score, want.Score)
			}
		}
	}
	return nil
}

// deepest returns the results of the textbook algorithm that searches deepest.
func (r *AlgorithmsResult) deepest() []AlgorithmCell {
	return slices.MaxFunc(r.Columns[:len(textbooks)],
		func(a, b AlgorithmColumn) int { return len(a.Cells) - len(b.Cells) }).Cells
}

// Doc has the nodes and seconds of each algorithm, published seconds, and nodes relative to these.
func (r *AlgorithmsResult) Doc() *outline.Doc {
	t := outline.NewTable("depth", "value")
	chart := report.Chart{
		Name:  "study-algorithms",
		Title: "Positions visited by depth",
		Line:  "from the start position, evaluation by " + r.counts,
		X:     "depth, plies",
		Y:     "positions visited",
		Log:   true,
	}
	var rows [][]any // filled column by column
	for _, c := range r.Columns {
		for len(rows) < len(c.Cells) {
			rows = append(rows, []any{len(rows) + 1, ""})
		}
	}
	for i, cell := range r.deepest() {
		rows[i][1] = cell.Score
	}
	for _, c := range r.Columns {
		at, published := len(t.Header), r.published.waiting[c.Name]
		t.Header = append(t.Header, c.Name, "s")
		if published != nil {
			t.Header = append(t.Header, "(s published)", "(million/s)")
		}
		for i := range rows {
			rows[i] = append(rows[i], slices.Repeat([]any{""}, len(t.Header)-at)...)
			seconds, waited := published[i+1]
			if waited {
				rows[i][at+2] = seconds
			}
			if i >= len(c.Cells) {
				continue
			}
			cell := c.Cells[i]
			chart.Add(c.Name, float64(cell.Depth), float64(cell.Nodes))
			rows[i][at], rows[i][at+1] = cell.Nodes, fmt.Sprintf("%.3f", cell.Seconds)
			if waited {
				rows[i][at+3] = fmt.Sprintf("%.2f", float64(cell.Nodes)/float64(seconds)/1e6)
			}
		}
	}
	for _, row := range rows {
		t.Add(row...)
	}
	note := "Positions visited and processor seconds from the start position, rules " + r.rules + ", evaluation by " +
		r.counts + ". A column ends where a search would take too long, or the tree is exhausted. The values of " +
		"minimax, alpha-beta and negascout, in hundredths of a " + r.unit + ", are equal at every depth."
	return docOf(r, t, chart, note, r.published.algorithms)
}
