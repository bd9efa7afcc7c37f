package check

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"slices"
)

// table is a table file, read as docs/formats.md specifies.
type table struct {
	rules, bounds   string
	seeds, resolved int
	values          [][]int8 // by level and node
}

// read decodes a file and checks its size and checksums.
func read(file []byte) (*table, error) {
	t, version, width := &table{}, 0, 2
	head, data, found := bytes.Cut(file, []byte("\n\n"))
	_, err := fmt.Sscanf(string(head), "kroo-endgame %d\nrules %s\nbounds %s\nseeds %d\nsettled %d", &version, &t.rules, &t.bounds, &t.seeds, &t.resolved)
	if t.bounds == "exact" {
		width = 1
	}
	kinds := []string{"abapa sharp", "abapa crude", "awari exact", "simple exact", "simple-to-end exact"}
	if err != nil || !found || version < 1 || version > 2 || !slices.Contains(kinds, t.rules+" "+t.bounds) || min(t.seeds, t.resolved) < 0 || max(t.seeds, t.resolved) > 24 {
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
		b, mover, other := at(n, i), 2*i, 2*i+1
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
			to, gain, lower := m.after.index(), int8(m.gain), t.values[n-m.gain]
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
