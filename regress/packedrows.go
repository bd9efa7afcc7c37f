package regress

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"

	"kroo/internal/mapfile"
	"kroo/internal/memory"
	"kroo/internal/vfs"
)

// storage is where a matrix keeps its packed rows: in memory, as far as they fit, and all of them in a
// file if some do not.
type storage struct {
	memory   int64  // bytes
	path     string // of the file
	settings any    // what the rows depend on: a file with others is written again
}

// rowsPath returns the file in which a fit of patterns keeps rows that do not fit into memory, until
// its weights are written to out.
func rowsPath(out string) string { return out + ".rows" }

// packedRows are the chunks of a matrix. Those in memory are spread evenly over the rows, so that all
// workers read about as much from the file. They are outside Go's heap: in it, the garbage collector
// would let the heap grow to twice their size.
//
// The file has a header of rowsMagic and a hash of the settings, and then a record for each chunk, in
// order: the lengths of its arrays and their CRC-32C, and the arrays. Numbers are in the machine's
// byte order, which the hash includes: only the same fit on the same machine reads the file, to resume
// after it was killed. A record that is incomplete or damaged then, and all after it, are written again.
type packedRows struct {
	layout    layout
	chunks    []*chunk   // nil for those in the file only
	blocks    [][]byte   // memory of the chunks
	allocated sync.Mutex // of blocks
	file      *vfs.File
	ends      []int64 // of the records in the file
}

