// Package check verifies endgame tables independently: it shares no code with package endgame. Its
// rules are written from docs/architecture.md, its reader from docs/formats.md, and it finds values
// by plain iteration, which docs/bounds.md proves correct.
package check

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"slices"
)

// Level is the result for the positions with a given number of seeds.
type Level struct {
	Seeds, Positions int
	Open             int // positions of a resolved level that are only checked to be within their bounds
}

// Table checks the contents of a table file. The error names the first position with a wrong value.
// Progress is in positions.
func Table(ctx context.Context, file []byte, progress func(done, total int64)) (list []Level, err error) {
	t, err := read(file)
	if err != nil {
		return nil, err
	}
	progress(0, int64(comb[t.seeds+12][12]))
	for n := range t.seeds + 1 { // the levels below have passed
		sure := t.level(ctx, n).sure()
		if ctx.Err() != nil {
			return list, ctx.Err()
		}
		wrong, open := compare(t.values[n], sure, n, n <= t.resolved)
		if wrong >= 0 {
			return list, fmt.Errorf("%d, the mover's houses first: values %d for mover and opponent: expected %d",
				at(n, wrong), t.values[n][2*wrong:2*wrong+2], sure[2*wrong:2*wrong+2])
		}
		list = append(list, Level{n, positions(n), open})
		progress(int64(comb[n+12][12]), int64(comb[t.seeds+12][12]))
	}
	return list, nil
}

// compare compares the values of level n with the bounds: they must be equal, or in a resolved level
// within the bounds. It returns the first wrong position, or -1, and the number of positions of a
// resolved level whose bounds differ.
func compare(values, sure []int8, n int, resolved bool) (wrong int, open int) {
	for v := 0; v < len(values); v += 2 {
		mine := int(values[v])
		theirs := int(values[v+1])
		least := int(sure[v])
		left := int(sure[v+1])
		within := mine >= least && theirs >= left && mine+theirs <= n
		if (mine != least || theirs != left) && !(resolved && within) {
			return v / 2, open
		}
		if resolved && least+left < n {
			open++
		}
	}
	return -1, open
}

// level is the game without captures among the positions with a given number of seeds. A node is a
// position and the role of one player, the claimant: 2i if the claimant is to move in position i,
// 2i+1 if the other player is. The claimant maximises, the other player minimises.
type level struct {
	ctx    context.Context
	lowest int8      // the lowest possible claim
	quiet  [][]int32 // by position: its successors by moves without capture
	exit   []int8    // by node: the best capture for the player to move, or the end of the game, in the claimant's seeds
	end    []int8    // by node: the claimant's seeds if a repetition ends the game here
}

// step returns the claim of node v by those of its successors.
func (l *level) step(claims []int8, v int) int8 {
	best := l.exit[v]
	for _, to := range l.quiet[v/2] {
		if v%2 == 0 {
			best = max(best, claims[2*to+1])
		} else {
			best = min(best, claims[2*to])
		}
	}
	return best
}

// sure returns what the claimant is sure of at every node. docs/bounds.md has the proof.
func (l *level) sure() []int8 {
	claims := slices.Repeat([]int8{l.lowest}, len(l.end))
	for {
		l.repeat(claims, l.step) // what the claimant can force
		stay := slices.Clone(claims)
		for v := range stay {
			stay[v] = max(claims[v], l.end[v])
		}
		l.repeat(stay, func(stay []int8, v int) int8 { // less where the claimant cannot stay
			return max(claims[v], min(l.end[v], l.step(stay, v)))
		})
		if l.ctx.Err() != nil || slices.Equal(claims, stay) {
			return claims
		}
		claims = stay
	}
}

// repeat replaces each claim by the result of f, until nothing changes.
func (l *level) repeat(claims []int8, f func(claims []int8, v int) int8) {
	for again := true; again && l.ctx.Err() == nil; {
		again = false
		for v, old := range claims {
			claims[v] = f(claims, v)
			again = again || claims[v] != old
		}
	}
}

// board has the seeds of the twelve houses, the mover's six first.
type board [12]int

// seeds counts the seeds on the mover's side (first is 0) or the opponent's (first is 6).
func (b board) seeds(first int) (n int) {
	for _, s := range b[first : first+6] {
		n += s
	}
	return n
}

// move is the result of a move: the board from the opponent's point of view, and the seeds captured.
type move struct {
	after board
	gain  int
}

// sow plays a house, legal or not.
func (b board) sow(rules string, house int) move {
	sown, last := b, house
	sown[house] = 0
	for range b[house] {
		last = (last + 1) % 12
		if last == house {
			last = (last + 1) % 12 // a lap skips the house that is sown
		}
		sown[last]++
	}
	after, gain := sown, 0
	for ; last >= 6 && (after[last] == 2 || after[last] == 3); last-- {
		gain += after[last]
		after[last] = 0
	}
	if rules == "abapa" && after.seeds(6) == 0 { // a grand slam captures nothing
		after, gain = sown, 0
	}
	return move{board(slices.Concat(after[6:], after[:6])), gain}
}

