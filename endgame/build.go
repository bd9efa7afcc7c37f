package endgame

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"kroo/games/oware"
	"kroo/internal/wal"
)

// Config says which table to build.
type Config struct {
	Rules   oware.Rules
	Bounds  Bounds // see ParseBounds
	Seeds   int    // most seeds in play, 0 to MaxSeeds
	Settle  int    // of bounds: search levels of up to so many seeds for values, as far as Budget allows
	Budget  int64  // of settling a position, in nodes; 0 is 4 billion up to 7 seeds, which is enough for all, and 20 million beyond
	Workers int    // 0 means runtime.GOMAXPROCS
	Made    string // goes into the file: what made it; one line
	// Journal keeps finished levels until the table is written, "" for
	// nowhere. A build that was stopped goes on from it.
	Journal string
}

// Memory is about how many bytes Build takes at its height: the table, the
// values of all levels and the states of the last.
func (c Config) Memory() int64 {
	last := int64(Positions(c.Seeds))
	return int64(c.Bounds.size(c.Seeds)) + 2*int64(base(c.Seeds+1)) + last*4 + last*2*4
}

func (c Config) check() error {
	switch {
	case c.Seeds < 0 || c.Seeds > MaxSeeds:
		return fmt.Errorf("endgame: %d seeds: expected 0 to %d", c.Seeds, MaxSeeds)
	case c.Settle < 0 || c.Settle > c.Seeds || c.Settle > 0 && c.Bounds == Exact || c.Budget < 0:
		return fmt.Errorf("endgame: levels of up to %d seeds settled, budget %d: expected 0 to the %d seeds of the table, and bounds", c.Settle, c.Budget, c.Seeds)
	case c.Workers < 0:
		return fmt.Errorf("endgame: %d workers: expected 0 (one a processor) or more", c.Workers)
	case strings.ContainsAny(c.Made, "\n\r") || len(c.Made) > 1000:
		return fmt.Errorf("endgame: made by %.40q: expected a short line", c.Made)
	}
	if b, err := ParseBounds(string(c.Bounds), c.Rules); err != nil || b != c.Bounds {
		return fmt.Errorf("endgame: bounds %q do not belong to %s", c.Bounds, c.Rules)
	}
	return nil
}

// Build solves all levels. Progress, which may be nil, is told how many
// positions are done of all. When the context is done it returns its error;
// finished levels are in the journal.
func Build(ctx context.Context, c Config, progress func(done, total int64)) (*Table, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	t := &Table{rules: c.Rules, bounds: c.Bounds, seeds: c.Seeds, settled: c.Settle, made: c.Made, data: make([]byte, c.Bounds.size(c.Seeds))}
	journal, known, err := t.openJournal(c.Journal)
	if err != nil {
		return nil, err
	}
	if journal != nil {
		defer journal.Close()
	}
	var levels []levelValues
	for n := range known {
		levels = append(levels, t.load(n))
	}
	for n := known; n <= c.Seeds; n++ {
		tell(progress, base(n), base(c.Seeds+1))
		v, err := newLevel(c.Rules, c.Bounds == Sharp, levels, c.Workers).solve(ctx)
		if err != nil {
			return nil, fmt.Errorf("endgame: %w", err)
		}
		if n <= c.Settle {
			if err := settleLevel(ctx, v, levels, c.workers(), cmp.Or(c.Budget, defaultBudget(n))); err != nil {
				return nil, fmt.Errorf("endgame: %w", err)
			}
		}
		levels = append(levels, v)
		t.store(n, v)
		if err := keep(journal, n, t.levelData(n)); err != nil {
			return nil, err
		}
	}
	tell(progress, base(c.Seeds+1), base(c.Seeds+1))
	return t, nil
}

func (c Config) workers() int { return cmp.Or(c.Workers, runtime.GOMAXPROCS(0)) }

func tell(progress func(done, total int64), done, total int) {
	if progress != nil {
		progress(int64(done), int64(total))
	}
}

// A record of the journal is a piece of a level after three bytes: the level,
// the number of the piece, and 1 if it is the last.
const (
	pieceHead = 3
	pieceSize = wal.MaxRecord - pieceHead
)

// keep writes a finished level to the journal and the disk.
func keep(journal *wal.Log, n int, data []byte) error {
	if journal == nil {
		return nil
	}
	for piece, last := byte(0), byte(0); last == 0; piece++ {
		part := data[:min(len(data), pieceSize)]
		if data = data[len(part):]; len(data) == 0 {
			last = 1
		}
		if err := journal.Append(append([]byte{byte(n), piece, last}, part...)); err != nil {
			return fmt.Errorf("endgame: %w", err)
		}
	}
	if err := journal.Sync(); err != nil {
		return fmt.Errorf("endgame: %w", err)
	}
	return nil
}

// openJournal reads the levels that the journal holds into the table and
// returns how many they are, 0 and no journal for no path. The journal of a
// larger table serves as well.
func (t *Table) openJournal(path string) (*wal.Log, int, error) {
	if path == "" {
		return nil, 0, nil
	}
	want := fmt.Sprintf("%s build, rules %s, bounds %s, settled %d", signature, t.rules, t.bounds, t.settled)
	r := journalReader{table: t}
	log, err := wal.OpenOrCreate(path, []byte(want), func(got []byte) error {
		if string(got) != want {
			return fmt.Errorf("it is of another table (%.80q): delete it to start again", got)
		}
		return nil
	}, r.record)
	if err != nil {
		return nil, 0, fmt.Errorf("endgame: %w", err)
	}
	return log, min(r.known, t.seeds+1), nil
}

// journalReader puts the levels of a journal together.
type journalReader struct {
	table  *Table
	known  int // whole levels
	pieces int // of the next level
	filled int // bytes of it
}

func (r *journalReader) record(rec []byte) error {
	if len(rec) < pieceHead || int(rec[0]) != r.known {
		return errors.New("levels are not in order: delete it to start again")
	}
	if rec[1] == 0 { // a level that was stopped half written begins again
		r.pieces, r.filled = 0, 0
	}
	if int(rec[1]) != r.pieces {
		return fmt.Errorf("level %d is not in order: delete it to start again", r.known)
	}
	r.pieces++
	if r.known <= r.table.seeds {
		level := r.table.levelData(r.known)
		r.filled += copy(level[r.filled:], rec[pieceHead:])
		if rec[2] == 1 && r.filled != len(level) {
			return fmt.Errorf("level %d has the wrong size: delete it to start again", r.known)
		}
	}
	if rec[2] == 1 {
		r.known++
		r.pieces, r.filled = 0, 0
	}
	return nil
}

// RemoveJournal clears away the journal of a build whose table is written.
func RemoveJournal(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("endgame: %w", err)
	}
	return nil
}
