package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"kroo/endgame"
	"kroo/games/oware"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

func quiet(int64, int64) {}

// built returns the file of a new table.
func built(t testing.TB, c endgame.Config) []byte {
	t.Helper()
	path := testkit.Must(endgame.BuildFile(t.Context(), c, filepath.Join(t.TempDir(), "tables"), nil))(t)
	file := testkit.Read(t, path)
	return file
}

// withChecksums returns the file with checksums that match its data.
func withChecksums(file []byte, seeds, width int) []byte {
	head, data, _ := bytes.Cut(file, []byte("\n\n"))
	sum := func(b []byte) string {
		return fmt.Sprintf("%08x", crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	}
	at := 0
	for n := range seeds + 1 {
		size := width * positions(n)
		head = regexp.MustCompile(fmt.Sprintf("level %d crc32c .*", n)).ReplaceAll(head, fmt.Appendf(nil, "level %d crc32c %s", n, sum(data[at:at+size])))
		at += size
	}
	text := head[:bytes.LastIndexByte(head, '\n')+1]
	return append(fmt.Appendf(nil, "%sheader crc32c %s\n\n", text, sum(text)), data...)
}

var tables = map[string]endgame.Config{
	"sharp":    {Rules: oware.Abapa, Bounds: endgame.Sharp, Seeds: 7},
	"resolved": {Rules: oware.Abapa, Bounds: endgame.Sharp, Seeds: 7, Resolve: 6},
	"crude":    {Rules: oware.Abapa, Bounds: endgame.Crude, Seeds: 7},
	"awari":    {Rules: oware.Awari, Bounds: endgame.Exact, Seeds: 7},
	"simple":   {Rules: oware.Simple, Bounds: endgame.Exact, Seeds: 7},
}

func TestGoodTablesPass(t *testing.T) {
	for name, c := range tables {
		list, err := Table(t.Context(), built(t, c), quiet)
		if err != nil || len(list) != 8 {
			t.Errorf("%s: %+v, %v", name, list, err)
		}
		for _, l := range list {
			if l.Positions != endgame.Positions(l.Seeds) || (l.Open > 0) != (name == "resolved" && slices.Contains([]int{2, 3, 4, 6}, l.Seeds)) {
				t.Errorf("%s: %+v", name, l)
			}
		}
	}
}

// The test adds and subtracts one at every bound of positions of up to five seeds, and at samples of
// six seeds (all with KROO_LONG=1) and seven.
func TestEveryChangedBoundIsFound(t *testing.T) {
	for _, name := range []string{"sharp", "crude", "awari", "simple"} {
		tab := testkit.Must(read(built(t, tables[name])))(t)
		for n := 1; n <= 7; n++ {
			l, values := tab.level(t.Context(), n), tab.values[n]
			sure := l.sure()
			step := 1
			switch n {
			case 6:
				step = testenv.Sample(17, 1)
			case 7:
				step = 97
			}
			for v := 0; v < len(values); v += step {
				for _, by := range []int8{-1, 1} {
					values[v] += by
					if wrong, _ := compare(values, sure, n, false); wrong != v/2 {
						t.Errorf("%s, %d seeds, node %d, %+d: not found", name, n, v, by)
					}
					values[v] -= by
				}
			}
		}
	}
}

// The same for files with matching checksums: a sample, since each takes a whole check.
func TestChangedFilesAreRejected(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for name, c := range tables {
		c.Seeds, c.Resolve = 5, min(c.Resolve, 3)
		file, width := built(t, c), 2
		if c.Bounds == endgame.Exact {
			width = 1
		}
		start := bytes.Index(file, []byte("\n\n")) + 2
		if !bytes.Equal(withChecksums(file, 5, width), file) {
			t.Fatalf("%s: withChecksums changes an intact file", name)
		}
		for range 30 {
			changed := bytes.Clone(file)
			at := start + width*comb[4+11][12] + random.IntN(width*(comb[5+12][12]-comb[4+11][12])) // of four or five seeds
			changed[at] += byte(2*random.IntN(2) - 1)
			if _, err := Table(t.Context(), changed, quiet); err == nil {
				t.Errorf("%s, byte %d: a wrong checksum is accepted", name, at)
			}
			if _, err := Table(t.Context(), withChecksums(changed, 5, width), quiet); err == nil {
				t.Errorf("%s, byte %d: not found", name, at)
			}
		}
	}
}

// Crude bounds in a table that claims sharp ones support each other around cycles.
func TestValuesThatSupportEachOtherAreFound(t *testing.T) {
	crude := built(t, endgame.Config{Rules: oware.Abapa, Bounds: endgame.Crude, Seeds: 4})
	sharp := bytes.Replace(crude, []byte("bounds crude"), []byte("bounds sharp"), 1)
	if _, err := Table(t.Context(), withChecksums(sharp, 4, 2), quiet); err == nil {
		t.Error("crude bounds pass for sharp ones")
	}
}

func TestCorruptFilesAreRejected(t *testing.T) {
	file := built(t, endgame.Config{Rules: oware.Awari, Bounds: endgame.Exact, Seeds: 2})
	for i := range file {
		if _, err := Table(t.Context(), file[:i], quiet); err == nil {
			t.Errorf("truncated to %d bytes: accepted", i)
		}
	}
	for _, change := range [][2]string{{"-endgame 2", "-endgame 3"}, {"rules awari", "rules abapa"}, {"seeds 2", "seeds 99"}, {"settled 0", "settled -1"}, {"bounds exact", "bounds fuzzy"}} {
		if _, err := Table(t.Context(), bytes.Replace(file, []byte(change[0]), []byte(change[1]), 1), quiet); err == nil {
			t.Errorf("%q: accepted", change)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Table(ctx, file, quiet); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// The rules here and those of games/oware are independent; they agree on random boards.
func TestRulesAgreeWithTheGame(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for _, r := range []oware.Rules{oware.Abapa, oware.Awari, oware.Simple} {
		for range 20_000 {
			n := 1 + random.IntN(24)
			p := endgame.PositionAt(r, n, random.IntN(endgame.Positions(n)))
			var b board
			for i := range b {
				b[i] = p.House(i)
			}
			if at(n, b.index()) != b {
				t.Fatalf("%v has index %d, which is the index of %v", b, b.index(), at(n, b.index()))
			}
			ours := b.moves(r.String())
			moves := p.AppendMoves(nil)
			if len(ours) != len(moves) {
				t.Fatalf("%s %s: %v and %v", r, p, ours, moves)
			}
			for i, m := range moves {
				q := p.Play(m)
				for h := range b {
					if ours[i].gain != p.Gain(m) || ours[i].after[h] != q.House(h) {
						t.Fatalf("%s %s, move %d: %+v", r, p, m, ours[i])
					}
				}
			}
		}
	}
}
