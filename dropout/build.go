package dropout

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"kroo/engine/search"
	"kroo/farm"
	"kroo/games/oware"
	"kroo/internal/journal"
)

// Build expands the graph of a book until it has as many expanded nodes as
// asked for or nothing is left to expand. It calls progress, which may be nil,
// with the expanded nodes after every batch.
//
// With a log it first repeats what that log holds, and adds every search that
// finishes, so that an interrupted Build can be called again and ends with the
// graph of an uninterrupted one; so can one be continued with more Expansions.
// A log of another configuration is refused.
//
// When the context ends, Build gives up the searches in hand and returns the
// graph so far together with an error that wraps the context's; on any other
// error the graph is nil.
func Build(ctx context.Context, cfg Config, pool farm.Pool[oware.Position], progress func(done, total int64)) (*Graph, error) {
	cfg, err := cfg.normal()
	if err != nil {
		return nil, err
	}
	j, results, err := openJournal(cfg)
	if err != nil {
		return nil, err
	}
	b := &builder{cfg: cfg, graph: newGraph(cfg.Omega), pool: pool, journal: j, results: results}
	err = b.run(ctx, progress)
	if cerr := j.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("dropout: %w", cerr)
	}
	switch {
	case err == nil:
		return b.graph, nil
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return b.graph, fmt.Errorf("dropout: stopped after %d of %d expansions: %w", b.graph.expanded, cfg.Expansions, err)
	default:
		return nil, err
	}
}

type builder struct {
	cfg     Config
	graph   *Graph
	pool    farm.Pool[oware.Position]
	journal *journal.Journal[finished]
	results map[int64]found // searches that are not in the graph yet
}

func (b *builder) run(ctx context.Context, progress func(done, total int64)) error {
	if err := b.start(ctx); err != nil {
		return err
	}
	for b.graph.expanded < b.cfg.Expansions {
		if err := ctx.Err(); err != nil {
			return err
		}
		leaves := b.choose()
		if len(leaves) == 0 {
			return nil
		}
		if err := b.expand(ctx, leaves); err != nil {
			return err
		}
		if progress != nil {
			progress(int64(b.graph.expanded), int64(b.cfg.Expansions))
		}
	}
	return nil
}

// start makes the root.
func (b *builder) start(ctx context.Context) error {
	root := b.cfg.Root
	key := root.BookKey()
	if _, known := b.results[key]; !known {
		if err := b.search(ctx, []oware.Position{root}); err != nil {
			return err
		}
	}
	b.graph.add(key, root, b.results[key])
	delete(b.results, key)
	return nil
}

// choose picks the leaves of a batch one after another, each as if those
// before it were gone. A side that has nothing to expand leaves its turn to
// the other.
func (b *builder) choose() []index {
	var leaves []index
	for len(leaves) < min(b.cfg.Batch, b.cfg.Expansions-b.graph.expanded) {
		side := b.cfg.Sides.turn(b.graph.expanded + len(leaves))
		leaf, ok := b.graph.choose(side)
		if !ok && b.cfg.Sides == ForBoth {
			leaf, ok = b.graph.choose(side.Other())
		}
		if !ok {
			break
		}
		b.graph.setChosen(leaf, true)
		leaves = append(leaves, leaf)
	}
	return leaves
}

// expand searches what is new behind the leaves and then adds it all, in the
// order of the leaves.
func (b *builder) expand(ctx context.Context, leaves []index) error {
	if err := b.search(ctx, b.unknown(leaves)); err != nil {
		for _, leaf := range leaves {
			b.graph.setChosen(leaf, false)
		}
		return err
	}
	for _, leaf := range leaves {
		b.graph.expand(leaf, b.results)
	}
	return nil
}

// unknown lists the successors of the leaves that need a search, each once.
func (b *builder) unknown(leaves []index) []oware.Position {
	var list []oware.Position
	listed := map[int64]bool{}
	for _, leaf := range leaves {
		pos := b.graph.nodes[leaf].pos
		for set := pos.Legal(); set != 0; set &= set - 1 {
			child := pos.Play(oware.Move(bits.TrailingZeros8(set)))
			key := child.BookKey()
			_, inGraph := b.graph.byKey[key]
			_, known := b.results[key]
			_, over := child.Terminal()
			if !inGraph && !known && !over && !listed[key] {
				listed[key] = true
				list = append(list, child)
			}
		}
	}
	return list
}

// search adds the results of the positions to b.results and to the journal,
// where they are on disk when it returns, whatever the error.
func (b *builder) search(ctx context.Context, positions []oware.Position) error {
	if len(positions) == 0 {
		return nil
	}
	jobs := make([]farm.Job[oware.Position], len(positions))
	for i, p := range positions {
		jobs[i] = farm.Job[oware.Position]{Position: p, Limits: b.cfg.Limits}
	}
	answered := 0
	err := b.pool.Run(ctx, jobs, func(r farm.Result) error {
		answered++
		return b.take(jobs, r)
	})
	if serr := b.journal.Sync(); serr != nil && err == nil {
		err = fmt.Errorf("dropout: %w", serr)
	}
	if err == nil && answered < len(jobs) {
		err = fmt.Errorf("dropout: the pool answered %d of %d jobs", answered, len(jobs))
	}
	return err
}

// take keeps one result.
func (b *builder) take(jobs []farm.Job[oware.Position], r farm.Result) error {
	if r.Index < 0 || r.Index >= len(jobs) {
		return fmt.Errorf("dropout: the pool answered job %d of %d", r.Index, len(jobs))
	}
	p := jobs[r.Index].Position
	if r.Err != nil {
		return fmt.Errorf("dropout: search of %s: %w", p, r.Err)
	}
	s := r.Search
	if s.Score > search.Win || s.Score < -search.Win {
		return fmt.Errorf("dropout: search of %s: score %d: expected -%d to %d", p, s.Score, search.Win, search.Win)
	}
	f := found{score: int32(s.Score), depth: int32(s.Depth), nodes: s.Nodes, proven: s.Proven || search.Proven(s.Score)}
	b.results[p.BookKey()] = f
	if err := b.journal.Append(finished{p.BookKey(), f}); err != nil {
		return fmt.Errorf("dropout: %w", err)
	}
	return nil
}