const (
	rowsMagic  = "kroorow1"
	headerSize = len(rowsMagic) + sha256.Size
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// packRows packs rows on several goroutines.
func packRows(
	ctx context.Context, rows *sparseRows, columns *columnMap, counts *rowCounts, l layout, workers int, s storage,
) (*packedRows, error) {
	p := &packedRows{layout: l, chunks: make([]*chunk, l.chunks)}
	resident := columns.residentChunks(counts, l, s.memory, workers)
	if resident < l.chunks {
		if err := p.open(s, columns.end); err != nil {
			return nil, errors.Join(err, p.close())
		}
	}
	packers := make([]*packer, workers)
	inFile := len(p.ends)
	number := 0
	err := eachBatch(ctx, rows, workers, l.sizeOf, func(worker, i int, b *sparseBatch) (packedChunk, error) {
		added := packedChunk{resident: isResident(i, resident, l.chunks)}
		if i < inFile {
			return added, nil
		}
		if packers[worker] == nil {
			packers[worker] = &packer{columnMap: columns}
		}
		c := packers[worker].pack(b, i*l.size)
		var err error
		if added.resident {
			added.chunk, err = p.copyOffHeap(c)
		} else {
			added.chunk = c.clone()
		}
		return added, err
	}, func(_ *sparseBatch, c packedChunk) error {
		i := number
		number++
		return p.add(i, c)
	})
	if err == nil && number != l.chunks {
		err = fmt.Errorf("%d chunks of rows: expected %d, as counted", number, l.chunks)
	}
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// packedChunk is a chunk to add to packed rows.
type packedChunk struct {
	chunk    *chunk // nil if the file has it already, after a fit was stopped
	resident bool   // it is to stay in memory, where a new one is already
}

// residentChunks returns the number of chunks that fit into memory, next to those that workers have
// read from the file.
func (m *columnMap) residentChunks(counts *rowCounts, l layout, bytes int64, workers int) int {
	hot := m.order[:min(len(m.order), firstPad)]
	const perRow = 4 + 4 + 4 + 4 + 2*(lanes-1) // label, weight, ends, and padding at most
	all := 2*counts.entries(hot) + 4*counts.entries(m.order[len(hot):]) + 8*counts.values + perRow*int64(counts.rows)
	if all <= bytes {
		return l.chunks
	}
	each := all/int64(l.chunks) + 1
	return int(min(max(0, bytes/each-2*int64(workers)), int64(l.chunks)-1))
}

// isResident reports whether chunk i of n is one of those in memory.
func isResident(i, resident, n int) bool { return (i+1)*resident/n > i*resident/n }

// add adds chunk i, to the file if there is one, and to the memory if it is resident.
func (p *packedRows) add(i int, added packedChunk) (err error) {
	c := added.chunk
	switch {
	case c != nil && p.file != nil:
		err = p.write(i, c)
	case c == nil && added.resident:
		c, err = p.read(i, new(chunk))
		if err == nil {
			c, err = p.copyOffHeap(c)
		}
	}
	if err == nil && added.resident {
		p.chunks[i] = c
	}
	return err
}

// clone returns a copy in Go's heap of a chunk from a packer. It shares the labels and weights, which are of
// the batch.
func (c *chunk) clone() *chunk {
	return &chunk{
		first: c.first, labels: c.labels, weights: c.weights,
		hot: slices.Clone(c.hot), hotEnd: slices.Clone(c.hotEnd),
		coldEntries: slices.Clone(c.coldEntries), coldPartEnd: slices.Clone(c.coldPartEnd),
		values: slices.Clone(c.values), valueSlots: slices.Clone(c.valueSlots), valueEnd: slices.Clone(c.valueEnd),
	}
}

// copyOffHeap copies a chunk to memory outside Go's heap, until the rows are closed. It is safe for
// concurrent use.
func (p *packedRows) copyOffHeap(c *chunk) (*chunk, error) {
	size := 0
	for _, array := range c.arrays() {
		size += len(array)
	}
	block, err := mapfile.Allocate[byte](max(1, size))
	if err != nil {
		return nil, err
	}
	p.allocated.Lock()
	p.blocks = append(p.blocks, block)
	p.allocated.Unlock()
	copied := &chunk{first: c.first}
	copied.hot, block = copyTo(block, c.hot) // first, since its words need the largest alignment
	copied.labels, block = copyTo(block, c.labels)
	copied.weights, block = copyTo(block, c.weights)
	copied.hotEnd, block = copyTo(block, c.hotEnd)
	copied.coldEntries, block = copyTo(block, c.coldEntries)
	copied.coldPartEnd, block = copyTo(block, c.coldPartEnd)
	copied.values, block = copyTo(block, c.values)
	copied.valueSlots, block = copyTo(block, c.valueSlots)
	copied.valueEnd, _ = copyTo(block, c.valueEnd)
	return copied, nil
}

// copyTo copies numbers to the start of a block of memory, and returns them and the rest of the block.
func copyTo[T memory.Number](block []byte, numbers []T) (copied []T, rest []byte) {
	copied = memory.Numbers[T](block, len(numbers))
	copy(copied, numbers)
	return copied, block[len(memory.Bytes(numbers)):]
}

func (p *packedRows) len() int { return len(p.chunks) }

// chunk returns a chunk, from memory or read into a buffer.
func (p *packedRows) chunk(i int, buffer *chunk) (*chunk, error) {
	if p.chunks[i] != nil {
		return p.chunks[i], nil
	}
	return p.read(i, buffer)
}

// open opens the file and finds the records that are there, or starts it.
func (p *packedRows) open(s storage, end int) (err error) {
	text, err := json.Marshal([]any{s.settings, p.layout.rows, fmt.Sprint(memory.Bytes([]uint64{1}))})
	if err != nil {
		return err
	}
	hash := sha256.Sum256(text)
	header := slices.Concat([]byte(rowsMagic), hash[:])
	p.file, err = vfs.OpenLocked(s.path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	there := make([]byte, len(header))
	n, err := p.file.ReadAt(there, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !hasMagic(there[:n]) {
		return fmt.Errorf("%s: it is not a file of packed rows: expected none, or one of this fit; "+
			"move it, or name another output", s.path)
	}
	if !bytes.Equal(there, header) {
		if err := p.file.Truncate(0); err != nil {
			return err
		}
		_, err := p.file.WriteAt(header, 0)
		return err
	}
	return p.find(end)
}

// hasMagic reports whether a file that starts so is a file of packed rows, or the start of one.
func hasMagic(start []byte) bool {
	n := min(len(start), len(rowsMagic))
	return string(start[:n]) == rowsMagic[:n]
}

// find finds the whole records, and cuts the rest.
func (p *packedRows) find(end int) error {
	info, err := p.file.Stat()
	if err != nil {
		return err
	}
	var c chunk
	for i := range p.layout.chunks {
		_, err := p.readRecord(i, info.Size(), &c)
		if errors.Is(err, errDamagedRows) || err == nil && !c.isValid(end) {
			return p.file.Truncate(p.start(i))
		}
		if err != nil {
			return err
		}
		p.ends = append(p.ends, p.start(i)+c.head().bytes())
	}
	return p.file.Truncate(p.start(p.layout.chunks))
}

// start returns the offset of a record.
func (p *packedRows) start(i int) int64 {
	if i == 0 {
		return int64(headerSize)
	}
	return p.ends[i-1]
}

// arrays returns the memory of a chunk's arrays.
func (c *chunk) arrays() [arrays][]byte {
	return [arrays][]byte{
		memory.Bytes(c.labels), memory.Bytes(c.weights), memory.Bytes(c.hot), memory.Bytes(c.hotEnd),
		memory.Bytes(c.coldEntries), memory.Bytes(c.coldPartEnd),
		memory.Bytes(c.values), memory.Bytes(c.valueSlots), memory.Bytes(c.valueEnd),
	}
}

const arrays = 9 // of a chunk

// recordHead is the beginning of a record: the lengths of the chunk's arrays, and the checksum of these
// lengths and the arrays.
type recordHead struct {
	lengths  [arrays]uint32
	checksum uint32
}

const recordHeadBytes = 4 * (arrays + 1)

func (c *chunk) head() recordHead {
	lengths := [arrays]uint32{
		uint32(len(c.labels)), uint32(len(c.weights)), uint32(len(c.hot)), uint32(len(c.hotEnd)),
		uint32(len(c.coldEntries)), uint32(len(c.coldPartEnd)),
		uint32(len(c.values)), uint32(len(c.valueSlots)), uint32(len(c.valueEnd)),
	}
	sum := crc32.Update(0, castagnoli, memory.Bytes(lengths[:]))
	for _, array := range c.arrays() {
		sum = crc32.Update(sum, castagnoli, array)
	}
	return recordHead{lengths, sum}
}

// bytes returns the size of the record.
func (h recordHead) bytes() int64 {
	all := int64(recordHeadBytes)
	for i, n := range h.lengths {
		size := int64(4)
		if i == hotArray {
			size = 8
		}
		all += size * int64(n)
	}
	return all
}

const hotArray = 2 // the array of 64-bit words

// resize sets the lengths of a chunk's arrays.
func (c *chunk) resize(lengths [arrays]uint32) {
	c.labels = withLength(c.labels, lengths[0])
	c.weights = withLength(c.weights, lengths[1])
	c.hot = withLength(c.hot, lengths[hotArray])
	c.hotEnd = withLength(c.hotEnd, lengths[3])
	c.coldEntries = withLength(c.coldEntries, lengths[4])
	c.coldPartEnd = withLength(c.coldPartEnd, lengths[5])
	c.values = withLength(c.values, lengths[6])
	c.valueSlots = withLength(c.valueSlots, lengths[7])
	c.valueEnd = withLength(c.valueEnd, lengths[8])
}

// withLength returns a slice of length n, in the same memory if it fits. It has any values.
func withLength[T any](s []T, n uint32) []T {
	if int(n) > cap(s) {
		return make([]T, n)
	}
	return s[:n]
}

// write appends a record.
func (p *packedRows) write(i int, c *chunk) error {
	h := c.head()
	at := p.start(i)
	parts := c.arrays()
	for _, part := range append([][]byte{memory.Bytes(h.lengths[:]), memory.Bytes([]uint32{h.checksum})}, parts[:]...) {
		if _, err := p.file.WriteAt(part, at); err != nil {
			return fmt.Errorf("cannot write packed rows (free some space, or give the fit more --memory): %w", err)
		}
		at += int64(len(part))
	}
	p.ends = append(p.ends, at)
	return nil
}

// errDamagedRows is the error of a record whose checksum is wrong.
var errDamagedRows = errors.New("the packed rows are damaged: run the command again, which repairs them")

// read reads a record whose end is known into a chunk.
func (p *packedRows) read(i int, c *chunk) (*chunk, error) { return p.readRecord(i, p.ends[i], c) }

// readRecord reads a record, which has to end at a limit or before it, into a chunk.
func (p *packedRows) readRecord(i int, limit int64, c *chunk) (*chunk, error) {
	at := p.start(i)
	var head [arrays + 1]uint32
	if err := p.readAt(memory.Bytes(head[:]), at); err != nil {
		return nil, err
	}
	h := recordHead{[arrays]uint32(head[:arrays]), head[arrays]}
	if at+h.bytes() > limit {
		return nil, p.damageError()
	}
	c.resize(h.lengths)
	c.first = i * p.layout.size
	at += recordHeadBytes
	for _, part := range c.arrays() {
		if err := p.readAt(part, at); err != nil {
			return nil, err
		}
		at += int64(len(part))
	}
	if c.rows() != p.layout.sizeOf(i) || c.head() != h {
		return nil, p.damageError()
	}
	return c, nil
}

// readAt reads bytes that the file should have.
func (p *packedRows) readAt(b []byte, at int64) error {
	_, err := p.file.ReadAt(b, at)
	if errors.Is(err, io.EOF) {
		return p.damageError()
	}
	return err
}

func (p *packedRows) damageError() error { return fmt.Errorf("%s: %w", p.file.Name(), errDamagedRows) }

// isValid reports whether products of a chunk with vectors of slots before an end stay within their bounds.
func (c *chunk) isValid(end int) bool {
	n := c.rows()
	if len(c.hotEnd) != n || len(c.weights)%max(n, 1) != 0 ||
		len(c.values) != len(c.valueSlots) || len(c.valueEnd)%max(n, 1) != 0 {
		return false
	}
	if !endAt(c.hotEnd, len(c.hot)) || !endAt(c.valueEnd, len(c.values)) || !slices.IsSorted(c.coldPartEnd) {
		return false
	}
	parts := len(c.coldPartEnd)
	if parts != (end+partSize-1)/partSize-1 || parts > 0 && int(c.coldPartEnd[parts-1]) != len(c.coldEntries) {
		return false
	}
	for _, e := range c.coldEntries {
		if int(e%partSize) >= n {
			return false
		}
	}
	return !slices.ContainsFunc(c.valueSlots, func(slot uint32) bool { return int(slot) >= end })
}

// endAt reports whether ends ascend and the last one is n.
func endAt(ends []uint32, n int) bool {
	last := 0
	if len(ends) > 0 {
		last = int(ends[len(ends)-1])
	}
	return slices.IsSorted(ends) && last == n
}

// close closes the file and releases the memory: no chunk may be used afterwards.
func (p *packedRows) close() error {
	var failed []error
	for _, block := range p.blocks {
		failed = append(failed, mapfile.Free(block))
	}
	p.blocks = nil
	p.chunks = nil
	if p.file != nil {
		failed = append(failed, p.file.Close())
	}
	return errors.Join(failed...)
}

// removeRows removes a file of packed rows, if there is one.
func removeRows(path string) error {
	start, err := vfs.ReadStart(path, int64(len(rowsMagic)))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !hasMagic(start) {
		return nil
	}
	if err != nil {
		return err
	}
	return vfs.Remove(path)
}
