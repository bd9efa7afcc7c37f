package endgame

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
	"kroo/internal/vfs"
)

func build(t testing.TB, rules oware.Rules, bounds Bounds, seeds int) *Table {
	t.Helper()
	return testkit.Must(Build(t.Context(), Config{Rules: rules, Bounds: bounds, Seeds: seeds, Made: "a test"}, nil))(t)
}

func TestNumbersAreAPermutationInOrder(t *testing.T) {
	for n := range 8 {
		b := unrank(n, 0)
		for i := range Positions(n) {
			if u := unrank(n, uint32(i)); u != b || within(b.own, b.opp) != uint32(i) {
				t.Fatalf("%d seeds, number %d: %x, unranked %x, ranked %d", n, i, b, u, within(b.own, b.opp))
			}
			if own, opp := b.position(oware.Awari, n).SideSeeds(); own+opp != n {
				t.Fatalf("%d seeds, number %d: %x", n, i, b)
			}
			b.next()
		}
	}
	if Positions(8) != 75582 || base(9) != 125970 {
		t.Errorf("%d positions with 8 seeds, %d with fewer than 9", Positions(8), base(9))
	}
}

// The formula is from Sala Soler (2014).
func TestNumbersFollowThePublishedFormula(t *testing.T) {
	choose := func(n, k int) (c int) {
		c = 1
		for j := 1; j <= k; j++ {
			c = c * (n - k + j) / j
		}
		return c
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		n := random.IntN(MaxSeeds + 1)
		i := uint32(random.IntN(Positions(n)))
		b := unrank(n, i)
		sum, seeds := 0, 0
		for h := range houses {
			seeds += int(b.house(h))
			sum += choose(seeds+h, h+1)
		}
		if sum != base(n)+int(i) {
			t.Fatalf("%x: number %d, want %d", b, base(n)+int(i), sum)
		}
	}
}

func TestTablesAreEqualForAnyNumberOfWorkers(t *testing.T) {
	want := build(t, oware.Abapa, Sharp, 7)
	for workers := 1; workers < 5; workers++ {
		got := testkit.Must(Build(t.Context(), Config{Rules: oware.Abapa, Bounds: Sharp, Seeds: 7, Workers: workers}, nil))(t)
		if !bytes.Equal(got.data, want.data) {
			t.Errorf("%d workers build a different table", workers)
		}
	}
}

// A build whose writes fail leaves the levels before; built again, the file is the same.
func TestABuildSurvivesCrashes(t *testing.T) {
	c := Config{Rules: oware.Abapa, Bounds: Sharp, Seeds: 6, Resolve: 2, Workers: 1}
	whole := testkit.Read(t, testkit.Must(BuildFile(t.Context(), c, t.TempDir(), nil))(t))
	defer vfs.Fail(func(_, _ string) error { return nil })
	for last := 1; ; last++ {
		folder, writes := t.TempDir(), 0
		vfs.Fail(func(call, _ string) error {
			if call != "write" {
				return nil
			}
			writes++
			if writes >= last {
				return syscall.EIO
			}
			return nil
		})
		_, err := BuildFile(t.Context(), c, folder, nil)
		vfs.Fail(func(_, _ string) error { return nil })
		if err == nil && last > 7 {
			return
		}
		path, again := BuildFile(t.Context(), c, folder, nil)
		if left := testkit.Must(os.ReadDir(folder))(t); err == nil || again != nil || !bytes.Equal(testkit.Read(t, path), whole) || len(left) != 1 {
			t.Fatalf("write %d fails: %v; built again: %v, %v", last, err, again, left)
		}
	}
}

