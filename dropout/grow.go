package dropout

import (
	"context"
	"fmt"

	"kroo/book"
	"kroo/engine"
	"kroo/farm"
	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/parallel"
	"kroo/internal/revision"
)

// Request says which book to grow.
type Request struct {
	BookConfig
	Root    oware.Position
	Eval    engine.Evaluation[oware.Position]
	Workers int    // 0 is one a processor
	Log     string // finished searches; the job goes on from it
}

// Summary is what a person wants to know of a new book.
type Summary struct {
	Entries    int                 `json:"entries"`
	Nodes      int                 `json:"nodes"` // positions searched, expanded ones included
	MaxDepth   int                 `json:"max_depth"`
	RootScores [oware.Houses]int16 `json:"root_scores"` // points, by house; -32768 for an illegal move
	Best       string              `json:"best"`        // move at the root
	BestPoints int                 `json:"best_points"`
}

// Grow expands a book and writes it to out. An interrupted job keeps its
// log and goes on from it when it is called again; so does one that asks for
// more expansions.
func Grow(ctx context.Context, req Request, out string, progress func(done, total int64)) (*Graph, Summary, error) {
	if err := atomicfile.Check(out); err != nil {
		return nil, Summary{}, err
	}
	e, err := engine.New(engine.Oware(), req.Eval, req.Config, req.Root.Rules().String())
	if err != nil {
		return nil, Summary{}, err
	}
	defer e.Close()
	cfg := Config{
		Rules: req.Root.Rules(), Root: req.Root, Sides: Sides(req.Sides), Expansions: req.Expansions,
		Omega: req.Omega, Limits: req.Limits(), Log: req.Log,
		Engine: fmt.Sprintf("%s, %s, %s", engine.Signature(), req.Eval.Name, engine.Config{HashMB: req.HashMB, Tables: req.Tables}.String()),
	}
	if err := req.CheckMemory(parallel.Workers(req.Workers)); err != nil {
		return nil, Summary{}, err
	}
	pool := farm.NewLocal(e.NewSearcher, req.Workers)
	defer pool.Close()
	pool.CheckWith(e.Err)
	g, err := Build(ctx, cfg, pool, progress)
	if err != nil {
		return nil, Summary{}, err
	}
	entries := g.Entries()
	header := book.Header{Fields: append(cfg.Fields(),
		book.Field{Name: book.FieldWeights, Value: req.Eval.Name},
		book.Field{Name: "Tool", Value: revision.Get()},
	)}
	if err := book.Write(out, header, entries); err != nil {
		return nil, Summary{}, err
	}
	stats := g.Stats()
	s := Summary{Entries: len(entries), Nodes: stats.Nodes, MaxDepth: stats.MaxDepth, RootScores: g.RootScores()}
	if m, points, ok := g.Best(); ok {
		s.Best, s.BestPoints = oware.MoveName(m, req.Root.ToMove()), points
	}
	return g, s, nil
}
