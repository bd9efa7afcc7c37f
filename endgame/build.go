package endgame

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/journal"
	"kroo/internal/memory"
	"kroo/internal/parallel"
	"kroo/internal/vfs"
)

// Config says which table to build.
type Config struct {
	Rules  oware.Rules
	Bounds Bounds // see ParseBounds
	Seeds  int    // most seeds in play, 0 to MaxSeeds
	// Resolve is the level up to which a search with history narrows bounds to exact
	// values, as far as Budget allows; 0 for tables that are Exact.
	Resolve int
	// Budget is the most nodes of that search for a position and a threshold; 0 means
	// 200 million.
	Budget  int64
	Workers int    // 0 means runtime.GOMAXPROCS
	Made    string // what made the table: one line for the file
	// Journal is the file that keeps finished levels until the table is written,
	// "" for none. A build that was stopped continues from it.
	Journal string
}

// Memory estimates the most memory that Build needs, in bytes: the table, the values of
// all levels, and of the last level the states and four lists as long as it, which are
// the positions that a step decides, as workers find them and joined, those before them,
// and what slices keep in reserve; and what workers remember of lines of play where levels
// are resolved. Of what has no such part the process has taken 73 to 85 % (docs/bounds.md).
func (c Config) Memory() int64 {
	const (
		program = 64 << 20 // with what is embedded: it has taken up to 50 MiB
		heap    = 96 << 20 // train collects no garbage below it: small tables stay below it
	)
	last := int64(Positions(c.Seeds))
	var resolving int64
	if c.Resolve > 0 {
		resolving = int64(cmp.Or(c.Workers, runtime.GOMAXPROCS(0))) * mostMemo * 40
	}
	return max(heap, int64(c.Bounds.size(c.Seeds))+2*int64(base(c.Seeds+1))+last*4+last*4*4) + resolving + program
}

func (c Config) check() error {
	switch {
	case c.Seeds < 0 || c.Seeds > MaxSeeds:
		return fmt.Errorf("%d seeds: expected 0 to %d", c.Seeds, MaxSeeds)
	case c.Resolve < 0 || c.Resolve > c.Seeds || c.Resolve > 0 && c.Bounds == Exact || c.Budget < 0:
		return fmt.Errorf("resolve up to %d seeds with budget %d: expected 0 to %d seeds, only 0 for exact values, and a budget of 0 or more", c.Resolve, c.Budget, c.Seeds)
	case c.Workers < 0:
		return fmt.Errorf("%d workers: expected 0 (one a processor) or more", c.Workers)
	case strings.ContainsAny(c.Made, "\n\r") || len(c.Made) > 1000:
		return fmt.Errorf("made by %.40q: expected a short line", c.Made)
	}
	if b, err := ParseBounds(string(c.Bounds), c.Rules); err != nil || b != c.Bounds {
		return fmt.Errorf("bounds %q do not belong to %s", c.Bounds, c.Rules)
	}
	return nil
}

// Build solves all levels. progress receives the number of
// positions done and of all. When the context is done, Build returns the context's
// error; finished levels are in the journal.
func Build(ctx context.Context, c Config, progress parallel.Progress) (*Table, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	t := &Table{rules: c.Rules, bounds: c.Bounds, seeds: c.Seeds, resolved: c.Resolve, made: c.Made, data: make([]byte, c.Bounds.size(c.Seeds))}
	journal, known, err := c.openJournal(t)
	if err != nil {
		return nil, err
	}
	defer journal.Close()
	var levels []levelValues
	for n := range known {
		levels = append(levels, t.load(n))
	}
	all := int64(base(c.Seeds + 1))
	for n := known; n <= c.Seeds; n++ {
		progress.At(int64(base(n)), all)
		v, err := newLevel(c.Rules, c.Bounds == Sharp, levels, c.Workers).solve(ctx)
		if err != nil {
			return nil, err
		}
		if n <= c.Resolve {
			if err := resolveLevel(ctx, v, levels, c.Workers, cmp.Or(c.Budget, defaultBudget)); err != nil {
				return nil, err
			}
		}
		levels = append(levels, v)
		t.store(n, v)
		if err := keepLevel(journal, n, t.levelData(n)); err != nil {
			return nil, err
		}
	}
	progress.At(all, all)
	return t, nil
}

// BuildFile builds a table, writes it into a folder and returns the file's path. A
// journal next to it keeps finished levels until the table is written. It refuses
// a table that needs more memory than is free.
func BuildFile(ctx context.Context, c Config, folder string, progress parallel.Progress) (string, error) {
	if err := memory.Check(fmt.Sprintf("building a table of %d seeds", c.Seeds), c.Memory()); err != nil {
		return "", fmt.Errorf("%w: ask for fewer seeds, or end other programs", err)
	}
	if err := vfs.MkdirAll(folder, 0o777); err != nil {
		return "", err
	}
	path := filepath.Join(folder, FileName(c.Rules))
	if err := atomicfile.Check(path); err != nil {
		return path, err
	}
	c.Journal = path + ".journal"
	t, err := Build(ctx, c, progress)
	if err != nil {
		return path, err
	}
	if err := t.Write(path); err != nil {
		return path, err
	}
	return path, journal.Remove(c.Journal)
}
