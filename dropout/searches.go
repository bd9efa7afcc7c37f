package dropout

import (
	"context"
	"fmt"
	"math/bits"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
)

// answer is a finished search.
type answer struct {
	pos    oware.Position
	search search.Result
}

// start sets the pool to work at what will be asked for, in that order. Neither asking
// nor answering blocks as long as not more is unanswered than Config.Width leaves need.
func (b *builder) start(ctx context.Context, pool engine.Pool[oware.Position]) {
	room := b.cfg.Width * oware.Houses
	b.jobs, b.answers = make(chan oware.Position, room), make(chan answer, room)
	go func() {
		defer close(b.answers)
		b.failed = pool.Search(ctx, b.feed, func(j engine.Job[oware.Position], r search.Result) error {
			b.answers <- answer{j.Position, r}
			return nil
		})
	}()
}

// feed hands what is asked for to the pool.
func (b *builder) feed(ctx context.Context, ask func(engine.Job[oware.Position]) error) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case p, more := <-b.jobs:
			if !more {
				return nil
			}
			if err := ask(engine.Job[oware.Position]{Position: p, Limits: b.cfg.Limits}); err != nil {
				return err
			}
		}
	}
}

// askChildren has the new successors of a leaf searched.
func (b *builder) askChildren(leaf index) {
	n := b.graph.nodes.at(leaf)
	for set := n.legal; set != 0; set &= set - 1 {
		b.ask(n.pos.Play(oware.Move(bits.TrailingZeros8(set))))
	}
}

// ask has a position searched if that is still to be done.
func (b *builder) ask(p oware.Position) {
	if key := p.BookKey(); b.missing(p) && !b.asked[key] {
		b.asked[key] = true
		b.jobs <- p
	}
}

// missing tells whether the graph cannot take a position yet.
func (b *builder) missing(p oware.Position) bool {
	if _, over := p.Terminal(); over {
		return false
	}
	if _, there := b.graph.find(p); there {
		return false
	}
	_, known := b.results[p.BookKey()]
	return !known
}

// receive takes answers until the position is not missing.
func (b *builder) receive(p oware.Position) error {
	for b.missing(p) {
		a, more := <-b.answers
		if !more && b.failed != nil {
			return b.failed
		}
		if !more {
			return fmt.Errorf("the pool has not answered for %s", p)
		}
		if err := b.take(a); err != nil {
			return err
		}
	}
	return nil
}

// take keeps a finished search, here and in the log.
func (b *builder) take(a answer) error {
	key, s := a.pos.BookKey(), a.search
	if max(s.Score, -s.Score, s.Steady, -s.Steady) > search.Win {
		return fmt.Errorf("search of %s: score %d, steady %d: expected -%d to %d", a.pos, s.Score, s.Steady, search.Win, search.Win)
	}
	f := finished{key: key, depth: int32(s.Depth), found: found{
		nodes: s.Nodes, score: int16(s.Steady), proven: s.Proven || search.Proven(s.Score),
	}}
	if err := f.check(); err != nil {
		return fmt.Errorf("search of %s: %w", a.pos, err)
	}
	delete(b.asked, key)
	b.results[key] = f.found
	b.searches++
	return b.log.append(f)
}
