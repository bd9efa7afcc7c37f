package endgame

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/memory"
	"kroo/internal/parallel"
	"kroo/internal/vfs"
)

// Config describes the table to build.
type Config struct {
	Rules  oware.Rules
	Bounds Bounds `name:"bounds" help:"kind of bounds for abapa: crude or sharp (default sharp); other rules have exact values"` // see ParseBounds
	Seeds  int    `name:"seeds" default:"12" range:"0..24" help:"most seeds in play"`                                            // at most MaxSeeds
	// Resolve is the level up to which a search with history narrows bounds to exact
	// values, as far as its budget allows; 0 for tables that are Exact.
	Resolve int    `name:"resolve" default:"7" range:"0.." help:"search levels of up to this many seeds for exact values (sharp bounds)"`
	Workers int    `name:"workers" range:"0..1024" group:"Search" help:"searches at a time (default one per processor)"` // 0 means runtime.GOMAXPROCS
	Made    string // origin, recorded in the file: one line
	// Partial is a table of the levels finished so far, from which a stopped build
	// resumes; "" means none.
	Partial string
}

// Memory estimates the peak memory of Build in bytes. It sums
//   - the table and the values of all levels;
//   - the states of the last level, and four lists of its length: the positions that a
//     step decides, per worker and joined, those of the step before, and spare capacity;
//   - if levels are resolved, the results that each worker remembers.
//
// Without resolving, measured peaks were 73 to 85 % of the estimate (docs/bounds.md).
func (c Config) Memory() int64 {
	const (
		program = 64 << 20 // code and embedded files: up to 50 MiB measured
		heap    = 96 << 20 // train collects no garbage below this size
	)
	last := int64(Positions(c.Seeds))
	var resolving int64
	if c.Resolve > 0 {
		resolving = int64(cmp.Or(c.Workers, runtime.GOMAXPROCS(0))) * maxMemo * 40
	}
	return max(heap, int64(c.Bounds.size(c.Seeds))+2*int64(base(c.Seeds+1))+last*4+last*4*4) + resolving + program
}

func (c Config) check() error {
	switch {
	case c.Seeds < 0 || c.Seeds > MaxSeeds:
		return fmt.Errorf("%d seeds: expected 0 to %d", c.Seeds, MaxSeeds)
	case c.Resolve < 0 || c.Resolve > c.Seeds || c.Resolve > 0 && c.Bounds == Exact:
		return fmt.Errorf("resolve up to %d seeds: expected 0 to %d seeds (0 for exact values)", c.Resolve, c.Seeds)
	case c.Workers < 0:
		return fmt.Errorf("%d workers: expected 0 (one per processor) or more", c.Workers)
	case strings.ContainsAny(c.Made, "\n\r") || len(c.Made) > 1000:
		return fmt.Errorf("made by %.40q: expected one line of at most 1000 bytes", c.Made)
	}
	if b, err := ParseBounds(string(c.Bounds), c.Rules); err != nil || b != c.Bounds {
		return fmt.Errorf("%s has no bounds %q", c.Rules, c.Bounds)
	}
	return nil
}

// Build solves all levels. Progress is in positions. When the context is done, Build
// returns its error; finished levels are in the partial table.
func Build(ctx context.Context, c Config, progress parallel.Progress) (*Table, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	t := c.table(c.Seeds)
	t.data = make([]byte, c.Bounds.size(c.Seeds))
	known, err := c.resume(t)
	if err != nil {
		return nil, err
	}
	var levels []levelValues
	for n := range known {
		levels = append(levels, t.load(n))
	}
	all := int64(base(c.Seeds + 1))
	note := ""
	for n := known; n <= c.Seeds; n++ {
		progress.Note(int64(base(n)), all, note)
		v, err := newLevel(c.Rules, c.Bounds == Sharp, levels, c.Workers).solve(ctx)
		if err != nil {
			return nil, err
		}
		if n <= c.Resolve {
			hardest, err := resolveLevel(ctx, v, levels, c.Workers)
			if err != nil {
				return nil, err
			}
			if c.Resolve > 0 {
				note = fmt.Sprintf("hardest position of %d seeds: %d nodes", n, hardest)
			}
		}
		levels = append(levels, v)
		t.store(n, v)
		if c.Partial == "" || n == c.Seeds {
			continue
		}
		part := c.table(n)
		part.data = t.data[:c.Bounds.size(n)]
		if err := part.Write(c.Partial); err != nil {
			return nil, err
		}
	}
	progress.Note(all, all, note)
	return t, nil
}

// table returns the table of up to some seeds, without its data.
func (c Config) table(seeds int) *Table {
	return &Table{rules: c.Rules, bounds: c.Bounds, seeds: seeds, resolved: min(c.Resolve, seeds), made: c.Made}
}

// resume copies the levels of the partial table, if there is one, and returns their number.
func (c Config) resume(t *Table) (int, error) {
	if _, err := vfs.Stat(c.Partial); c.Partial == "" || errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	old, err := Open(c.Partial)
	if err != nil {
		return 0, fmt.Errorf("%w: delete it to start over", err)
	}
	defer old.Close()
	seeds := min(old.seeds, c.Seeds)
	same := c.table(seeds)
	if old.rules != same.rules || old.bounds != same.bounds || min(old.resolved, seeds) != same.resolved {
		return 0, fmt.Errorf("%s: %s, %s, resolved up to %d seeds: expected %s, %s and %d; delete it to start over",
			c.Partial, old.rules, old.bounds, old.resolved, same.rules, same.bounds, same.resolved)
	}
	copy(t.data, old.data[:c.Bounds.size(seeds)])
	return seeds + 1, old.Err()
}

// PartialSuffix is appended to the name of a table's file for the levels finished so far.
const PartialSuffix = ".part"

// BuildFile builds a table, writes it into a folder and returns the file's path. Until
// the table is written, finished levels are in a partial table next to it. BuildFile fails
// immediately if the table needs more memory than is free.
func BuildFile(ctx context.Context, c Config, folder string, progress parallel.Progress) (string, error) {
	if err := memory.Check(fmt.Sprintf("building a table of %d seeds", c.Seeds), c.Memory()); err != nil {
		return "", fmt.Errorf("%w: build fewer seeds, or close other programs", err)
	}
	if err := vfs.MkdirAll(folder, 0o777); err != nil {
		return "", err
	}
	path := filepath.Join(folder, FileName(c.Rules))
	if err := atomicfile.Check(path); err != nil {
		return path, err
	}
	c.Partial = path + PartialSuffix
	t, err := Build(ctx, c, progress)
	if err != nil {
		return path, err
	}
	if err := t.Write(path); err != nil {
		return path, err
	}
	return path, vfs.RemoveIfThere(c.Partial)
}

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
				fmt.Sprintf("mover and opponent are sure of %d and %d: the bounds are %d to %d for the mover",
					a, b, least, most)}
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
				what = fmt.Sprintf("mover and opponent are sure of %d and %d: expected %d and %d by the moves",
					got[0], got[1], forMover, forOther)
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
