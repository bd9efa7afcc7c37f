package book

import (
	"cmp"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"kroo/games/oware"
	"kroo/internal/testkit"
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
		testkit.Refused(t, err, want, path)
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
	testkit.NoError(t, Dump(t.Context(), &out, b, oware.Abapa, csvFormat))
	testkit.Equal(t, out.String(), "key,board,a,b,c,d,e,f\n15187160556680,4-4-4-4-4-4-4-4-4-4-4-4-0-0-S,-72,,-20,-37,-35,5\n", "CSV")
	testkit.Refused(t, Dump(t.Context(), &out, inMemory([]Entry{{Key: -5}}), oware.Abapa, csvFormat), "entry 0")
	if err := Dump(t.Context(), &strings.Builder{}, b, oware.Abapa, "xml"); err == nil {
		t.Error("format xml was taken")
	}
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
