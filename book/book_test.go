package book

import (
	"bytes"
	"cmp"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"kroo/games/oware"
	"kroo/internal/testkit"
	"kroo/internal/vfs/faults"
)

// startEntry is the start position in the book of Sala Soler 2014.
var startEntry = Entry{Key: 15187160556680, Scores: [6]int16{-72, -34, -20, -37, -35, 5}}

// randomEntries gives up to n positions of random games, in order, with
// random values for their legal moves.
func randomEntries(n int, seed uint64) []Entry {
	r := rand.New(rand.NewPCG(seed, 1))
	found := map[int64]Entry{}
	p := oware.Start(oware.Abapa)
	for range n {
		if _, over := p.Terminal(); over {
			p = oware.Start(oware.Abapa)
		}
		e := Entry{Key: p.BookKey()}
		for h := range e.Scores {
			e.Scores[h] = Illegal
			if p.IsLegal(oware.Move(h)) {
				e.Scores[h] = int16(r.IntN(2001) - 1000)
			}
		}
		found[e.Key] = e
		moves := p.AppendMoves(nil)
		p = p.Play(moves[r.IntN(len(moves))])
	}
	var entries []Entry
	for _, e := range found {
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
	return entries
}

func write(t testing.TB, h Header, entries []Entry) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "book.bin")
	testkit.NoError(t, Write(path, h, entries))
	return path
}

func open(t testing.TB, path string) *Book {
	t.Helper()
	return testkit.Must(Open(path))(t)
}

// inMemory returns a book of entries, without a header.
func inMemory(entries []Entry) *Book { return &Book{entries: entries} }

