package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
)

// table is a file, read as docs/formats.md says.
type table struct {
	rules, bounds  string
	seeds, settled int
	values         [][]int8 // by level and node
}

// read reads a file and checks its size and checksums.
func read(file []byte) (*table, error) {
	t, version, width := &table{}, 0, 2
	head, data, found := bytes.Cut(file, []byte("\n\n"))
	_, err := fmt.Sscanf(string(head), "kroo-endgame %d\nrules %s\nbounds %s\nseeds %d\nsettled %d", &version, &t.rules, &t.bounds, &t.seeds, &t.settled)
	if t.bounds == "exact" {
		width = 1
	}
	kinds := []string{"abapa sharp", "abapa crude", "awari exact", "simple exact", "simple-to-end exact"}
	if err != nil || !found || version < 1 || version > 2 || !slices.Contains(kinds, t.rules+" "+t.bounds) || min(t.seeds, t.settled) < 0 || max(t.seeds, t.settled) > 24 {
		return nil, fmt.Errorf("not the header of a known table (%v)", err)
	}
	sum := func(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }
	text := head[:bytes.LastIndexByte(head, '\n')+1]
	if version == 2 && !bytes.HasSuffix(head, fmt.Appendf(nil, "\nheader crc32c %08x", sum(text))) {
		return nil, errors.New("the header's checksum is wrong")
	}
	if want := width * comb[t.seeds+12][12]; len(data) != want {
		return nil, fmt.Errorf("%d bytes after the header: expected %d", len(data), want)
	}
	for n := range t.seeds + 1 {
		size := width * positions(n)
		if !bytes.Contains(file[:len(head)+1], fmt.Appendf(nil, "\nlevel %d crc32c %08x\n", n, sum(data[:size]))) {
			return nil, fmt.Errorf("the checksum of %d seeds is wrong", n)
		}
		values := make([]int8, 0, 2*positions(n))
		for _, b := range data[:size] {
			values = append(values, int8(b))
			if width == 1 { // what the mover gains the other loses
				values = append(values, -int8(b))
			}
		}
		t.values, data = append(t.values, values), data[size:]
	}
	return t, nil
}

// level makes the level of n seeds: its moves by the rules, and what captures bring by the values
// of the levels below.
func (t *table) level(ctx context.Context, n int) *level {
	size := positions(n)
	l := &level{ctx: ctx, n: n, highest: int8(n), quiet: make([][]int32, size), exit: make([]int8, 2*size), end: make([]int8, 2*size)}
	if t.bounds == "exact" {
		l.lowest = -l.highest
	}
	board{}.each(n, 12, func(b board) {
		i := b.index()
		houses := b.legal(t.rules)
		for role, side := range []int{b.seeds(0), b.seeds(6)} {
			v := 2*i + node(role)
			if t.bounds == "sharp" {
				l.end[v] = int8(side)
			}
			switch {
			case len(houses) > 0:
				l.exit[v] = l.none(v)
			case t.rules == "abapa":
				l.exit[v] = int8(side)
			default: // the other takes all
				l.exit[v] = int8(n * (2*role - 1))
			}
		}
		for _, house := range houses {
			after, gain := b.sow(t.rules, house)
			to := board(slices.Concat(after[6:], after[:6])).index()
			if gain == 0 {
				l.quiet[i] = append(l.quiet[i], to)
				continue
			}
			mine, lower := int8(gain), t.values[n-gain]
			l.exit[2*i] = max(l.exit[2*i], mine+lower[2*to+1])
			if t.bounds != "exact" {
				mine = 0 // of the other's seeds the mover's gain is none, of their lead it is a loss
			}
			l.exit[2*i+1] = min(l.exit[2*i+1], lower[2*to]-mine)
		}
	})
	return l
}
