package client

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"kroo/engine/search"
)

// LimitWatch compares the searches of all processes of a program with their limits, and warns once
// about a limit that the program does not obey, since files record the limit all the same.
type LimitWatch struct {
	Warn func(text string)

	mu     sync.Mutex
	tally  LimitTally
	warned bool
}

// add counts a search. A nil watch ignores it.
func (w *LimitWatch) add(name string, lim Limits, a Answer) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tally.Add(lim, a)
	if i := w.tally.worst(); i >= 0 {
		w.warn(name, w.tally.Disobeyed(), violations[i].remedy)
	}
}

// addEndless counts a search that had to be stopped.
func (w *LimitWatch) addEndless(name string, lim Limits) {
	if text, remedy := lim.doubt(); text != "" && w != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.warn(name, text, remedy)
	}
}

func (w *LimitWatch) warn(name, text, remedy string) {
	if w.warned {
		return
	}
	w.warned = true
	w.Warn(fmt.Sprintf("WARNING: %s: %s. Files record the limit nevertheless: use %s instead (train engine check shows which limits it obeys).", name, text, remedy))
}

// shortName returns the program's own name, or else the name of its file.
func (c *Client[P]) shortName() string { return cmp.Or(c.name, filepath.Base(c.command.Path)) }

// LimitTally counts searches that did not obey their limits.
type LimitTally struct {
	searches int
	counts   [len(violations)]int // searches, by violation
	asked    [len(violations)]Limits
	last     [len(violations)]Answer
}

// violation is a kind of disobeyed limit.
type violation struct {
	is     func(Limits, Answer) bool
	text   func(Limits, Answer) string
	remedy string // flags of other limits
	enough int    // least number of searches that prove it, if more than half of all
}

// The number of searches that prove that a program exceeds its limit, and that it stops far below
// it. The second is larger, since a search that reaches the end of the game may stop early.
const (
	enoughOver  = 3
	enoughShort = 10
)

// The flags to use instead of a limit that a program does not obey.
const (
	insteadOfNodes = "--depth or --movetime"
	insteadOfDepth = "--nodes or --movetime"
	insteadOfTime  = "--depth or --nodes"
)

// violations tolerate anything from a tenth of the limit to twice the limit (half of a depth): many
// programs check their limits only at intervals, and a first iteration must be finished.
var violations = [...]violation{
	{func(l Limits, a Answer) bool { return l.Nodes > 0 && a.Nodes == 0 },
		func(l Limits, a Answer) string {
			return fmt.Sprintf("asked for %d nodes, it reports none, so nothing shows that it obeys", l.Nodes)
		}, insteadOfNodes, enoughOver},
	{func(l Limits, a Answer) bool { return l.Nodes > 0 && a.Nodes/2 > l.Nodes && a.Depth != 1 },
		func(l Limits, a Answer) string {
			return fmt.Sprintf("asked for %d nodes, it visits %d", l.Nodes, a.Nodes)
		}, insteadOfNodes, enoughOver},
	{func(l Limits, a Answer) bool { return l.Depth > 0 && a.Depth > l.Depth },
		func(l Limits, a Answer) string {
			return fmt.Sprintf("asked for depth %d, it searches to depth %d", l.Depth, a.Depth)
		}, insteadOfDepth, enoughOver},
	{func(l Limits, a Answer) bool { return l.MoveTime > 0 && a.Time > 2*l.MoveTime+lateness },
		func(l Limits, a Answer) string {
			return fmt.Sprintf("asked for %s, it takes %s", l.MoveTime, a.Time.Round(time.Millisecond))
		}, insteadOfTime, enoughOver},
	{func(l Limits, a Answer) bool { return a.short(l) && l.Nodes > 0 },
		func(l Limits, a Answer) string {
			return fmt.Sprintf("asked for %d nodes, it moves after %d", l.Nodes, a.Nodes)
		}, insteadOfNodes, enoughShort},
	{func(l Limits, a Answer) bool { return a.short(l) && l.Depth > 0 },
		func(l Limits, a Answer) string {
			return fmt.Sprintf("asked for depth %d, it moves after depth %d", l.Depth, a.Depth)
		}, insteadOfDepth, enoughShort},
	{func(l Limits, a Answer) bool { return a.short(l) && l.MoveTime > 0 },
		func(l Limits, a Answer) string {
			return fmt.Sprintf("asked for %s, it moves after %s", l.MoveTime, a.Time.Round(time.Millisecond))
		}, insteadOfTime, enoughShort},
}

// lateness is the part of an answer's time outside the search, on a busy machine.
const lateness = 200 * time.Millisecond

// short reports whether a search ended far below all of its limits, without reaching the end of the
// game.
func (a Answer) short(l Limits) bool {
	below := func(limit, share, did int64) bool { return limit == 0 || did > 0 && did < (limit+share-1)/share }
	return l.Clock == nil && max(a.Score, -a.Score) < search.MaxHeuristic &&
		below(l.Nodes, 10, a.Nodes) && below(int64(l.Depth), 2, int64(a.Depth)) && below(int64(l.MoveTime), 10, int64(a.Time))
}

// violated returns the violation of a search, -1 if it obeyed its limits.
func (l Limits) violated(a Answer) int {
	return slices.IndexFunc(violations[:], func(s violation) bool { return s.is(l, a) })
}

// Disobeyed describes the violation of a search, "" if it obeyed its limits.
func (l Limits) Disobeyed(a Answer) string {
	if i := l.violated(a); i >= 0 {
		return violations[i].text(l, a)
	}
	return ""
}

// Add counts a search. A move without a search, from a book, does not count.
func (t *LimitTally) Add(lim Limits, a Answer) {
	if a.Depth == 0 && !a.Scored {
		return
	}
	t.searches++
	if i := lim.violated(a); i >= 0 {
		t.counts[i]++
		t.asked[i], t.last[i] = lim, a
	}
}

// worst returns the proven violation, -1 without one.
func (t *LimitTally) worst() int {
	for i, n := range t.counts {
		if n >= violations[i].enough && 2*n > t.searches {
			return i
		}
	}
	return -1
}

// Disobeyed describes the limit that the searches violated, with figures from the last of them; ""
// without one.
func (t *LimitTally) Disobeyed() string {
	i := t.worst()
	if i < 0 {
		return ""
	}
	return violations[i].text(t.asked[i], t.last[i])
}

// doubt describes, for a search that had to be stopped, the limit that the program may not support,
// and the flags of other limits; "" if time limits it.
func (l Limits) doubt() (text, remedy string) {
	switch {
	case l.MoveTime > 0 || l.Clock != nil:
		return "", ""
	case l.Nodes > 0:
		return fmt.Sprintf("asked for %d nodes, it searches until it is stopped", l.Nodes), insteadOfNodes
	}
	return fmt.Sprintf("asked for depth %d, it searches until it is stopped", l.Depth), insteadOfDepth
}

// advice is doubt as the end of a message.
func (l Limits) advice() string {
	text, remedy := l.doubt()
	if text == "" {
		return ""
	}
	return fmt.Sprintf(": %s; use %s, or a longer timeout=", text, remedy)
}
