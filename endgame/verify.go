package endgame

import (
	"context"
	"fmt"
	"math/bits"
	"sync"

	"kroo/games/oware"
)

// Fault is a position whose entry cannot be right.
type Fault struct {
	Position oware.Position // South to move
	What     string
}

// Error names the position and what is wrong with it.
func (f *Fault) Error() string { return fmt.Sprintf("endgame: %s: %s", f.Position, f.What) }

// Verify looks at every entry: what each player is sure of must be the best,
// or the worst, of what the moves make of it, and the two together no more than
// there is. That is necessary for a table to be right, and finds any entry
// that was changed; it is not sufficient, since values of a cycle could hold
// each other up: [Table.Recompute] finds those. The error is a *Fault for the
// first entry that is wrong.
//
// Progress, which may be nil, is told how many positions are done of all.
func (t *Table) Verify(ctx context.Context, progress func(done, total int64)) error {
	var levels []levelValues
	for n := range t.seeds + 1 {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("endgame: %w", err)
		}
		tell(progress, base(n), base(t.seeds+1))
		levels = append(levels, t.load(n))
		f, err := t.faults(ctx, n, levels)
		if err != nil {
			return fmt.Errorf("endgame: %w", err)
		}
		if f != nil {
			return f
		}
	}
	tell(progress, base(t.seeds+1), base(t.seeds+1))
	return nil
}

// faults returns the first entry of a level that is wrong, nil for none. Values
// that were found by search do not follow from those of the positions after
// the moves, which are of another history: they must lie within the bounds that
// do.
func (t *Table) faults(ctx context.Context, n int, levels []levelValues) (*Fault, error) {
	l := newLevel(t.rules, t.bounds == Sharp, levels[:n], 0)
	if n > t.settled {
		return l.faults(levels[n]), nil
	}
	bounds, err := l.solve(ctx)
	if err != nil {
		return nil, err
	}
	v := levels[n]
	for i := range v[mover] {
		a, b := int(v[mover][i]), int(v[other][i])
		if least, most := int(bounds[mover][i]), n-int(bounds[other][i]); a < least || n-b > most || a+b > n {
			return &Fault{unrank(n, uint32(i)).position(t.rules, n),
				fmt.Sprintf("mover and other are sure of %d and %d: the bounds of the mover are %d and %d", a, b, least, most)}, nil
		}
	}
	return nil, nil
}

// faults returns the first entry of the level that is wrong, nil for none.
func (l *level) faults(v levelValues) *Fault {
	var mu sync.Mutex
	first, fault := uint32(len(l.states)), (*Fault)(nil)
	l.everywhere(func(from, to uint32) {
		b := unrank(l.n, from)
		for i := from; i < to; i++ {
			p := b.position(l.rules, l.n)
			b.next()
			forMover, forOther := l.expect(p, v)
			what := ""
			switch got := [2]int{int(v[mover][i]), int(v[other][i])}; {
			case got != [2]int{forMover, forOther}:
				what = fmt.Sprintf("mover and other are sure of %d and %d: the moves say %d and %d", got[0], got[1], forMover, forOther)
			case got[0]+got[1] > l.n:
				what = fmt.Sprintf("mover and other are sure of %d and %d of %d seeds", got[0], got[1], l.n)
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

// expect is what the values of the positions after p's moves make of it.
func (l *level) expect(p oware.Position, v levelValues) (forMover, forOther int) {
	s := l.opened(p)
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

// Recompute builds the levels of up to so many seeds anew and compares: it
// finds whatever Verify cannot. The error is a *Fault for the first entry that
// differs.
func (t *Table) Recompute(ctx context.Context, seeds int, progress func(done, total int64)) error {
	seeds = min(seeds, t.seeds)
	fresh, err := Build(ctx, Config{Rules: t.rules, Bounds: t.bounds, Seeds: seeds, Settle: min(t.settled, seeds)}, progress)
	if err != nil {
		return err
	}
	w := t.bounds.width()
	for n := range seeds + 1 {
		got, want := t.levelData(n), fresh.levelData(n)
		for i := range Positions(n) {
			if string(got[i*w:(i+1)*w]) != string(want[i*w:(i+1)*w]) {
				low, high := t.at(n, i)
				freshLow, freshHigh := fresh.at(n, i)
				return &Fault{unrank(n, uint32(i)).position(t.rules, n),
					fmt.Sprintf("%+d to %+d: built anew it is %+d to %+d", low, high, freshLow, freshHigh)}
			}
		}
	}
	return nil
}