// The bytes were put together by hand from the description of the format; the
// checksums are from another implementation of CRC-32C.
func TestGoldenOneEntry(t *testing.T) {
	if key := oware.Start(oware.Abapa).BookKey(); key != startEntry.Key {
		t.Fatalf("key of the start position is %d, expected %d", key, startEntry.Key)
	}
	path := write(t, Header{Fields: []Field{{FieldRules, "abapa"}}}, []Entry{startEntry})
	got := testkit.Read(t, path)
	want := "Kroo opening book\nRules: abapa\nEntries: 1\nCRC-32C: c9d1ef30\nHeader CRC-32C: 303a18f9\n\x00\n" +
		"\x00\x00\x0d\xd0\x09\x4f\x64\x88" + "\xff\xb8\xff\xde\xff\xec\xff\xdb\xff\xdd\x00\x05"
	if diff := gocmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestHeaderRoundTrip(t *testing.T) {
	h := Header{Signature: "Somebody's book", Fields: []Field{
		{FieldRules, "awari"}, {FieldWeights, "0123abcd"}, {FieldOmega, "2"}, {"Note", "a: b, c"}, {"Empty", ""}}}
	entries := randomEntries(100, 1)
	first := open(t, write(t, h, entries)).Header()
	if first.Signature != h.Signature || !slices.Equal(first.Fields[:len(h.Fields)], h.Fields) {
		t.Errorf("read %q, wrote %q", first, h)
	}
	// Writing a header that was read replaces its count and checksums.
	second := open(t, write(t, first, entries[:50])).Header()
	if len(second.Fields) != len(first.Fields) || second.Get(fieldEntries) != "50" {
		t.Errorf("second header %q", second)
	}
	if second.Get(fieldChecksum) == first.Get(fieldChecksum) || second.Get("Absent") != "" {
		t.Errorf("second header %q", second)
	}
}

// utf16BE is the encoding of the oldest books.
func utf16BE(s string) []byte {
	var b []byte
	for _, c := range []byte(s) {
		b = append(b, 0, c)
	}
	return b
}

func TestForeignBooksWithoutChecksumAreRead(t *testing.T) {
	entries := testkit.Must(consistent(t.Context(), randomEntries(30, 2), oware.Abapa))(t)
	var body []byte
	for _, e := range entries {
		body = e.appendTo(body)
	}
	text := "Oware opening book\nName: x\nEntries: 162889\nno colon here\n"
	want := Header{Signature: "Oware opening book",
		Fields: []Field{{"Name", "x"}, {"Entries", "162889"}, {"", "no colon here"}}}
	for name, head := range map[string][]byte{
		"UTF-16BE":          utf16BE(text + "\n"),
		"UTF-16BE with BOM": append([]byte{0xfe, 0xff}, utf16BE(text+"\n")...),
		"ASCII":             []byte(text + "\x00\n"),
		"ASCII with CRLF":   []byte(strings.ReplaceAll(text, "\n", "\r\n") + "\x00\n"),
	} {
		path := filepath.Join(t.TempDir(), "foreign.bin")
		testkit.NoError(t, os.WriteFile(path, append(head, body...), 0o644))
		b := open(t, path)
		testkit.Equal(t, gocmp.Diff(want, b.Header()), "", "%s", name)
		testkit.EqualSlices(t, b.Entries(), entries, "%s: other entries", name)
		r, err := Verify(t.Context(), path, NoTables)
		if err != nil || !r.OK() || len(r.Problems) != 2 || r.Problems[0].Kind != noChecksum || r.Problems[1].Kind != wrongCount {
			t.Errorf("%s: %v, %+v", name, err, r)
		}
	}
}

func TestLookupAgreesWithMap(t *testing.T) {
	entries := randomEntries(3000, 3)
	for _, n := range []int{0, 1, 2, 3, len(entries)} {
		b := open(t, write(t, Header{}, entries[:n]))
		known := map[int64]Entry{}
		for _, e := range entries[:n] {
			known[e.Key] = e
		}
		for _, e := range entries {
			for key := e.Key - 1; key <= e.Key+1; key++ {
				got, ok := b.Lookup(key)
				want, there := known[key]
				if ok != there || got != want {
					t.Fatalf("%d entries, key %d: %v %v, expected %v %v", n, key, got, ok, want, there)
				}
			}
		}
		for _, key := range []int64{-1 << 63, -1, 0, 1<<63 - 1} {
			if _, ok := b.Lookup(key); ok {
				t.Errorf("found key %d", key)
			}
		}
	}
}

func TestLookupAllocatesNothing(t *testing.T) {
	b := open(t, write(t, Header{}, randomEntries(1000, 4)))
	key := b.Entries()[500].Key
	if n := testing.AllocsPerRun(100, func() { b.Lookup(key); b.Lookup(key + 1) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestBestMoves(t *testing.T) {
	for _, c := range []struct {
		scores [6]int16
		best   oware.Move
		score  int
		all    uint8
	}{
		{startEntry.Scores, 5, 5, 0b100000},
		{[6]int16{Illegal, -1000, Illegal, -1000, -990, Illegal}, 4, -990, 0b010000},
		{[6]int16{Illegal, 7, 7, Illegal, Illegal, 6}, 1, 7, 0b000110},
		{[6]int16{Illegal, Illegal, Illegal, Illegal, Illegal, Illegal}, 0, Illegal, 0},
	} {
		e := Entry{Scores: c.scores}
		if m, s := e.Best(); m != c.best || s != c.score {
			t.Errorf("%v: best %d with %d", c.scores, m, s)
		}
		for m := range oware.Move(oware.Houses) {
			if e.isBest(m) != (c.all>>m&1 != 0) {
				t.Errorf("%v: move %d is best: %t", c.scores, m, e.isBest(m))
			}
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	other := startEntry
	other.Key++
	for want, c := range map[string]struct {
		h Header
		e []Entry
	}{
		"expected ascending keys":   {Header{}, []Entry{other, startEntry}},
		"a second time":             {Header{}, []Entry{startEntry, startEntry}},
		"expected a rank":           {Header{}, []Entry{{Key: -1}}},
		"entry 0: key 656622227257": {Header{}, []Entry{{Key: oware.Ranks}}},
		"entry 1":                   {Header{}, []Entry{startEntry, {Key: oware.Ranks + oware.SouthKey}}},
		"signature":                 {Header{Signature: "two\nlines"}, nil},
		"header field \"A:B\"":      {Header{Fields: []Field{{"A:B", "x"}}}, nil},
		"header field \"\"":         {Header{Fields: []Field{{"", "x"}}}, nil},
		"header field \"A\"":        {Header{Fields: []Field{{"A", "ü"}}}, nil},
		"at most 1048576":           {Header{Fields: []Field{{"A", strings.Repeat("x", maxHeader)}}}, nil},
	} {
		path := write(t, Header{}, []Entry{startEntry})
		before, _ := os.ReadFile(path)
		err := Write(path, c.h, c.e)
		testkit.ErrorContains(t, err, want, path)
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%q: the old book was changed", want)
		}
	}
}

func TestDump(t *testing.T) {
	e := startEntry
	e.Scores[1] = Illegal
	b := open(t, write(t, Header{}, []Entry{e}))
	var out strings.Builder
	testkit.NoError(t, Dump(&out, b, oware.Abapa))
	testkit.Equal(t, out.String(), "key,board,a,b,c,d,e,f\n15187160556680,4-4-4-4-4-4-4-4-4-4-4-4-0-0-S,-72,,-20,-37,-35,5\n", "CSV")
	testkit.ErrorContains(t, Dump(&out, inMemory([]Entry{{Key: -5}}), oware.Abapa), "entry 0")
}

func BenchmarkOpen(b *testing.B) {
	entries := make([]Entry, 1_000_000)
	for i := range entries {
		entries[i].Key = int64(i)
	}
	path := write(b, Header{}, entries)
	b.SetBytes(int64(len(entries) * entrySize))
	for b.Loop() {
		testkit.Must(Open(path))(b)
	}
}

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
			if _, err := decode("x", damaged); err == nil {
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
		if _, err := decode("x", slices.Delete(slices.Clone(data), at, at+1)); err == nil {
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
	if _, err := decode("x", append(bytes.Repeat([]byte{'x'}, maxHeader-3), "\n\x00\n"...)); err != nil {
		t.Errorf("header as long as the limit: %v", err)
	}
}

func TestInvalidFilesAreRejected(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "absent.bin")} {
		_, err := Open(path)
		testkit.ErrorContains(t, err, path)
		_, err = Verify(t.Context(), path, NoTables)
		testkit.ErrorContains(t, err, path)
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
		b, err := decode("x", data)
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
		if d, err := Refine(t.Context(), b, oware.Abapa, nil, Lines{oware.Start(oware.Abapa), 100, 200}); err == nil {
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
			if err := Dump(io.Discard, b, oware.Abapa); err != nil {
				t.Error(err)
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

func TestDefaultBooksAreSound(t *testing.T) {
	for _, name := range Names() {
		r, err := Verify(t.Context(), name, NoTables)
		if err != nil || len(r.Problems) != 0 {
			t.Fatalf("%s: %v %+v", name, err, r)
		}
	}
	b := testkit.Must(Open(DefaultName))(t)
	e, found := b.Lookup(oware.Start(oware.Abapa).BookKey())
	if m, _ := e.Best(); !found || m != 5 {
		t.Errorf("%v, %t: expected F first", e, found)
	}
	const largest = 2 << 20
	if n := len(packedAbapa) + len(packedAwari); n > largest {
		t.Errorf("%d bytes: expected at most %d in the program", n, largest)
	}
}

func TestDefaultBookIsForItsRulesOnly(t *testing.T) {
	_, _, err := FindFor(DefaultName, oware.Simple.String())
	testkit.ErrorContains(t, err, "no default book for simple")
	_, _, err = FindFor(AwariName, oware.Abapa.String())
	testkit.ErrorContains(t, err, "a book for awari: expected abapa")
	for rules, name := range map[oware.Rules]string{oware.Abapa: DefaultName, oware.Awari: AwariName} {
		found, r, err := FindFor(DefaultName, rules.String())
		own := testkit.Must(Open(name))(t)
		if err != nil || r != rules || found.Header().Get(FieldRules) != rules.String() || found.sum != own.sum {
			t.Errorf("the default book for %s: %v, %v", rules, r, err)
		}
	}
}

func TestRulesOfBook(t *testing.T) {
	for name, want := range map[string]oware.Rules{"": oware.Abapa, "abapa": oware.Abapa, "awari": oware.Awari, "kalah": 99} {
		var h Header
		if name != "" {
			h.Fields = []Field{{Name: FieldRules, Value: name}}
		}
		path := write(t, h, nil)
		if r, err := open(t, path).Rules(); (err == nil) != (want != 99) || err == nil && r != want {
			t.Errorf("rules %q: %s, %v: want %s", name, r, err, want)
		}
		_, _, err := FindFor(path, "awari")
		if taken := err == nil; taken != (name == "" || name == "awari") {
			t.Errorf("rules %q for awari: %v", name, err)
		} else if !taken && !strings.Contains(err.Error(), path) {
			t.Errorf("%v does not name the file", err)
		}
	}
}

// A book made from another one keeps its fields, without lines of other programs and what made that one.
func TestADerivedHeaderLeavesOutItsMaking(t *testing.T) {
	h := Header{Fields: []Field{{"", "Another program"}, {FieldRules, "abapa"}, {FieldMade, "train book expand"}}}
	got := h.Derive(Field{FieldMade, "train book prune"})
	testkit.EqualSlices(t, got.Fields, []Field{{FieldRules, "abapa"}, {FieldMade, "train book prune"}}, "fields")
}
