package pipeline

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"

	"kroo/book"
	"kroo/dropout"
	"kroo/engine"
	"kroo/farm"
	"kroo/games/oware"
	"kroo/internal/atomicfile"
)

// BookRequest says which book to grow.
type BookRequest struct {
	BookConfig
	Root    oware.Position
	Eval    Evaluator
	Workers int    // 0 is one a processor
	Log     string // finished searches; the job goes on from it
}

// BookSummary is what a person wants to know of a new book.
type BookSummary struct {
	Entries    int                 `json:"entries"`
	Nodes      int                 `json:"nodes"` // positions searched, expanded ones included
	MaxDepth   int                 `json:"max_depth"`
	RootScores [oware.Houses]int16 `json:"root_scores"` // points, by house; -32768 for an illegal move
	Best       string              `json:"best"`        // move at the root
	BestPoints int                 `json:"best_points"`
}

// GrowBook expands a book and writes it to out. An interrupted job keeps its
// log and goes on from it when it is called again; so does one that asks for
// more expansions.
func GrowBook(ctx context.Context, req BookRequest, out string, progress Progress) (*dropout.Graph, BookSummary, error) {
	if err := req.Eval.CheckRules(req.Root.Rules()); err != nil {
		return nil, BookSummary{}, err
	}
	cfg := dropout.Config{
		Rules: req.Root.Rules(), Root: req.Root, Sides: dropout.Sides(req.Sides), Expansions: req.Expansions,
		Omega: req.Omega, Limits: req.Limits(), Log: req.Log,
		Engine: fmt.Sprintf("%s, %s, %s", engine.Signature(), req.Eval.Name, LimitsText(SearchConfig{HashMB: req.HashMB, Tables: req.Tables})),
	}
	eval, err := req.withTables(req.Eval, req.Root.Rules())
	if err != nil {
		return nil, BookSummary{}, err
	}
	pool := farm.NewLocal(eval, req.Options(), req.Workers)
	defer pool.Close()
	g, err := dropout.Build(ctx, cfg, pool, progress)
	if err != nil {
		return nil, BookSummary{}, err
	}
	entries := g.Entries()
	header := book.Header{Fields: append(cfg.Fields(),
		book.Field{Name: book.FieldWeights, Value: req.Eval.Name},
		book.Field{Name: "Tool", Value: Revision()},
	)}
	if err := book.Write(out, header, entries); err != nil {
		return nil, BookSummary{}, err
	}
	stats := g.Stats()
	s := BookSummary{Entries: len(entries), Nodes: stats.Nodes, MaxDepth: stats.MaxDepth, RootScores: g.RootScores()}
	if m, points, ok := g.Best(); ok {
		s.Best, s.BestPoints = oware.MoveName(m, req.Root.ToMove()), points
	}
	return g, s, nil
}

// writeLeaves writes the drop-out diagrams of both players as CSV.
func writeLeaves(path string, g *dropout.Graph) error {
	return atomicfile.WriteFile(path, func(w io.Writer) error {
		fmt.Fprintln(w, "side,value,depth,decided")
		for _, side := range []oware.Side{oware.South, oware.North} {
			for _, l := range g.Diagram(side) {
				if _, err := fmt.Fprintf(w, "%s,%d,%d,%t\n", side, l.Value, l.Depth, l.Decided); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// readLeaves reads them back.
func readLeaves(path string) (leaves map[oware.Side][]dropout.Leaf, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	leaves = map[oware.Side][]dropout.Leaf{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			continue
		}
		var name string
		var l dropout.Leaf
		if _, err := fmt.Sscanf(lines.Text(), "%1s,%d,%d,%t", &name, &l.Value, &l.Depth, &l.Decided); err != nil {
			return nil, fmt.Errorf("%s:%d: %w: expected side,value,depth,decided", path, n, err)
		}
		side := oware.South
		if name == oware.North.String() {
			side = oware.North
		}
		leaves[side] = append(leaves[side], l)
	}
	return leaves, lines.Err()
}
