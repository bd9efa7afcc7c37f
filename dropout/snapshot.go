package dropout

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"kroo/book"
	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
)

// A snapshot is the graph and the state of an expansion beside its log, so that
// going on need not repeat the bookkeeping. It is a cache: the log alone is
// enough, and a snapshot that does not fit is left aside.
//
// The file is a line that says what it is, the length of a JSON object, that
// object (snapshotHead), the nodes, the leaves in flight, and a CRC-32C of all
// that. Numbers are big-endian. Edges, values and priorities follow from the
// nodes.
const snapshotMagic = "kroo dropout snapshot 1\n"

// A snapshot is written when the graph has grown by at least snapshotEvery nodes
// and by at least an eighth since the last one. At the end of a run a fifth of
// snapshotEvery is enough.
const snapshotEvery = 50_000

// snapshotHead is the part of a snapshot that people can read.
type snapshotHead struct {
	Settings snapshotSettings `json:"settings"`
	Records  int64            `json:"records"` // of the log when the snapshot was made
	Sum      uint32           `json:"sum"`     // CRC-32C of those records
	Nodes    int              `json:"nodes"`
	Flight   int              `json:"flight"`
	Visited  int64            `json:"visited"`
	Covered  int              `json:"covered"`
	Since    int              `json:"since"`
	Before   counters         `json:"before"`
}

// snapshotSettings is what the choice of leaves depends on.
type snapshotSettings struct {
	Log        logHeader  `json:"log"`
	Root       string     `json:"root"`
	Sides      book.Sides `json:"sides"`
	Omega      float64    `json:"omega"`
	Fractional bool       `json:"fractional"`
	Window     float64    `json:"window"`
	Width      int        `json:"width"`
	Cover      uint32     `json:"cover"` // CRC-32C of the boards
}

func (c Config) snapshotSettings() snapshotSettings {
	cover := crc32.New(castagnoli)
	for _, p := range c.Cover {
		fmt.Fprintln(cover, p)
	}
	return snapshotSettings{
		Log: c.logHeader(), Root: c.Root.String(), Sides: c.Sides, Omega: c.Omega,
		Fractional: c.Fractional, Window: c.Window, Width: c.Width, Cover: cover.Sum32(),
	}
}

// snapshotPath is the file beside the log.
func snapshotPath(log string) string { return log + ".snapshot" }

// RemoveSnapshot deletes the snapshot beside a log, if there is one.
func RemoveSnapshot(log string) error { return vfs.RemoveIfThere(snapshotPath(log)) }

const maxSnapshotHead = 1 << 16

// save writes a snapshot if the graph has grown by so many nodes since the last.
func (b *builder) save(every int) error {
	if b.cfg.Log == "" || b.drained || b.graph.nodes.len()-b.saved < max(every, b.saved/8) {
		return nil
	}
	if err := b.log.journal.Sync(); err != nil {
		return err
	}
	err := atomicfile.WriteFile(snapshotPath(b.cfg.Log), b.writeSnapshot)
	if err != nil {
		return err
	}
	b.saved = b.graph.nodes.len()
	return nil
}

func (b *builder) writeSnapshot(w io.Writer) error {
	g := b.graph
	head, err := json.Marshal(snapshotHead{
		Settings: b.cfg.snapshotSettings(), Records: b.log.records, Sum: b.log.sum,
		Nodes: g.nodes.len(), Flight: len(b.flight), Visited: g.visited,
		Covered: b.covered, Since: b.since, Before: b.before,
	})
	if err != nil {
		return err
	}
	sum := crc32.New(castagnoli)
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)
	out.WriteString(snapshotMagic)
	var buf []byte
	out.Write(binary.BigEndian.AppendUint32(buf, uint32(len(head))))
	out.Write(head)
	for i := range index(g.nodes.len()) {
		out.Write(g.appendNode(buf[:0], i))
	}
	for _, leaf := range b.flight {
		out.Write(binary.BigEndian.AppendUint32(buf[:0], uint32(leaf)))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err = w.Write(sum.Sum(nil))
	return err
}

const nodeSize = 8 + 2 + 4 + 1 + 1

// appendNode writes key, h, order, flags, and the moves that are cycles.
func (g *Graph) appendNode(b []byte, i index) []byte {
	n := g.nodes.at(i)
	b = binary.BigEndian.AppendUint64(b, uint64(n.pos.BookKey()))
	b = binary.BigEndian.AppendUint16(b, uint16(n.h))
	b = binary.BigEndian.AppendUint32(b, uint32(n.order))
	return append(b, n.flags&(expanded|proven|chosen), g.cycles(i))
}

// errStale is why a snapshot is left aside.
var errStale = errors.New("the snapshot is of another expansion")

// loadSnapshot returns the builder as it was when the snapshot was made, and
// the snapshot's head, or an error if there is none that fits.
func loadSnapshot(cfg Config) (*builder, snapshotHead, error) {
	f, err := vfs.Open(snapshotPath(cfg.Log))
	if err != nil {
		return nil, snapshotHead{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, snapshotHead{}, err
	}
	r := &snapshotReader{sum: crc32.New(castagnoli)}
	r.in = bufio.NewReaderSize(f, 1<<16)
	head := r.head(info.Size())
	if r.err != nil || head.Settings != cfg.snapshotSettings() {
		return nil, head, errors.Join(errStale, r.err)
	}
	if cfg.Stop.reached(head.Before) != "" {
		return nil, head, errStale // the expansion ends earlier
	}
	b := newBuilder(cfg)
	b.covered, b.since, b.before, b.saved = head.Covered, head.Since, head.Before, head.Nodes
	r.graph(b, head)
	if r.err != nil {
		return nil, head, r.err
	}
	if n := cfg.Stop.Expansions; n > 0 && b.graph.expanded+len(b.flight) > n {
		return nil, head, errStale
	}
	return b, head, nil
}

// cycles are the moves of a node that are kept out, bit i for house i.
func (g *Graph) cycles(i index) (set uint8) {
	if !g.nodes.at(i).is(expanded) {
		return 0
	}
	var buf [oware.Houses]move
	for _, m := range g.moves(i, &buf) {
		if m.child == none {
			set |= 1 << m.house
		}
	}
	return set
}
