package endgame

import (
	"context"
	"fmt"
	"math/bits"
	"sync"

	"kroo/games/oware"
	"kroo/internal/parallel"
)

// Fault is the error for a position with a wrong entry.
type Fault struct {
	Position oware.Position // South to move
	What     string
}

func (f *Fault) Error() string { return fmt.Sprintf("%s: %s", f.Position, f.What) }

// Verify checks every entry against its successors: it must be the maximum, or minimum, of
// the values that the moves lead to, and both players together must not be sure of more
// seeds than are in play. This finds any single changed entry, but not every wrong table:
// wrong values around a cycle can support each other, which package check finds. The error
// is a *Fault for the first wrong entry. Progress is in positions.
func (t *Table) Verify(ctx context.Context, progress parallel.Progress) error {
	var levels []levelValues
	for n := range t.seeds + 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		progress.At(int64(base(n)), int64(base(t.seeds+1)))
		if err := t.read(func() { levels = append(levels, t.load(n)) }); err != nil {
			return err
		}
		if err := t.faults(ctx, n, levels); err != nil {
			return err
		}
	}
	progress.At(int64(base(t.seeds+1)), int64(base(t.seeds+1)))
	return nil
}

// faults returns a *Fault for the first wrong entry of a level. Resolved values do not
// follow from their successors, which have a different history: they are only checked
// to be within the bounds.
func (t *Table) faults(ctx context.Context, n int, levels []levelValues) error {
	l := newLevel(t.rules, t.bounds == Sharp, levels[:n], 0)
	if n > t.resolved {
		return l.faults(levels[n])
	}
	bounds, err := l.solve(ctx)
	if err != nil {
		return err
	}
	v := levels[n]
	for i := range v[mover] {
		a, b := int(v[mover][i]), int(v[other][i])
		if least, most := int(bounds[mover][i]), n-int(bounds[other][i]); a < least || n-b > most || a+b > n {
			return &Fault{unrank(n, uint32(i)).position(t.rules, n),
				fmt.Sprintf("mover and opponent are sure of %d and %d: the bounds are %d to %d for the mover", a, b, least, most)}
		}
	}
	return nil
}

// faults returns a *Fault for the first wrong entry of the level.
func (l *level) faults(v levelValues) (fault error) {
	var mu sync.Mutex
	first := uint32(len(l.states))
	l.everywhere(func(from, to uint32) {
		b := unrank(l.n, from)
		for i := from; i < to; i++ {
			p := b.position(l.rules, l.n)
			b.next()
			forMover, forOther := l.expect(p, v)
			what := ""
			switch got := [2]int{int(v[mover][i]), int(v[other][i])}; {
			case got != [2]int{forMover, forOther}:
				what = fmt.Sprintf("mover and opponent are sure of %d and %d: expected %d and %d by the moves", got[0], got[1], forMover, forOther)
			case got[0]+got[1] > l.n:
				what = fmt.Sprintf("mover and opponent are sure of %d and %d of %d seeds", got[0], got[1], l.n)
			}
			if what == "" {
				continue
			}
			mu.Lock()
			if i < first {
				first, fault = i, &Fault{p, what}
			}
			mu.Unlock()
			return
		}
	})
	return fault
}

// expect computes the values of p from those of its successors.
func (l *level) expect(p oware.Position, v levelValues) (forMover, forOther int) {
	s := l.initial(p)
	forMover, forOther = exit(s, mover), exit(s, other)
	for set := p.Legal(); set != 0; set &= set - 1 {
		m := oware.Move(bits.TrailingZeros8(set))
		if p.Gain(m) > 0 {
			continue
		}
		i := within(p.Play(m).Words())
		forMover, forOther = max(forMover, int(v[other][i])), min(forOther, int(v[mover][i]))
	}
	return forMover, forOther
}
