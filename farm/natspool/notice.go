package natspool

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"kroo/internal/oneline"
)

// Bounds of notices of a kind: whoever sends nonsense fills no terminal and no log.
const (
	atOnce    = 20 // notices
	countEach = 10 * time.Second
)

// teller tells a person: of each kind of notice, which is its format, some lines,
// and every few seconds how many more there were.
type teller struct {
	to    func(string)
	mu    sync.Mutex
	kinds map[string]*kind
}

// kind counts the notices of a kind since the counting began.
type kind struct {
	count int
	last  []any // what would fill the last that was left out: a flood formats nothing
}

// notice tells a person something, in a line of some length.
func (c Config) notice(format string, args ...any) {
	if c.teller != nil && c.teller.to != nil {
		c.teller.notice(format, args)
	}
}

func (t *teller) notice(format string, args []any) {
	t.mu.Lock()
	k := t.kinds[format]
	if k == nil {
		k = &kind{}
		if t.kinds == nil {
			t.kinds = map[string]*kind{}
		}
		t.kinds[format] = k
		time.AfterFunc(countEach, func() { t.sum(format) })
	}
	k.count++
	tell := k.count <= atOnce
	if !tell {
		k.last = args
	}
	t.mu.Unlock()
	if tell {
		t.to(line(format, args))
	}
}

func line(format string, args []any) string { return oneline.Short(fmt.Sprintf(format, args...)) }

// sum ends the count of a kind, and tells how many notices were left out.
func (t *teller) sum(format string) {
	t.mu.Lock()
	k := t.kinds[format]
	delete(t.kinds, format)
	t.mu.Unlock()
	if k == nil { // told at the end
		return
	}
	if more := k.count - atOnce; more > 0 {
		t.to(fmt.Sprintf("%s (and %d more of the kind in %s)", line(format, k.last), more, countEach))
	}
}

// end tells what is still to be told.
func (t *teller) end() {
	t.mu.Lock()
	kinds := slices.Sorted(maps.Keys(t.kinds))
	t.mu.Unlock()
	for _, format := range kinds {
		t.sum(format)
	}
}
