package study

import (
	"context"
	"fmt"
	"time"

	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
	"kroo/report"
)

// AlgorithmsConfig says how far [Algorithms] goes.
type AlgorithmsConfig struct {
	Rules  oware.Rules
	Depth  int           // plies, at most
	Budget time.Duration // of one search: a column ends where the next would take longer
	HashMB int           // of the engine's table
}

// AlgorithmsResult is nodes and time of the search from the start by depth.
type AlgorithmsResult struct {
	Columns []AlgorithmColumn `json:"columns"`
}

// AlgorithmColumn is one algorithm, from depth 1 on.
type AlgorithmColumn struct {
	Name  string          `json:"name"`
	Cells []AlgorithmCell `json:"cells"`
}

// AlgorithmCell is one search.
type AlgorithmCell struct {
	Depth   int     `json:"depth"`
	Score   int     `json:"score"`
	Nodes   int64   `json:"nodes"`
	Seconds float64 `json:"seconds"`
}

// waiting are the seconds that A. Ferrando, A. Bonanno and L. Repetto (Un
// programma che gioca a Mancala) report for the first move on a Core 2 Quad of
// 2.5 GHz, by depth.
var waiting = map[string]map[int]int{
	"minimax":    {8: 2, 9: 4, 10: 21, 11: 105, 12: 480, 13: 2640},
	"alpha-beta": {13: 2, 14: 3, 15: 9, 16: 19, 17: 45, 18: 94},
	"negascout":  {13: 1, 14: 2, 15: 6, 16: 12, 17: 29, 18: 63},
}

// Algorithms searches the start position with the textbook algorithms and the
// engine, each deeper and deeper.
func Algorithms(ctx context.Context, c AlgorithmsConfig, progress Progress) (*AlgorithmsResult, error) {
	root := oware.Start(c.Rules)
	ours := func(o search.Options) func(int) (int, int64) {
		o.HashMB = c.HashMB
		s := search.NewSearcher(captures, o)
		return func(depth int) (int, int64) {
			s.Clear()
			r := s.Search(ctx, root, nil, search.Limits{Depth: depth}, search.Query{})
			return r.Score, r.Nodes
		}
	}
	plain := func(f func(oware.Position, []oware.Position, int, search.Evaluator[oware.Position]) (int, int64)) func(int) (int, int64) {
		return func(depth int) (int, int64) { return f(root, nil, depth, evaluations.Captures{}) }
	}
	var r AlgorithmsResult
	algorithms := []struct {
		name   string
		search func(depth int) (int, int64)
	}{
		{"minimax", plain(search.Minimax[oware.Position])},
		{"alpha-beta", plain(search.AlphaBeta[oware.Position])},
		{"negascout", plain(search.Negascout[oware.Position])},
		{"engine, full width", ours(search.Options{FullWidth: true})},
		{"engine", ours(search.Options{})},
	}
	for i, a := range algorithms {
		column := AlgorithmColumn{Name: a.name}
		for depth := 1; depth <= c.Depth; depth++ {
			begin := time.Now()
			score, nodes := a.search(depth)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			took := time.Since(begin)
			column.Cells = append(column.Cells, AlgorithmCell{depth, score, nodes, seconds(took)})
			if progress != nil {
				progress(int64(i*c.Depth+depth), int64(len(algorithms)*c.Depth))
			}
			if took*growth(column.Cells) > c.Budget {
				break
			}
		}
		r.Columns = append(r.Columns, column)
	}
	return &r, nil
}

// growth is what a ply more has cost so far, rounded up.
func growth(cells []AlgorithmCell) time.Duration {
	n := len(cells)
	if n < 2 || cells[n-2].Nodes == 0 {
		return 1
	}
	return time.Duration(cells[n-1].Nodes/cells[n-2].Nodes + 1)
}

// Rows has nodes and seconds of each algorithm, and published seconds.
func (r *AlgorithmsResult) Rows() [][]string {
	header := []string{"depth"}
	deepest := 0
	for _, c := range r.Columns {
		header = append(header, c.Name, "s")
		if waiting[c.Name] != nil {
			header = append(header, "(s 2008)")
		}
		deepest = max(deepest, len(c.Cells))
	}
	rows := [][]string{header}
	for i := range deepest {
		row := []string{fmt.Sprint(i + 1)}
		for _, c := range r.Columns {
			nodes, took := "", ""
			if i < len(c.Cells) {
				nodes, took = fmt.Sprint(c.Cells[i].Nodes), fmt.Sprintf("%.3f", c.Cells[i].Seconds)
			}
			row = append(row, nodes, took)
			if old := waiting[c.Name]; old != nil {
				published := ""
				if s, found := old[i+1]; found {
					published = fmt.Sprint(s)
				}
				row = append(row, published)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Note explains the columns.
func (r *AlgorithmsResult) Note() string {
	return "Positions visited and seconds from the start position, evaluation by captured seeds. A column ends where a search would take too long.\n" +
		"(s 2008): the seconds that A. Ferrando, A. Bonanno and L. Repetto (Un programma che gioca a Mancala) waited for the first move on a Core 2 Quad of 2.5 GHz."
}

// Chart shows nodes by depth.
func (r *AlgorithmsResult) Chart() report.Chart {
	c := report.Chart{Name: "study-algorithms", Title: "Positions visited by depth", Line: "from the start position, evaluation by captured seeds", X: "depth, plies", Y: "positions visited", Log: true}
	for _, column := range r.Columns {
		curve := report.Curve{Name: column.Name}
		for _, cell := range column.Cells {
			curve.Points = append(curve.Points, report.Point{X: float64(cell.Depth), Y: float64(cell.Nodes)})
		}
		c.Curves = append(c.Curves, curve)
	}
	return c
}
