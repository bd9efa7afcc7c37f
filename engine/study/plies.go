package study

import (
	"context"
	"fmt"
	"slices"

	"kroo/engine/search"
	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/report"
)

// PliesResult is the cost of searches of one depth in the course of recorded games.
type PliesResult struct {
	Depth int         `json:"depth"`
	Names []string    `json:"algorithms"`
	Parts []PliesPart `json:"parts"`

	from   string // source of the positions
	rules  string
	counts string // description of the evaluation
}

// PliesPart is the mean cost of a search in positions after From to To plies, in the order of the
// algorithms.
type PliesPart struct {
	From      int       `json:"from"`
	To        int       `json:"to"`
	Positions int       `json:"positions"`
	Moves     float64   `json:"moves"`   // legal moves
	Nodes     []float64 `json:"nodes"`   // positions visited
	Seconds   []float64 `json:"seconds"` // processor time
}

// partPlies is the number of plies in a part of a game.
const partPlies = 10

// Plies searches every position of the subject's recorded games ([Subject.Recorded]) to one depth,
// by the algorithms that [Algorithms] compares. It returns an error if the values of the textbook
// algorithms differ.
func Plies[P search.Position[P]](ctx context.Context, s Subject[P], c AlgorithmsConfig, progress parallel.Progress) (*PliesResult, error) {
	list, err := positions(ctx, s, Sample{Rules: c.Rules})
	if err != nil {
		return nil, err
	}
	r := &PliesResult{Depth: c.Depth, from: s.origin(), rules: s.rules(c.Rules), counts: s.Counts}
	searchers := s.algorithms(ctx, c.HashMB)
	for _, a := range searchers {
		r.Names = append(r.Names, a.name)
	}
	costs, err := measure(ctx, searchers, slices.Collect(slices.Chunk(list, 1)), c.Depth, 1, progress)
	if err != nil {
		return nil, err
	}
	for i, p := range list {
		from := s.plies[i] / partPlies * partPlies
		at := slices.IndexFunc(r.Parts, func(part PliesPart) bool { return part.From == from })
		if at < 0 {
			at = len(r.Parts)
			r.Parts = append(r.Parts, PliesPart{From: from, To: from + partPlies - 1, Nodes: make([]float64, len(searchers)), Seconds: make([]float64, len(searchers))})
		}
		part := &r.Parts[at]
		part.Positions++
		part.Moves += float64(len(p.AppendMoves(nil)))
		for k := range searchers {
			part.Nodes[k] += float64(costs[k][i].nodes)
			part.Seconds[k] += costs[k][i].seconds
			if score, value := costs[k][i].score, costs[0][i].score; k < textbooks && score != value {
				return nil, fmt.Errorf("%s, depth %d: %s finds %d: expected %d, as %s does", s.game.Print(p), c.Depth, r.Names[k], score, value, r.Names[0])
			}
		}
	}
	slices.SortFunc(r.Parts, func(a, b PliesPart) int { return a.From - b.From })
	for i := range r.Parts {
		r.Parts[i].mean()
	}
	return r, nil
}

// mean divides sums by their counts.
func (p *PliesPart) mean() {
	n := float64(p.Positions)
	p.Moves /= n
	for k := range p.Nodes {
		p.Nodes[k] /= n
		p.Seconds[k] /= n
	}
}

// Doc has a line per part of the game.
func (r *PliesResult) Doc() *doc.Doc {
	t := doc.NewTable("plies", "positions", "moves")
	for i, name := range r.Names {
		t.Header = append(t.Header, name, "ms")
		if i > 0 {
			t.Header = append(t.Header, "%")
		}
	}
	chart := report.Chart{Name: "study-plies", Title: "Positions visited in the course of a game", Line: fmt.Sprintf("%s, depth %d, evaluation by %s", r.from, r.Depth, r.counts), X: "plies played", Y: "positions visited", Log: true}
	for _, p := range r.Parts {
		row := []any{fmt.Sprintf("%d to %d", p.From, p.To), p.Positions, fmt.Sprintf("%.1f", p.Moves)}
		for i, name := range r.Names {
			row = append(row, fmt.Sprintf("%.0f", p.Nodes[i]), fmt.Sprintf("%.2f", 1000*p.Seconds[i]))
			if i > 0 {
				row = append(row, fmt.Sprintf("%.2f", 100*p.Nodes[i]/p.Nodes[0]))
			}
			chart.Add(name, float64(p.From+p.To)/2, p.Nodes[i])
		}
		t.Add(row...)
	}
	return docOf(r, t, chart, fmt.Sprintf("Positions of %s, rules %s, by the plies played before them; evaluation by %s. Each is searched to depth %d, without its history: positions visited and processor milliseconds per search; %%: relative to the positions that %s visits. The values of minimax, alpha-beta, negascout and mtdf are equal.", r.from, r.rules, r.counts, r.Depth, r.Names[0]))
}
