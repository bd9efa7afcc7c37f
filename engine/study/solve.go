package study

import (
	"context"
	"fmt"

	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/doc"
	"kroo/report"
)

// SolveResult is the whole tree of a small game, and the results of every searcher at its root.
type SolveResult struct {
	Game      string           `json:"game"`
	Positions int              `json:"positions"` // different positions reachable in games, including the start
	Games     int              `json:"games"`     // sequences of moves to the end of a game
	Results   map[string]int   `json:"results"`   // number of games by result: 1-0, 0-1, 1/2-1/2
	Plies     []PlyCount       `json:"plies"`
	Searchers []SolvedSearcher `json:"searchers"`

	sides [2]string
}

// PlyCount counts the tree after a number of plies.
type PlyCount struct {
	Ply       int `json:"ply"`
	Positions int `json:"positions"` // different positions
	Lines     int `json:"lines"`     // sequences of moves
	Games     int `json:"games"`     // of these, those that end the game
}

// SolvedSearcher is the result of a search from the root to the end of the game.
type SolvedSearcher struct {
	Name    string  `json:"name"`
	Value   string  `json:"value"` // for the side that moves first: won, drawn or lost
	Nodes   int64   `json:"nodes"` // positions visited
	Seconds float64 `json:"seconds"`
}

// maxLines is the size of the largest tree that Solve walks, in nodes.
const maxLines = 1_000_000

// Solve walks the whole tree of a game, and solves it with every searcher of the project: minimax,
// alpha-beta and negascout; alpha-beta with each ordering of moves and with each kind of hash table;
// the engine. The game must be small and its positions must not recur, as in tic-tac-toe. It returns
// an error if two searchers differ.
func Solve[P search.Position[P]](ctx context.Context, s Subject[P], rules string) (*SolveResult, error) {
	root, err := s.game.Start(rules)
	if err != nil {
		return nil, err
	}
	w := walk[P]{ctx: ctx, game: s.game, SolveResult: &SolveResult{Game: s.game.Name, Results: map[string]int{}, sides: s.game.Sides}}
	if err := w.visit(s.game.NewLine(root)); err != nil {
		return nil, err
	}
	for ply, seen := range w.seen {
		w.Plies[ply].Positions = len(seen)
		w.Positions += len(seen)
	}
	for _, a := range s.solvers(ctx) {
		m := a.start()
		m.Clear()
		found := timed(m, root, len(w.Plies)-1)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w.Searchers = append(w.Searchers, SolvedSearcher{a.name, valueText(found.score), found.nodes, found.seconds})
	}
	for _, a := range w.Searchers {
		if a.Value != w.Searchers[0].Value {
			return nil, fmt.Errorf("%s finds the game %s: expected %s, as %s does", a.Name, a.Value, w.Searchers[0].Value, w.Searchers[0].Name)
		}
	}
	return w.SolveResult, nil
}

// solvers returns all searchers.
func (s Subject[P]) solvers(ctx context.Context) []searcher[P] {
	list := append(s.algorithms(ctx, 1), s.engine(ctx, "engine, strict depth", search.Options{HashMB: 1, StrictDepth: true}))
	for _, o := range s.Orderings {
		o.name = "alpha-beta, order " + o.name
		list = append(list, s.ordered(ctx, o))
	}
	for i, of := range schemes {
		list = append(list, s.deepened(ctx, "alpha-beta, table "+of.name, &schemes[i], 1<<20))
	}
	return list
}

// walk is the state of the walk through a tree.
type walk[P search.Position[P]] struct {
	*SolveResult
	ctx   context.Context
	game  *games.Game[P]
	seen  []map[P]bool // by ply
	lines int
}

// visit counts the line and all its continuations.
func (w *walk[P]) visit(l *games.Line[P]) error {
	if w.lines++; w.lines > maxLines {
		return fmt.Errorf("%s has more than %d lines: expected a game small enough to walk through", w.game.Name, maxLines)
	}
	ply := l.Plies()
	if ply == len(w.seen) {
		w.seen, w.Plies = append(w.seen, map[P]bool{}), append(w.Plies, PlyCount{Ply: ply})
	}
	w.seen[ply][l.Position()] = true
	w.Plies[ply].Lines++
	if _, _, over := l.Over(); over {
		w.Plies[ply].Games++
		w.Games++
		w.Results[l.Result()]++
		return w.ctx.Err()
	}
	for _, m := range l.Position().AppendMoves(nil) {
		if err := l.Play(m); err != nil {
			return err
		}
		err := w.visit(l)
		l.Undo()
		if err != nil {
			return err
		}
	}
	return nil
}

// valueText is the value of a game searched to its end.
func valueText(score int) string {
	switch {
	case score > 0:
		return "won"
	case score < 0:
		return "lost"
	}
	return "drawn"
}

// Doc has a line per searcher, and the counts of the tree.
func (r *SolveResult) Doc() *doc.Doc {
	t := doc.TableOf([]string{"searcher", "root", "positions visited", "ms"}, r.Searchers, func(a SolvedSearcher) []any {
		return []any{a.Name, a.Value, a.Nodes, fmt.Sprintf("%.2f", 1000*a.Seconds)}
	})
	plies := doc.NewTable("ply", "positions", "lines", "games that end")
	chart := report.Chart{Name: "study-solve", Title: "The whole tree of " + r.Game, Line: fmt.Sprintf("%d positions, %d games", r.Positions, r.Games), X: "plies", Y: "number", Log: true}
	for _, p := range r.Plies {
		plies.Add(p.Ply, p.Positions, p.Lines, p.Games)
		for i, n := range []int{p.Positions, p.Lines, p.Games} {
			if n > 0 { // the scale is logarithmic
				chart.Add(plies.Header[i+1], float64(p.Ply), float64(n))
			}
		}
	}
	d := docOf(r, t, chart, fmt.Sprintf("%s: %d positions, %d games: %s wins %d, %s %d, %d are drawn.",
		r.Game, r.Positions, r.Games, r.sides[0], r.Results[games.FirstWins], r.sides[1], r.Results[games.SecondWins], r.Results[games.DrawnGame]))
	d.Add(doc.Section{Heading: "the tree by ply", Table: plies})
	return d
}