// moves returns the legal moves.
func (b board) moves(rules string) (all []move) {
	for house, s := range b[:6] {
		if s > 0 {
			all = append(all, b.sow(rules, house))
		}
	}
	feeding := slices.DeleteFunc(slices.Clone(all), func(m move) bool { return m.after.seeds(0) == 0 })
	if rules == "abapa" && b.seeds(6) == 0 || rules == "awari" && len(feeding) > 0 {
		return feeding
	}
	return all
}

// comb[n][k] is the number of ways to choose k of n.
var comb = func() (c [37][13]int) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k <= min(n, 12); k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}()

// positions returns the number of boards with n seeds.
func positions(n int) int { return comb[n+11][11] }

// index returns a board's number among those with as many seeds (docs/formats.md).
func (b board) index() (index int) {
	seeds := 0
	for i, n := range b[:11] {
		seeds += n
		index += comb[seeds+i][i+1]
	}
	return index
}

// at is the inverse of index for boards of n seeds.
func at(n, index int) (b board) {
	for i := 10; i >= 0; i-- {
		seeds := n
		for comb[seeds+i][i+1] > index {
			seeds--
		}
		index -= comb[seeds+i][i+1]
		b[i+1], n = n-seeds, seeds
	}
	b[0] = n
	return b
}

// table is a table file, read as docs/formats.md specifies.
type table struct {
	rules, bounds   string
	seeds, resolved int
	values          [][]int8 // by level and node
}

// read decodes a file and checks its size and checksums.
func read(file []byte) (*table, error) {
	t := &table{}
	version := 0
	width := 2
	head, data, found := bytes.Cut(file, []byte("\n\n"))
	_, err := fmt.Sscanf(string(head), "kroo-endgame %d\nrules %s\nbounds %s\nseeds %d\nsettled %d", &version, &t.rules,
		&t.bounds, &t.seeds, &t.resolved)
	if t.bounds == "exact" {
		width = 1
	}
	kinds := []string{"abapa sharp", "abapa crude", "awari exact", "simple exact", "simple-to-end exact"}
	if err != nil || !found || version < 1 || version > 2 || !slices.Contains(kinds, t.rules+" "+t.bounds) ||
		min(t.seeds, t.resolved) < 0 || max(t.seeds, t.resolved) > 24 {
		return nil, fmt.Errorf("not the header of an endgame table (%v)", err)
	}
	sum := func(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }
	text := head[:bytes.LastIndexByte(head, '\n')+1]
	if version == 2 && !bytes.HasSuffix(head, fmt.Appendf(nil, "\nheader crc32c %08x", sum(text))) {
		return nil, fmt.Errorf("the header's checksum is wrong")
	}
	if want := width * comb[t.seeds+12][12]; len(data) != want {
		return nil, fmt.Errorf("%d bytes after the header: expected %d", len(data), want)
	}
	for n := range t.seeds + 1 {
		size := width * positions(n)
		if !bytes.Contains(file[:len(head)+1], fmt.Appendf(nil, "\nlevel %d crc32c %08x\n", n, sum(data[:size]))) {
			return nil, fmt.Errorf("level of %d seeds: the checksum is wrong", n)
		}
		var values []int8
		for _, b := range data[:size] {
			values = append(values, int8(b))
			if width == 1 { // zero-sum
				values = append(values, -int8(b))
			}
		}
		t.values, data = append(t.values, values), data[size:]
	}
	return t, nil
}

// level builds the level of n seeds, with captures valued by the levels below.
func (t *table) level(ctx context.Context, n int) *level {
	size, all := positions(n), int8(n)
	l := &level{ctx: ctx, quiet: make([][]int32, size), exit: make([]int8, 2*size), end: make([]int8, 2*size)}
	if t.bounds == "exact" {
		l.lowest = -all
	}
	for i := range size {
		b := at(n, i)
		mover := 2 * i
		other := 2*i + 1
		mine, theirs := int8(b.seeds(0)), int8(b.seeds(6))
		if t.bounds == "sharp" {
			l.end[mover], l.end[other] = mine, theirs
		}
		moves := b.moves(t.rules)
		switch {
		case len(moves) > 0: // no exit yet: worse for the player to move than any
			l.exit[mover], l.exit[other] = l.lowest-1, all+1
		case t.rules == "abapa":
			l.exit[mover], l.exit[other] = mine, theirs
		default: // the opponent takes all
			l.exit[mover], l.exit[other] = -all, all
		}
		for _, m := range moves {
			to := m.after.index()
			gain := int8(m.gain)
			lower := t.values[n-m.gain]
			if gain == 0 {
				l.quiet[i] = append(l.quiet[i], int32(to))
				continue
			}
			l.exit[mover] = max(l.exit[mover], lower[2*to+1]+gain)
			if t.bounds != "exact" {
				gain = 0 // bounds count the opponent's own seeds, not a lead
			}
			l.exit[other] = min(l.exit[other], lower[2*to]-gain)
		}
	}
	return l
}
