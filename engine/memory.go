package engine

import (
	"cmp"
	"fmt"

	"kroo/internal/memory"
)

// defaultHashMB is what a searcher takes where a Config asks for no size.
const defaultHashMB = 16

// HashBytes is what the hash tables of so many searchers take, at most what no machine has.
func (c Config) HashBytes(searchers int) int64 {
	const most = 1 << 62
	one := int64(max(cmp.Or(c.HashMB, defaultHashMB), 1))
	if one > most>>20 || int64(searchers) > most/(one<<20) {
		return most
	}
	return int64(searchers) * one << 20
}

// CheckMemory refuses searchers whose hash tables do not fit into the memory that is
// free. Call it before they are made.
func (c Config) CheckMemory(searchers int) error {
	what := fmt.Sprintf("a hash table of %d MiB", c.HashMB)
	if searchers > 1 {
		what = fmt.Sprintf("%d hash tables of %d MiB", searchers, c.HashMB)
	}
	if err := memory.Check(what, c.HashBytes(searchers)); err != nil {
		return fmt.Errorf("%w: take smaller tables or fewer workers", err)
	}
	return nil
}
