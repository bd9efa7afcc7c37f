package engine

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"kroo/engine/search"
	"kroo/internal/memory"
	"kroo/internal/spec"
)

// Config bounds the searches of a job: labels, a match, a book. At least one limit must be set.
type Config struct {
	Nodes     int64    `name:"nodes" range:"1.." group:"Search" help:"limit each search by positions visited (reproducible)"`
	Depth     int      `name:"depth" range:"1..512" group:"Search" help:"limit each search by depth in plies (reproducible)"`
	MoveTime  Duration `name:"movetime" group:"Search" help:"limit each search by time, such as 200ms"`
	HashMB    int      `name:"hash_mb" flag:"hash" default:"16" range:"1..65536" group:"Search" help:"hash table of each searcher, in MiB"`
	Threads   int      `name:"threads" flag:"-" range:"1..256" group:"Search" help:"threads of each search (default one); more than one is not reproducible"`
	FullWidth bool     `name:"full_width" flag:"-" group:"Search" help:"the textbook search: every move to the same depth, no quiescence"`
	Step      int      `name:"step" flag:"-" range:"1..512" group:"Search" json:",omitempty" help:"plies from one iteration of a search to the next: with 2 the depths are 1, 3, 5 … (default 1)"`
	Tables    string   `name:"tables" file:"in" group:"Search" help:"endgame tables: a file, a folder, or none (default those of the program)"`
}

// NoTables as [Config.Tables] disables endgame tables.
const NoTables = "none"

// maxHashMB is the maximum size of a hash table in a Config, in MiB.
const maxHashMB = 1 << 16

// Duration is a time.Duration written as "200ms".
type Duration = spec.Duration

// Limits returns the search's limits.
func (c Config) Limits() search.Limits {
	return search.Limits{Nodes: c.Nodes, Depth: c.Depth, Time: c.MoveTime.Duration}
}

// Options returns the search's options.
func (c Config) Options() search.Options {
	return search.Options{HashMB: c.HashMB, Threads: c.Threads, FullWidth: c.FullWidth, Step: c.Step}
}

// Reproducible reports whether the same search gives the same result each time.
func (c Config) Reproducible() bool { return c.MoveTime.Duration == 0 && c.Threads <= 1 }

// Check returns an error for a search without a limit, or with a setting out of range.
func (c Config) Check() error {
	if c.Limits() == (search.Limits{}) {
		return errors.New("no limit on the search: set nodes, depth or movetime")
	}
	if c.MoveTime.Duration < 0 {
		return fmt.Errorf("movetime is %s: expected a time such as 200ms", c.MoveTime)
	}
	return spec.Check(&c)
}

// String describes the configuration, with tables by their path. Artifacts record [Engine.Limits]
// instead, since the file at a path may change.
func (c Config) String() string {
	return c.describe(strings.Join(strings.Fields(c.Tables), " "))
}

// describe is String with another name for the tables.
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

// bounds describes the limits of each search.
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

// defaultHashMB is a searcher's hash size in MiB if a Config sets none.
const defaultHashMB = 16

// hashBytes returns the size of the hash tables of a number of searchers, at
// most 2^62.
func (c Config) hashBytes(searchers int) int64 {
	const most = 1 << 62
	one := int64(max(cmp.Or(c.HashMB, defaultHashMB), 1))
	if one > most>>20 || int64(searchers) > most/(one<<20) {
		return most
	}
	return int64(searchers) * one << 20
}

// CheckMemory returns an error if the hash tables of a number of searchers do not fit into free
// memory. Call it before making them.
func (c Config) CheckMemory(searchers int) error {
	what := fmt.Sprintf("a hash table of %d MiB", c.HashMB)
	if searchers > 1 {
		what = fmt.Sprintf("%d hash tables of %d MiB", searchers, c.HashMB)
	}
	if err := memory.Check(what, c.hashBytes(searchers)); err != nil {
		return fmt.Errorf("%w: take smaller tables or fewer workers", err)
	}
	return nil
}

// TimeControl is a player's time for a game. The zero value means no clock.
type TimeControl struct {
	Base time.Duration // at the start
	Inc  time.Duration // added after each move
}

// longestControl bounds each part of a time control, to catch typing errors.
const longestControl = 24 * time.Hour

// UnmarshalText reads "BASE" or "BASE+INCREMENT" with units, such as
// "10s+100ms" or "1m".
func (tc *TimeControl) UnmarshalText(text []byte) (err error) {
	base, inc, both := strings.Cut(string(text), "+")
	if tc.Base, err = time.ParseDuration(base); err == nil && both {
		tc.Inc, err = time.ParseDuration(inc)
	}
	if err != nil || tc.Base <= 0 || tc.Check() != nil {
		return fmt.Errorf("expected BASE+INCREMENT, such as 10s+100ms, above 0 and of at most %s each", longestControl)
	}
	return nil
}

// MarshalText writes the format of UnmarshalText, "" without a clock.
func (tc TimeControl) MarshalText() ([]byte, error) { return []byte(tc.String()), nil }

// String returns the text form, "" without a clock.
func (tc TimeControl) String() string {
	switch {
	case tc.Base == 0:
		return ""
	case tc.Inc == 0:
		return tc.Base.String()
	}
	return tc.Base.String() + "+" + tc.Inc.String()
}

// Check returns an error for times out of range.
func (tc TimeControl) Check() error {
	if min(tc.Base, tc.Inc) < 0 || max(tc.Base, tc.Inc) > longestControl || tc.Base == 0 && tc.Inc > 0 {
		return fmt.Errorf("time control of %s, increment %s: expected a time to start with, and each from 0 to %s", tc.Base, tc.Inc, longestControl)
	}
	return nil
}
