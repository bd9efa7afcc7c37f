package book

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
	"kroo/internal/vfs/faults"
)

// refused asserts that Open gives an error of one line that names the file.
func refused(t *testing.T, data []byte, what string, args ...any) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "damaged.bin")
	testkit.NoError(t, os.WriteFile(path, data, 0o644))
	b, err := Open(path)
	if err == nil {
		t.Errorf("opened, with %d entries: %s %v", b.Len(), what, args)
		return
	}
	if !strings.Contains(err.Error(), path) || strings.ContainsAny(err.Error(), "\n\x00") {
		t.Errorf("%s %v: bad error text %q", what, args, err)
	}
	Verify(t.Context(), path, NoTables) // must not panic
}

func small(t *testing.T) []byte {
	t.Helper()
	h := Header{Fields: []Field{{FieldRules, "abapa"}, {FieldWeights, "0123456789abcdef"}}}
	data := testkit.Read(t, write(t, h, randomEntries(5, 7)))
	return data
}

func TestTruncatedAtEveryByte(t *testing.T) {
	data := small(t)
	for n := range data {
		refused(t, data[:n], "truncated at", n)
	}
}

func TestEveryFlippedBit(t *testing.T) {
	data := small(t)
	for at := range data {
		for bit := range 8 {
			damaged := slices.Clone(data)
			damaged[at] ^= 1 << bit
			if _, err := Parse("x", damaged); err == nil {
				t.Errorf("opened with bit %d of byte %d flipped", bit, at)
			}
		}
	}
}

func TestBytesAddedOrLost(t *testing.T) {
	data := small(t)
	refused(t, append(slices.Clone(data), 0), "a byte more")
	refused(t, append(slices.Clone(data), data[len(data)-entrySize:]...), "an entry more")
	for at := range data {
		if _, err := Parse("x", slices.Delete(slices.Clone(data), at, at+1)); err == nil {
			t.Errorf("opened with byte %d missing", at)
		}
	}
}

func TestBadHeaders(t *testing.T) {
	refused(t, nil, "empty file")
	refused(t, bytes.Repeat([]byte("x"), 3*maxHeader), "one endless line")
	refused(t, bytes.Repeat([]byte("x: y\n"), maxHeader), "endless lines")
	refused(t, append(bytes.Repeat([]byte{'x'}, maxHeader-1), "\n\x00\n"...), "end behind the limit")
	refused(t, []byte("\x00\n"), "no signature")
	refused(t, []byte("\n\x00\n"), "empty signature")
	refused(t, []byte("ab\x00b\n\x00\n"+strings.Repeat("\x00", 20)), "neither ASCII nor UTF-16BE")
	refused(t, []byte(ownSignature+"\n\x00\n"), "own signature without checksums")
	refused(t, []byte("Foreign\n\x00\n"+strings.Repeat("\x00", 30)), "entries no multiple of 20")
	refused(t, []byte("Foreign\nCRC-32C: zzz\n\x00\n"), "checksum no number")
	if _, err := Parse("x", append(bytes.Repeat([]byte{'x'}, maxHeader-3), "\n\x00\n"...)); err != nil {
		t.Errorf("header as long as the limit: %v", err)
	}
}

func TestInvalidFilesAreRejected(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "absent.bin")} {
		_, err := Open(path)
		testkit.Refused(t, err, path)
		_, err = Verify(t.Context(), path, NoTables)
		testkit.Refused(t, err, path)
	}
	if err := Write(filepath.Join(dir, "absent", "book.bin"), Header{}, nil); err == nil {
		t.Error("wrote into a folder that is not there")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("Foreign\nName: x\n\x00\n01234567890123456789"))
	f.Add(append(utf16BE("Foreign\nName: x\n\n"), make([]byte, 40)...))
	h, err := Header{Fields: []Field{{FieldRules, "abapa"}}}.encode(0, 0)
	testkit.NoError(f, err)
	f.Add(h)
	h = testkit.Must(Header{}.encode(1, 0))(f)
	f.Add(startEntry.appendTo(h))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Parse("x", data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of two lines: %q", err)
			}
			return
		}
		if b.Len()*entrySize > len(data) {
			t.Fatalf("%d entries in %d bytes", b.Len(), len(data))
		}
		for _, e := range b.Entries() {
			e, _ = b.Lookup(e.Key)
			if p, err := oware.FromBookKey(oware.Abapa, e.Key); err == nil {
				b.Sources(p)
			}
		}
		if d, err := Deepen(t.Context(), b, oware.Abapa, nil, Lines{oware.Start(oware.Abapa), 100, 200}); err == nil {
			leaves, _ := d.Next(10)
			for _, p := range leaves {
				d.Set(map[int64]int{p.BookKey(): 7})
			}
			d.Header()
		}
		c := newChecker(b, oware.Abapa, nil)
		c.check(t.Context())
		if entries, err := Merge(t.Context(), b, b); err == nil {
			if c := newChecker(inMemory(entries), oware.Abapa, nil); true {
				c.check(t.Context())
				for _, p := range c.report.Problems {
					if p.Kind == inconsistent || p.Kind == endlessLine || p.Kind == provenCycle || p.Kind == wrongEnding {
						t.Errorf("merged: %+v", p)
					}
				}
			}
			for _, format := range []Format{csvFormat, ognFormat} {
				if err := Dump(t.Context(), io.Discard, b, oware.Abapa, format); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// Whichever call fails, the old book or the new one is there, and the next write works.
func TestAFaultLeavesTheOldBookOrTheNewOne(t *testing.T) {
	older, newer := randomEntries(3, 1), randomEntries(5, 2)
	name := func(dir string) string { return filepath.Join(dir, "book.bin") }
	write := func(dir string, entries []Entry) error { return Write(name(dir), Header{}, entries) }
	read := func(dir string) []Entry { return open(t, name(dir)).Entries() }
	faults.Each(t,
		func(dir string) {
			testkit.NoError(t, write(dir, older))
		},
		func(dir string) error { return write(dir, newer) },
		func(dir, _ string, failed error) {
			if got := read(dir); !slices.Equal(got, newer) && (failed == nil || !slices.Equal(got, older)) {
				t.Errorf("the book has %d entries", len(got))
			}
			if err := write(dir, newer); err != nil || !slices.Equal(read(dir), newer) {
				t.Errorf("the next write: %v", err)
			}
		})
}