func TestBuildResumes(t *testing.T) {
	c := Config{Rules: oware.Abapa, Bounds: Sharp, Seeds: 7, Partial: filepath.Join(t.TempDir(), "abapa.part")}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Build(ctx, c, func(done, _ int64, _ string) {
		if done >= int64(base(5)) {
			cancel()
		}
	}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	first := int64(-1)
	got, err := Build(t.Context(), c, func(done, _ int64, _ string) {
		if first < 0 {
			first = done
		}
	})
	testkit.NoError(t, err)
	testkit.Equal(t, first, int64(base(5)), "resumed at")
	small := c
	crude := c
	resolved := c
	small.Seeds = 4
	crude.Bounds = Crude
	resolved.Resolve = 3
	if tab, err := Build(t.Context(), small, nil); err != nil || !bytes.Equal(tab.data, got.data[:len(tab.data)]) {
		t.Errorf("a smaller table from the same partial one: %v", err)
	}
	for want, other := range map[string]Config{"sharp, resolved up to 0 seeds: expected abapa, crude": crude, "and 3; delete it": resolved} {
		_, err := Build(t.Context(), other, nil)
		testkit.ErrorContains(t, err, c.Partial, want)
	}
	testkit.NoError(t, os.Truncate(c.Partial, 500))
	_, err = Build(t.Context(), c, nil)
	testkit.ErrorContains(t, err, c.Partial, "delete it to start over")
}

func TestBuildFileChecksItsOutputFirst(t *testing.T) {
	folder := t.TempDir()
	testkit.NoError(t, os.Mkdir(filepath.Join(folder, FileName(oware.Abapa)), 0o777))
	never := func(done, total int64, _ string) { t.Fatal("the build starts") }
	_, err := BuildFile(t.Context(), Config{Rules: oware.Abapa, Bounds: Sharp, Seeds: 9}, folder, never)
	testkit.ErrorContains(t, err, "it is a folder")
}

func TestFileRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	for _, want := range []*Table{build(t, oware.Awari, Exact, 4), build(t, oware.Abapa, Sharp, 5), resolved(t, 5)} {
		testkit.NoError(t, want.Write(path))
		got := testkit.Must(Open(path))(t)
		if got.Rules() != want.Rules() || got.Bounds() != want.Bounds() || got.Seeds() != want.Seeds() || got.Made() != "a test" || got.ResolvedLevel() != want.ResolvedLevel() || !bytes.Equal(got.data, want.data) {
			t.Errorf("%+v", got)
		}
		testkit.NoError(t, got.Close())
	}
}

func TestCorruptFilesAreRejected(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "table")
	testkit.NoError(t, build(t, oware.Abapa, Crude, 3).Write(path))
	whole := testkit.Read(t, path)
	for i := range whole { // every byte changed, and every length
		for _, file := range [][]byte{append(append(append([]byte{}, whole[:i]...), whole[i]^0x10), whole[i+1:]...), whole[:i]} {
			got, err := parse("table", file)
			if err == nil {
				t.Fatalf("byte %d: accepted: %+v", i, got)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Fatalf("byte %d: an error of several lines: %q", i, err)
			}
		}
	}
	for _, bad := range []string{dir, filepath.Join(dir, "none"), os.DevNull} {
		_, err := Open(bad)
		testkit.ErrorContains(t, err, bad)
	}
}

