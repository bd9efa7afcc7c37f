package check

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"slices"
)

// table is a table file, read as docs/formats.md specifies.
type table struct {
	rules, bounds   string
	seeds, resolved int
	values          []levelValues
}

// levelValues are the values of a level, as the file has them.
type levelValues struct {
	bytes []byte
	width int // bytes per position: one if the game is zero-sum
}

// of returns the value of a node.
func (v levelValues) of(node int) int8 {
	switch {
	case v.width == 2:
		return int8(v.bytes[node])
	case node%2 == 0:
		return int8(v.bytes[node/2])
	default:
		return -int8(v.bytes[node/2])
	}
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
		t.values = append(t.values, levelValues{data[:size], width})
		data = data[size:]
	}
	return t, nil
}
