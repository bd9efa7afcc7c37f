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

// askChildren has the new successors of a leaf searched.
func (b *builder) askChildren(leaf index) error {
	n := b.graph.nodes.at(leaf)
	for set := n.legal; set != 0; set &= set - 1 {
		if err := b.ask(n.pos.Play(oware.Move(bits.TrailingZeros8(set)))); err != nil {
			return err
		}
	}
	return nil
}

// ask has a position searched if that is still to be done.
func (b *builder) ask(p oware.Position) error {
	key := p.BookKey()
	if !b.missing(p) || b.asked[key] {
		return nil
	}
	b.asked[key] = true
	return b.search(engine.Job[oware.Position]{Position: p, Limits: b.cfg.Limits})
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
func (b *builder) receive(ctx context.Context, p oware.Position) error {
	for b.missing(p) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case a := <-b.answers:
			if err := b.take(a); err != nil {
				return err
			}
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
	return b.log.Append(f)
}
