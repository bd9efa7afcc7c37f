package book

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"sync"

	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/mapfile"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// Book is a book in memory. It is safe for concurrent use.
type Book struct {
	name    string // for errors; "" for a book made in memory
	header  Header
	entries []Entry
	sum     uint32 // CRC-32C of the entries
}

// Open reads the book at a path, or a built-in one by its name, and checks its header, size and
// checksums. The error names the file and what is wrong with it.
func Open(path string) (*Book, error) {
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	if IsBuiltIn(path) {
		path = "the book " + path + " of the program"
	}
	return decode(path, data)
}

// decode decodes a book. name is for errors.
func decode(name string, data []byte) (*Book, error) {
	b, problems, err := parse(data)
	if i := slices.IndexFunc(problems, func(p Problem) bool { return !p.Warning }); err == nil && i >= 0 {
		err = errors.New(problems[i].Text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	b.name = name
	return b, nil
}

// parse returns the book and the problems of the file as a whole; all but warnings make Open fail.
// It returns an error if it cannot find the first entry. A book without checksums, such as one of
// another program, is accepted; in a book of this package the checksum of the header then fails.
func parse(data []byte) (b *Book, problems []Problem, err error) {
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
	b = &Book{header: header, entries: make([]Entry, len(body)/entrySize), sum: crc32.Checksum(body, castagnoli)}
	for i := range b.entries {
		b.entries[i] = decodeEntry(body[i*entrySize:])
	}
	problems = []Problem{}
	report := func(kind Kind, format string, args ...any) {
		problems = append(problems,
			Problem{Kind: kind, Warning: warnings[kind], Count: 1, First: -1, Text: fmt.Sprintf(format, args...)})
	}
	switch present, right := headerChecksum(raw); {
	case right:
	case present:
		report(wrongHeaderChecksum, "the header is damaged: it does not match its checksum")
	case header.Signature == ownSignature:
		report(wrongHeaderChecksum, "the header is damaged: its last line is not the field %q", fieldHeaderChecksum)
	}
	if len(body) != b.Len()*entrySize {
		report(partialEntry, "%d bytes of entries: expected a multiple of %d", len(body), entrySize)
	}
	if claim, ok := header.lookup(fieldChecksum); !ok {
		report(noChecksum, "the header has no field %q: damage to the entries cannot be noticed", fieldChecksum)
	} else if sum := b.Checksum(); claim != sum {
		report(wrongChecksum, "the entries are damaged: their CRC-32C is %s, the header says %q", sum, claim)
	}
	if claim, ok := header.lookup(fieldEntries); ok && claim != fmt.Sprint(b.Len()) {
		report(wrongCount, "the header claims %q entries, the file has %d", claim, b.Len())
	}
	return b, problems, nil
}

// Header returns the header as read from the file. Do not change it.
func (b *Book) Header() Header { return b.header }

// Len returns the number of entries.
func (b *Book) Len() int { return len(b.entries) }

// Checksum returns the CRC-32C of the entries as eight hexadecimal digits. It identifies a book,
// even one without a checksum in its header.
func (b *Book) Checksum() string { return fmt.Sprintf("%08x", b.sum) }

// Entries returns all entries, in ascending order of keys. Do not change them.
func (b *Book) Entries() []Entry { return b.entries }

// Lookup finds a position by its key ([oware.Position.BookKey]) in O(log n) without allocating. It
// may miss entries of a book whose keys are out of order, which only Verify detects.
func (b *Book) Lookup(key int64) (Entry, bool) {
	i, found := find(b.entries, key)
	if !found {
		return Entry{}, false
	}
	return b.entries[i], true
}

// find returns the index of the entry with a key.
func find(entries []Entry, key int64) (i int, found bool) {
	return slices.BinarySearchFunc(entries, key, func(e Entry, key int64) int { return cmp.Compare(e.Key, key) })
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
			return fmt.Errorf("entry %d: key %d: expected a rank below %d, plus 2^43 if South is to move",
				i, e.Key, int64(oware.Ranks))
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

// Names of the built-in books wherever a path of a book is expected.
const (
	DefaultName = "default"       // for abapa; where the rules are given, for these
	AwariName   = "default-awari" // for awari
)

var (
	//go:embed default.bin.zst
	packedAbapa []byte
	//go:embed default-awari.bin.zst
	packedAwari []byte
)

// builtIn returns the bytes of the built-in books, by name.
var builtIn = map[string]func() []byte{
	DefaultName: sync.OnceValue(func() []byte { return mapfile.Unpack(packedAbapa) }),
	AwariName:   sync.OnceValue(func() []byte { return mapfile.Unpack(packedAwari) }),
}

// Names returns the names of the built-in books.
func Names() []string { return []string{DefaultName, AwariName} }

// IsBuiltIn reports whether a path is the name of a built-in book.
func IsBuiltIn(path string) bool { return builtIn[path] != nil }

// maxFile is the maximum size of a file: 400 million entries.
const maxFile = 8e9

// read returns the bytes of the book at a path, or of a built-in one.
func read(path string) ([]byte, error) {
	if unpack := builtIn[path]; unpack != nil {
		return unpack(), nil
	}
	return vfs.ReadUpTo(path, maxFile)
}

// FindFor is [Open] for play under rules by name; "" means the rules of the book. It
// refuses a book for other rules, and accepts one that names no rules. [DefaultName] is the built-in
// book for the rules.
func FindFor(path, rules string) (b *Book, r oware.Rules, err error) {
	if rules != "" {
		r, err = oware.ParseRules(rules)
		if err == nil {
			err = CheckRules(r)
		}
		if err != nil {
			return nil, r, err
		}
		if path == DefaultName && r == oware.Awari {
			path = AwariName
		}
	}
	b, err = Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: %s, or a book", err, wording.Expect(path, Names()))
	}
	if err != nil {
		return nil, r, err
	}
	if rules == "" {
		r, err = b.Rules()
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
	} else {
		err = b.checkRules(path, r)
	}
	if err != nil {
		return nil, r, err
	}
	return b, r, nil
}

// CheckRules returns an error for rules that books cannot serve: under those of [oware.Arena] the
// value of a position depends on the plies left in the game, which a book does not record.
func CheckRules(rules oware.Rules) error {
	if rules == oware.Arena {
		return fmt.Errorf("no opening books for %s: there the value of a position depends on the plies left", rules)
	}
	return nil
}

func (b *Book) checkRules(path string, rules oware.Rules) error {
	named := b.header.Get(FieldRules)
	switch {
	case named == "" || named == rules.String():
		return nil
	case path == DefaultName:
		return fmt.Errorf("there is no default book for %s: expected a file, or the rules %s or %s",
			rules, oware.Abapa, oware.Awari)
	}
	return fmt.Errorf("%s: a book for %s: expected %s", path, named, rules)
}

// Rules returns the rules that the header names. For a header without them, as in books of Sala
// Soler 2014, these are those of abapa.
func (b *Book) Rules() (oware.Rules, error) {
	name := b.header.Get(FieldRules)
	if name == "" {
		return oware.Abapa, nil
	}
	r, err := oware.ParseRules(name)
	if err == nil {
		err = CheckRules(r)
	}
	return r, err
}
