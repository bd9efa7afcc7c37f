package book

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kroo/games/oware"
	"kroo/internal/scc"
)

// CheckSound returns an error for a book with a fault in an entry. Everything that computes with
// values, plays by them or rewrites them calls it first. It does not check whether entries are
// consistent with each other, since Merge and Prune make them so.
func (b *Book) CheckSound(ctx context.Context, rules oware.Rules) (first error) {
	for i := 0; i < b.Len() && first == nil; i++ {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		b.entryFaults(rules, i, func(kind Kind, board, text string) {
			if first == nil {
				first = b.unsound(fmt.Errorf("entry %d %s: %s: %s", i, board, kind, text))
			}
		})
	}
	return first
}

// unsound returns the error for a fault of the book.
func (b *Book) unsound(fault error) error {
	err := fmt.Errorf("%w: `train book verify` lists the errors", fault)
	if b.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", b.name, err)
}

// entryFaults calls report for every fault of entry i by itself or by its place in the order. board
// is its position, "" if the key is invalid.
func (b *Book) entryFaults(rules oware.Rules, i int, report func(kind Kind, board, text string)) {
	e := b.entries[i]
	p, err := oware.FromBookKey(rules, e.Key)
	fault := func(kind Kind, format string, args ...any) {
		board := ""
		if err == nil {
			board = p.String()
		}
		report(kind, board, fmt.Sprintf(format, args...))
	}
	if i > 0 {
		switch before := b.entries[i-1].Key; {
		case e.Key < before:
			fault(badOrder, "key %d after %d", e.Key, before)
		case e.Key == before:
			fault(duplicate, "key %d a second time", e.Key)
		}
	}
	if err != nil {
		fault(badKey, "key %d: %v", e.Key, err)
		return
	}
	if !p.Reachable() {
		fault(unreachable, "a store has exactly one seed")
	}
	legal, valued := p.Legal(), e.legal()
	if _, over := p.Terminal(); over {
		fault(gameOver, "the game is over: no move to choose")
		legal = valued
	}
	if legal&^valued != 0 {
		fault(legalUnmarked, "houses with values %06b, legal %06b (leftmost house last)", valued, legal)
	}
	if valued&^legal != 0 {
		fault(illegalValued, "houses with values %06b, legal %06b (leftmost house last)", valued, legal)
	}
	for h, s := range e.Scores {
		if s != Illegal && (s > maxScore || s < -maxScore) {
			fault(badScore, "house %d: %d points: expected -%d to %d", h+1, s, maxScore, maxScore)
			break
		}
	}
}

// A book whose moves only went forward would be a tree with shared branches. But moves without
// captures can lead back to an entry of their own line. The value of such a move depends on that
// line, so one move of every cycle does not take the value of its target: it closes the cycle, and
// its value is the result that the rules give for the repetition.

// Closing is the value of a move that repeats the position p, for the side that makes it, in
// centi-seeds. It is never a proven value (1000 points): in another game the move may repeat
// nothing.
func Closing(p oware.Position) int {
	const most = 100*oware.Half - 2 // 999 points
	diff, _ := p.Repetition(2)
	return min(max(-100*diff, -most), most)
}

// closing is [Closing] in points.
func closing(p oware.Position) int {
	return int(math.Round(float64(Closing(p)) * maxScore / (100 * oware.Half)))
}

// components numbers the entries so that two have the same number if and only if each can be reached
// from the other by the kept links. A link never leads to a higher number. back, if not nil, is
// called with each link that leads back to an entry of the line followed from a root; every cycle
// has such a link.
func (g *graph) components(keep func(link) bool, back func(link)) []int32 {
	walk := scc.Graph{Nodes: len(g.entries), First: g.roots(), Succ: func(v int32, dst []int32) []int32 {
		for l := range g.links(int(v)) {
			if l.to >= 0 && keep(l) {
				dst = append(dst, int32(l.to))
			}
		}
		return dst
	}}
	if back != nil {
		walk.Back = func(v, w int32) {
			// No two moves lead to the same position: each empties its house.
			back(link{int(v), oware.Move(slices.Index(g.next[v][:], w)), int(w)})
		}
	}
	number, count := make([]int32, len(g.entries)), int32(0)
	for component := range walk.Components() {
		for _, i := range component {
			number[i] = count
		}
		count++
	}
	return number
}
