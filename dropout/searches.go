package dropout

import (
	"context"
	"math/bits"

	"kroo/engine"
	"kroo/games/oware"
)

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
func (b *builder) take(f finished) error {
	kept, err := f.found()
	if err != nil {
		return err
	}
	key := f.pos.BookKey()
	delete(b.asked, key)
	b.results[key] = kept
	b.searches++
	return b.log.Append(f)
}