// Tables of version 1 have no checksum of the header.
func TestTablesOfVersion1AreRead(t *testing.T) {
	want := build(t, oware.Abapa, Crude, 3)
	lines := strings.Split(strings.TrimSpace(string(want.header())), "\n")
	lines[0] = signature1
	old := strings.Join(lines[:len(lines)-1], "\n") + "\n\n" + string(want.data)
	got, err := parse("old", []byte(old))
	if err != nil || !bytes.Equal(got.data, want.data) || got.Made() != want.Made() {
		t.Error(got, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(signature1 + "\nrules awari\nbounds exact\nseeds 0\nsettled 0\nmade x\nlevel 0 crc32c 527d5351\n\n\x00"))
	f.Fuzz(func(t *testing.T, file []byte) {
		tab, err := parse("fuzz", file)
		if err == nil {
			tab.Probe(oware.Start(tab.Rules()))
			for i := range Positions(tab.Seeds()) {
				tab.at(tab.Seeds(), i)
			}
		}
	})
}

func TestProbe(t *testing.T) {
	tab := build(t, oware.Abapa, Sharp, 5)
	for board, want := range map[string][2]int{
		"0-0-0-0-0-1-0-0-0-0-0-0-24-23-S": {-1, -1}, // after the only move each takes their own side
		"0-0-0-0-0-0-0-0-0-0-0-1-20-27-N": {-1, -1}, // the same for North
		"0-0-0-0-0-0-1-0-0-0-0-0-20-27-S": {-1, -1}, // no move
	} {
		p := testkit.Must(oware.ParseBoard(oware.Abapa, board))(t)
		if low, high, ok := tab.Probe(p); !ok || [2]int{low, high} != want {
			t.Errorf("%s: %d to %d, %v, want %d", board, low, high, ok, want)
		}
	}
	if _, _, ok := tab.Probe(oware.Start(oware.Abapa)); ok {
		t.Error("the start is in the table")
	}
	p := testkit.Must(oware.ParseBoard(oware.Awari, "0-0-0-0-0-1-0-0-0-0-0-0-24-23-S"))(t)
	if _, _, ok := tab.Probe(p); ok {
		t.Error("a position of awari is in a table of abapa")
	}
}

func TestProbeAllocatesNothing(t *testing.T) {
	tab := build(t, oware.Abapa, Sharp, 3)
	p := unrank(3, 17).position(oware.Abapa, 3)
	sink := 0
	if n := testing.AllocsPerRun(100, func() { low, _, _ := tab.Probe(p); sink += low }); n != 0 {
		t.Errorf("%f allocations per probe", n)
	}
}

// Two tables have the same name if and only if they have the same values.
func TestNamesIdentifyTables(t *testing.T) {
	build := func(c Config) *Table {
		c.Rules = oware.Abapa
		return testkit.Must(Build(t.Context(), c, nil))(t)
	}
	one := build(Config{Bounds: Crude, Seeds: 3, Made: "here"})
	path := filepath.Join(t.TempDir(), "t.endgame")
	testkit.NoError(t, build(Config{Bounds: Crude, Seeds: 3, Made: "there"}).Write(path))
	same := testkit.Must(Open(path))(t)
	defer same.Close()
	if one.Name() != same.Name() || !strings.HasPrefix(one.Name(), "crude of 3 seeds ") {
		t.Errorf("names %q and %q of the same values", one.Name(), same.Name())
	}
	for _, other := range []*Table{build(Config{Bounds: Crude, Seeds: 2}), build(Config{Bounds: Sharp, Seeds: 3})} {
		if other.Name() == one.Name() {
			t.Errorf("%q is the name of two tables", one.Name())
		}
	}
	changed := build(Config{Bounds: Crude, Seeds: 3})
	changed.data[len(changed.data)-1]++
	if changed.Name() == one.Name() {
		t.Error("a changed value does not change the name")
	}
}

// Impossible values are rejected even if the checksums match.
func TestImpossibleValuesAreRejected(t *testing.T) {
	for _, c := range []struct {
		tab   *Table
		level int
		value []byte
	}{
		{build(t, oware.Awari, Exact, 4), 4, []byte{5}},
		{build(t, oware.Awari, Exact, 4), 1, []byte{0xfe}}, // -2
		{build(t, oware.Abapa, Sharp, 4), 4, []byte{2, 3}},
		{build(t, oware.Abapa, Sharp, 4), 0, []byte{1, 0}},
	} {
		path := filepath.Join(t.TempDir(), "t.endgame")
		testkit.NoError(t, c.tab.Write(path))
		if _, err := Open(path); err != nil {
			t.Fatal(err)
		}
		data := c.tab.levelData(c.level)
		copy(data[len(data)-len(c.value):], c.value)
		testkit.NoError(t, c.tab.Write(path))
		_, err := Open(path)
		testkit.ErrorContains(t, err, fmt.Sprintf("level of %d seeds: position", c.level))
	}
}

// ParseBounds accepts only the kinds of the rules: crude and sharp for abapa, else exact.
func FuzzBounds(f *testing.F) {
	for _, name := range []string{"", "exact", "crude", "sharp", "Sharp", "\n"} {
		f.Add(name, byte(0))
		f.Add(name, byte(1))
	}
	f.Fuzz(func(t *testing.T, name string, which byte) {
		all := oware.Descriptor().Rules
		rules := testkit.Must(oware.ParseRules(all[int(which)%len(all)]))(t)
		b, err := ParseBounds(name, rules)
		if err != nil {
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
				t.Errorf("%q: want one short line", err)
			}
			return
		}
		kinds := []Bounds{Exact}
		if rules == oware.Abapa {
			kinds = []Bounds{Crude, Sharp}
		}
		if !Serves(rules) || !slices.Contains(kinds, b) || name != "" && name != string(b) {
			t.Errorf("%q for %s: %q", name, rules, b)
		}
	})
}
