package uci

import (
	"fmt"
	"runtime/debug"

	"kroo/engine/search"
	"kroo/internal/memory"
)

// hashOption is the size of the hash table. A table that does not fit into the memory
// that is free is refused, and the session keeps the one it has: it is made at the
// next isready or go, when it would be too late to say so.
func hashOption[P search.Position[P]](byDefault, most int) option[P] {
	number := spin("Hash", byDefault, 1, most, func(c *session[P]) *int { return &c.hashMB })
	set := number.set
	number.set = func(c *session[P], value string) error {
		old := c.hashMB
		if err := set(c, value); err != nil {
			return err
		}
		what := fmt.Sprintf("a table of %d MiB", c.hashMB)
		if err := memory.CheckReusing(what, int64(c.hashMB)<<20, c.held()); err != nil {
			c.hashMB = old
			return fmt.Errorf("%w: the table stays at %d MiB", err, old)
		}
		return nil
	}
	return number
}

// held is the memory of the hash table that there is, in bytes.
func (c *session[P]) held() int64 {
	if c.searcher == nil {
		return 0
	}
	return int64(c.made.HashMB) << 20
}

// dropSearcher makes room for another. A table may be most of the memory there is, so
// the collector must not wait until the next one is there as well.
func (c *session[P]) dropSearcher() {
	if c.searcher == nil {
		return
	}
	c.searcher = nil
	debug.FreeOSMemory()
}
