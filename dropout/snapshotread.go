package dropout

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"math/bits"

	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/strictjson"
)

// snapshotReader reads a snapshot. After an error it reads nothing more.
type snapshotReader struct {
	in  *bufio.Reader
	sum hash.Hash32
	buf [nodeSize]byte
	err error
}

// next returns n bytes, zeros after an error.
func (r *snapshotReader) next(n int) []byte {
	b := r.buf[:n]
	if r.err == nil {
		_, r.err = io.ReadFull(r.in, b)
	}
	if r.err != nil {
		clear(b)
	}
	r.sum.Write(b)
	return b
}

// fail notes the first error.
func (r *snapshotReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// head reads what stands before the nodes of a file of the given size.
func (r *snapshotReader) head(size int64) (head snapshotHead) {
	magic := make([]byte, len(snapshotMagic))
	if _, r.err = io.ReadFull(r.in, magic); string(magic) != snapshotMagic {
		r.fail("it does not begin with %q", snapshotMagic)
	}
	r.sum.Write(magic)
	n := binary.BigEndian.Uint32(r.next(4))
	if n > maxSnapshotHead {
		r.fail("head of %d bytes: expected at most %d", n, maxSnapshotHead)
	}
	if r.err != nil {
		return head
	}
	text := make([]byte, n)
	_, r.err = io.ReadFull(r.in, text)
	r.sum.Write(text)
	if r.err == nil {
		r.err = strictjson.Decode(text, maxSnapshotHead, &head)
	}
	if want := int64(len(snapshotMagic)) + 4 + int64(n) + int64(head.Nodes)*nodeSize + 4*int64(head.Flight) + 4; head.Nodes < 1 || head.Flight < 0 || want != size {
		r.fail("%d nodes and %d leaves in flight in %d bytes", head.Nodes, head.Flight, size)
	}
	return head
}

// graph reads what follows the head and builds the graph from it.
func (r *snapshotReader) graph(b *builder, head snapshotHead) {
	g := b.graph
	cycles := make([]uint8, head.Nodes)
	byOrder := make([]index, head.Nodes)
	for i := range byOrder {
		byOrder[i] = none
	}
	for i := 0; i < head.Nodes && r.err == nil; i++ {
		cycles[i] = r.node(g, b.cfg.Rules, byOrder)
	}
	for i := index(0); i < index(head.Nodes) && r.err == nil; i++ {
		r.edges(g, i, cycles[i])
	}
	for i := len(byOrder) - 1; i >= 0 && r.err == nil; i-- {
		g.recompute(byOrder[i])
	}
	g.visited = head.Visited
	r.flight(b, head)
	sum := r.sum.Sum32()
	if got := binary.BigEndian.Uint32(r.next(4)); got != sum {
		r.fail("the checksum is wrong")
	}
}

// node reads one node and returns its moves that are cycles.
func (r *snapshotReader) node(g *Graph, rules oware.Rules, byOrder []index) (cycles uint8) {
	b := r.next(nodeSize)
	pos, err := oware.FromBookKey(rules, int64(binary.BigEndian.Uint64(b)))
	if err != nil {
		r.fail("%w", err)
		return 0
	}
	h, order, flags := int16(binary.BigEndian.Uint16(b[8:])), binary.BigEndian.Uint32(b[10:]), b[14]
	_, over := pos.Terminal()
	_, twice := g.find(pos)
	switch {
	case twice, h > search.Win || h < -search.Win, int64(order) >= int64(len(byOrder)) || byOrder[order] != none,
		flags&^(expanded|proven|chosen) != 0 || bits.OnesCount8(flags) > 1, over && flags != proven:
		r.fail("a node that no graph has")
		return 0
	}
	i := g.add(pos, found{score: h, proven: flags&proven != 0})
	n := g.nodes.at(i)
	n.order, n.flags = int32(order), flags
	byOrder[order] = i
	return b[15]
}

// edges makes the edges of a node.
func (r *snapshotReader) edges(g *Graph, i index, cycles uint8) {
	n := g.nodes.at(i)
	if !n.is(expanded) {
		return
	}
	g.expanded++
	n.edges = int32(g.edges.len())
	for set := n.legal; set != 0; set &= set - 1 {
		m := bits.TrailingZeros8(set)
		child := index(none)
		if cycles>>m&1 == 0 {
			var there bool
			if child, there = g.find(n.pos.Play(oware.Move(m))); !there || g.nodes.at(child).order <= n.order {
				r.fail("a node without its successors")
				return
			}
		}
		g.link(i, child)
	}
}

// flight reads the leaves in flight: all that are chosen, in their order.
func (r *snapshotReader) flight(b *builder, head snapshotHead) {
	seen := map[index]bool{}
	for range head.Flight {
		leaf := binary.BigEndian.Uint32(r.next(4))
		if r.err != nil {
			return
		}
		if int64(leaf) >= int64(head.Nodes) || seen[index(leaf)] || !b.graph.nodes.at(index(leaf)).is(chosen) {
			r.err = errors.New("a leaf in flight that is not chosen")
			return
		}
		seen[index(leaf)] = true
		b.flight = append(b.flight, index(leaf))
	}
	for i := range index(b.graph.nodes.len()) {
		if b.graph.nodes.at(i).is(chosen) && !seen[i] {
			r.fail("a chosen leaf that is not in flight")
		}
	}
}
