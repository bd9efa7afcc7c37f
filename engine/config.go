package engine

import (
	"fmt"
	"strings"
	"time"

	"kroo/engine/search"
)

// Config bounds the searches of a subject: labels, a match, a book. Its tags
// name the settings in configuration files. At least one limit is set.
type Config struct {
	Nodes     int64    `toml:"nodes,omitempty"`
	Depth     int      `toml:"depth,omitempty"`
	MoveTime  Duration `toml:"movetime,omitempty"`
	HashMB    int      `toml:"hash_mb"`
	Threads   int      `toml:"threads,omitempty"`                // of each search; more than one is not reproducible
	FullWidth bool     `toml:"full_width,omitempty"`             // the textbook search: every move to the same depth, no quiescence
	Step      int      `toml:"step,omitempty" json:",omitempty"` // plies from one iteration to the next: 2 for depths 1, 3, 5 …; 0 is 1
	Tables    string   `toml:"tables,omitempty"`                 // endgame tables: a file or folder, NoTables, or "" for the program's own
}

// NoTables as [Config.Tables] searches without endgame tables.
const NoTables = "none"

// MaxHashMB is the largest hash table a Config asks for.
const MaxHashMB = 1 << 16

// Duration is a time.Duration written as "200ms".
type Duration struct{ time.Duration }

// UnmarshalText parses the text form, and no text as no duration.
func (d *Duration) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		d.Duration = 0
		return nil
	}
	d.Duration, err = time.ParseDuration(string(text))
	return err
}

// MarshalText gives the text form, nothing for no duration.
func (d Duration) MarshalText() ([]byte, error) {
	if d.Duration == 0 {
		return nil, nil
	}
	return []byte(d.String()), nil
}

// Limits are the search's limits.
func (c Config) Limits() search.Limits {
	return search.Limits{Nodes: c.Nodes, Depth: c.Depth, Time: c.MoveTime.Duration}
}

// Options are the search's options.
func (c Config) Options() search.Options {
	return search.Options{HashMB: c.HashMB, Threads: c.Threads, FullWidth: c.FullWidth, Step: c.Step}
}

// Reproducible tells whether the same search gives the same result each time.
func (c Config) Reproducible() bool { return c.MoveTime.Duration == 0 && c.Threads <= 1 }

// Check refuses a search without any limit, or with a setting out of range.
func (c Config) Check() error {
	l := c.Limits()
	if l == (search.Limits{}) {
		return fmt.Errorf("no limit on the search: set nodes, depth or movetime")
	}
	if l.Nodes < 0 || l.Depth < 0 || l.Depth > search.MaxPly || l.Time < 0 {
		return fmt.Errorf("nodes %d, depth %d, movetime %s: expected none negative and depth at most %d", l.Nodes, l.Depth, l.Time, search.MaxPly)
	}
	if c.Threads < 0 || c.Threads > search.MaxThreads {
		return fmt.Errorf("threads is %d: expected 0 (one) to %d", c.Threads, search.MaxThreads)
	}
	if c.Step < 0 || c.Step > search.MaxPly {
		return fmt.Errorf("step is %d: expected 0 (one) to %d plies from one iteration to the next", c.Step, search.MaxPly)
	}
	if c.HashMB < 1 || c.HashMB > MaxHashMB {
		return fmt.Errorf("hash_mb is %d: expected 1 to %d", c.HashMB, MaxHashMB)
	}
	return nil
}

// String describes the configuration, with tables by their path. Artifacts record
// [Engine.Limits] instead, since another file may come to stand there.
func (c Config) String() string {
	return c.describe(strings.Join(strings.Fields(c.Tables), " "))
}

// describe is String with another name for the tables of a path.
func (c Config) describe(tables string) string {
	parts := c.bounds()
	parts = append(parts, fmt.Sprintf("hash %d MiB", c.HashMB))
	if c.Threads > 1 {
		parts = append(parts, fmt.Sprintf("%d threads", c.Threads))
	}
	if c.FullWidth {
		parts = append(parts, "full width")
	}
	if c.Step > 1 {
		parts = append(parts, fmt.Sprintf("step %d", c.Step))
	}
	switch c.Tables {
	case "":
		parts = append(parts, "default tables")
	case NoTables:
		parts = append(parts, "no tables")
	default:
		parts = append(parts, "tables "+tables)
	}
	return strings.Join(parts, ", ")
}

// bounds are what limits each search, without what searches.
func (c Config) bounds() (parts []string) {
	if c.Nodes > 0 {
		parts = append(parts, fmt.Sprintf("nodes %d", c.Nodes))
	}
	if c.Depth > 0 {
		parts = append(parts, fmt.Sprintf("depth %d", c.Depth))
	}
	if c.MoveTime.Duration > 0 {
		parts = append(parts, "movetime "+c.MoveTime.String())
	}
	return parts
}
