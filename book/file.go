package book

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/mapfile"
)

// Book is an open book. Its methods are safe for concurrent use, except Close.
type Book struct {
	name    string // for errors; "" for a book made in memory
	header  Header
	entries []byte        // a multiple of entrySize
	sum     uint32        // CRC-32C of the entries
	fences  []int64       // see Lookup
	file    *mapfile.File // nil for a book made in memory
}

// Open opens a book and checks its header, size and checksums. A large file is mapped.
// The error names the file and what is wrong with it.
func Open(path string) (*Book, error) {
	file, err := mapfile.Open(path, "a header")
	if err != nil {
		return nil, err
	}
	var b *Book
	if fault := file.Guard(func() { b, err = Parse(path, file.Data) }); fault != nil {
		err = fault
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	b.file = file
	return b, nil
}

// Err returns an error if the file of the book was changed or cut short since it was opened. A
// lookup may then have missed an entry or found a wrong one.
func (b *Book) Err() error {
	return b.file.Err()
}

// read calls f, which reads the book. If the file was changed or cut short since it was opened, it
// returns that error instead of f's.
func (b *Book) read(f func() error) (err error) {
	b.file.Guard(func() { err = f() }) // see Err
	if changed := b.Err(); changed != nil {
		return changed
	}
	return err
}

// Parse opens a book in memory, for example an embedded one. It keeps data, which must not change.
// name is for errors.
func Parse(name string, data []byte) (*Book, error) {
	b, defects, err := parse(data)
	if i := slices.IndexFunc(defects, func(d defect) bool { return d.fatal }); err == nil && i >= 0 {
		err = errors.New(defects[i].text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	b.name = name
	return b, nil
}

// defect is a fault of the file as a whole.
type defect struct {
	kind  Kind
	text  string
	fatal bool // Open fails
}

// parse returns the book and the defects of the file as a whole. It returns an error if it cannot
// find the first entry. A book without checksums, such as one of another program, is accepted; in a
// book of this package the checksum of the header then fails.
func parse(data []byte) (b *Book, defects []defect, err error) {
	end, err := headerEnd(data)
	if err != nil {
		return nil, nil, err
	}
	raw := data[:end-len(terminator)]
	header, err := parseHeader(raw)
	if err != nil {
		return nil, nil, err
	}
	body := data[end:]
	whole := body[:len(body)/entrySize*entrySize]
	b = &Book{header: header, entries: whole, sum: crc32.Checksum(body, castagnoli)}
	b.fences = b.newFences()
	report := func(fatal bool, kind Kind, format string, args ...any) {
		defects = append(defects, defect{kind, fmt.Sprintf(format, args...), fatal})
	}
	switch present, right := headerChecksum(raw); {
	case right:
	case present:
		report(true, wrongHeaderChecksum, "the header is damaged: it does not match its checksum")
	case header.Signature == ownSignature:
		report(true, wrongHeaderChecksum, "the header is damaged: its last line is not the field %q", fieldHeaderChecksum)
	}
	if len(body) != len(whole) {
		report(true, partialEntry, "%d bytes of entries: expected a multiple of %d", len(body), entrySize)
	}
	if claim, ok := header.lookup(fieldChecksum); !ok {
		report(false, noChecksum, "the header has no field %q: damage to the entries cannot be noticed", fieldChecksum)
	} else if sum := b.Checksum(); claim != sum {
		report(true, wrongChecksum, "the entries are damaged: their CRC-32C is %s, the header says %q", sum, claim)
	}
	if claim, ok := header.lookup(fieldEntries); ok && claim != fmt.Sprint(b.Len()) {
		report(false, wrongCount, "the header claims %q entries, the file has %d", claim, b.Len())
	}
	return b, defects, nil
}

// Close unmaps the file. The book must not be in use; afterwards it is empty.
func (b *Book) Close() error {
	b.entries, b.fences = nil, nil
	return b.file.Close()
}

// Header returns the header as read from the file. Do not change it.
func (b *Book) Header() Header { return b.header }

// Len returns the number of entries.
func (b *Book) Len() int { return len(b.entries) / entrySize }

// Checksum returns the CRC-32C of the entries as eight hexadecimal digits. It identifies a book,
// even one without a checksum in its header.
func (b *Book) Checksum() string { return fmt.Sprintf("%08x", b.sum) }

// Entries returns all entries, in ascending order of keys.
func (b *Book) Entries() []Entry {
	list := make([]Entry, b.Len())
	for i := range list {
		list[i] = b.At(i)
	}
	return list
}

// At returns entry i, 0 to Len()-1, in ascending order of keys.
func (b *Book) At(i int) (e Entry) {
	b.file.Guard(func() { e = decodeEntry(b.entries[i*entrySize:][:entrySize]) }) // see Err
	return e
}

// block is the number of entries per fence. In a book of a million entries a plain binary search
// takes twenty steps, most of them a cache miss; the fences fit into the second-level cache, and a
// block into a few cache lines.
const block = 16

// newFences copies the key of the first entry of each block.
func (b *Book) newFences() []int64 {
	fences := make([]int64, 0, b.Len()/block+1)
	for i := 0; i < b.Len(); i += block {
		fences = append(fences, b.key(i))
	}
	return fences
}

func (b *Book) key(i int) int64 { return decodeKey(b.entries[i*entrySize:]) }

// Lookup finds a position by its key ([oware.Position.BookKey]) in O(log n) without allocating. It
// may miss entries of a book whose keys are out of order, which only Verify detects.
func (b *Book) Lookup(key int64) (Entry, bool) {
	if b.file.Mapped() {
		return b.lookupMapped(key)
	}
	return b.lookup(key)
}

// lookupMapped is Lookup on a file that may be cut short at any moment: check [Book.Err].
func (b *Book) lookupMapped(key int64) (e Entry, found bool) {
	err := b.file.Guard(func() { e, found = b.lookup(key) })
	return e, found && err == nil
}

func (b *Book) lookup(key int64) (Entry, bool) {
	i, found := b.find(key)
	if !found {
		return Entry{}, false
	}
	return decodeEntry(b.entries[i*entrySize:][:entrySize]), true
}

// find returns the index of the entry with that key. Both loops halve a range of n entries starting
// at at, and keep the half with the last key not above key. They compile without branches that could
// be mispredicted.
func (b *Book) find(key int64) (at int, found bool) {
	for n := len(b.fences); n > 1; n -= n / 2 {
		if b.fences[at+n/2] <= key {
			at += n / 2
		}
	}
	at *= block
	for n := min(block, b.Len()-at); n > 1; n -= n / 2 {
		if b.key(at+n/2) <= key {
			at += n / 2
		}
	}
	return at, at < b.Len() && b.key(at) == key
}

// Write replaces path with a book of the given entries, atomically. It adds the number of entries
// and the checksums to the header, replacing those of the book that the header was read from. If a
// key is out of range or keys do not ascend, it returns an error and leaves path unchanged.
func Write(path string, h Header, entries []Entry) error {
	if err := ascending(entries); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	sum := uint32(0)
	var b []byte
	for _, e := range entries {
		b = e.appendTo(b[:0])
		sum = crc32.Update(sum, castagnoli, b)
	}
	head, err := h.encode(len(entries), sum)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return atomicfile.WriteFile(path, func(w io.Writer) error {
		if _, err := w.Write(head); err != nil {
			return err
		}
		for _, e := range entries {
			b = e.appendTo(b[:0])
			if _, err := w.Write(b); err != nil {
				return err
			}
		}
		return nil
	})
}

// ascending checks the order that Lookup relies on.
func ascending(entries []Entry) error {
	for i, e := range entries {
		switch {
		case !validKey(e.Key):
			return fmt.Errorf("entry %d: key %d: expected a rank below %d, plus 2^43 if South is to move", i, e.Key, oware.Ranks)
		case i > 0 && e.Key == entries[i-1].Key:
			return fmt.Errorf("entry %d: key %d a second time", i, e.Key)
		case i > 0 && e.Key < entries[i-1].Key:
			return fmt.Errorf("entry %d: key %d after %d: expected ascending keys", i, e.Key, entries[i-1].Key)
		}
	}
	return nil
}

func validKey(key int64) bool {
	return key >= 0 && (key < oware.Ranks || key >= oware.SouthKey && key-oware.SouthKey < oware.Ranks)
}
