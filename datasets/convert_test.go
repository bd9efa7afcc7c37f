package datasets

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"kroo/internal/testkit"
	"kroo/internal/vfs"
	"kroo/internal/vfs/faults"
)

// oneOfEach writes a Parquet table of every kind into a folder and returns the paths.
func oneOfEach(t testing.TB, dir string) []string {
	t.Helper()
	rng := newRand()
	labels := randomLabels(rng, 12)
	p := filepath.Join(dir, "p.parquet")
	l := filepath.Join(dir, "l.parquet")
	f := filepath.Join(dir, "f.parquet")
	meta := Meta{Game: "oware", Rules: "abapa", Seed: 1 << 63, Method: `by "hand", 100 %`, Note: "two\nlines", Tool: "x = y"}
	all := meta
	all.Grouped, all.Limits = true, "nodes 9"
	features := featureMeta("captures", "<1", ">12", "a_b")
	features.Grouped = true
	for _, err := range []error{
		writePositions(p, meta, randomPositions(rng, 12)), writeLabels(l, all, labels), writeFeatures(f, features, randomFeatures(rng, 12, 4)),
	} {
		testkit.NoError(t, err)
	}
	return []string{p, l, f}
}

// Converting through any formats and back gives identical bytes.
func TestConversionsRoundTrip(t *testing.T) {
	for _, path := range oneOfEach(t, t.TempDir()) {
		dir, from := t.TempDir(), path
		for _, to := range []string{"a.csv", "c.arrow", "d.CSV", "e.arrow", filepath.Base(path)} {
			to = filepath.Join(dir, to)
			m, err := Convert(t.Context(), game.Info, Conversion{From: from, To: to})
			if err != nil {
				t.Fatalf("%s to %s: %v", from, to, err)
			}
			if m.Rows != 12 || m.File != filepath.Base(to) || (m.Columns != nil) != strings.EqualFold(filepath.Ext(to), ".csv") {
				t.Errorf("%s: %+v", to, m)
			}
			from = to
		}
		if !bytes.Equal(testkit.Read(t, from), testkit.Read(t, path)) || !bytes.Equal(testkit.Read(t, ManifestPath(from)), testkit.Read(t, ManifestPath(path))) {
			t.Errorf("%s and its manifest do not come back", path)
		}
	}
}

func TestConvertRefuses(t *testing.T) {
	path := oneOfEach(t, t.TempDir())[0]
	_, err := Convert(t.Context(), game.Info, Conversion{From: path, To: path + ".txt"})
	wantError(t, err, ".txt", "expected one that ends in .parquet, .arrow or .csv")
	_, err = Convert(t.Context(), game.Info, Conversion{From: path + "x.csv", To: path})
	wantError(t, err, "no such file")
	testkit.Write(t, path, testkit.Read(t, path)[1:])
	to := filepath.Join(t.TempDir(), "to.csv")
	_, err = Convert(t.Context(), game.Info, Conversion{From: path, To: to})
	wantError(t, err, path, "length in bytes")
	if _, err := os.Stat(to); err == nil {
		t.Error("a damaged table leaves an output")
	}
}

func TestCSVHasOnlyNamesAndRows(t *testing.T) {
	dir := t.TempDir()
	path := oneOfEach(t, dir)[1]
	m, err := Convert(t.Context(), game.Info, Conversion{From: path, To: filepath.Join(dir, "l.csv")})
	testkit.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(testkit.Read(t, filepath.Join(dir, "l.csv")))), "\n")
	if len(lines) != 13 || lines[0] != "key,board,phase,game,ply,group,score,label,depth,exact,nodes,bound,best" {
		t.Errorf("%d lines, the first %s", len(lines), lines[0])
	}
	if strings.Count(lines[1], ",") != 12 {
		t.Errorf("a row is %s", lines[1])
	}
	if c := m.Columns[7]; c != (Column{"label", "float64", "points for the side to move, -1000 to 1000"}) || m.Meta.Limits != "nodes 9" {
		t.Errorf("the manifest has %+v and limits %q", c, m.Meta.Limits)
	}
}

// digestsOf writes rows and returns the digests in their manifest.
func digestsOf(t *testing.T, name string, meta Meta, rows []tableRow) map[string]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	testkit.NoError(t, Write(game, path, meta, Rows(rows)))
	m, err := ReadManifest(path)
	testkit.NoError(t, err)
	return m.Digests
}

// A digest is the SHA-256 of a column's values as docs/formats.md describes them.
func TestDigestIsTheHashOfTheValues(t *testing.T) {
	rows := randomLabels(newRand(), 3)
	got := digestsOf(t, "t.parquet", Meta{Kind: Labels, Game: "oware", Rules: "abapa"}, rows)
	keys, boards := sha256.New(), sha256.New()
	for _, r := range rows {
		key, _ := game.Key(r.Position)
		binary.Write(keys, binary.LittleEndian, key)
		board := game.Print(r.Position)
		binary.Write(boards, binary.LittleEndian, uint32(len(board)))
		boards.Write([]byte(board))
	}
	if want := fmt.Sprintf("%x", keys.Sum(nil)); got["key"] != want {
		t.Errorf("digest of key is %s: expected %s", got["key"], want)
	}
	if want := fmt.Sprintf("%x", boards.Sum(nil)); got["board"] != want {
		t.Errorf("digest of board is %s: expected %s", got["board"], want)
	}
}

// Digests do not depend on the file's format or the build. A value changes the digest of its own
// column only, and a further column changes none.
func TestDigestsDependOnTheValuesOfTheirColumn(t *testing.T) {
	rows, meta := randomLabels(newRand(), 3), Meta{Kind: Labels, Game: "oware", Rules: "abapa"}
	want := digestsOf(t, "t.parquet", meta, rows)
	meta.Tool = "build of another day"
	for _, ext := range extensions {
		if got := digestsOf(t, "t"+ext, meta, rows); !maps.Equal(got, want) {
			t.Errorf("%s: digests are %v: expected %v", ext, got, want)
		}
	}
	meta.Weighted = true
	after := digestsOf(t, "t.parquet", meta, rows)
	if _, ok := after["weight"]; !ok || len(after) != len(want)+1 {
		t.Errorf("digests are %v: expected that of weight too", after)
	}
	rows[1].Nodes++
	for name, sum := range digestsOf(t, "t.parquet", meta, rows) {
		if name != "weight" && after[name] != want[name] || (sum != after[name]) != (name == "nodes") {
			t.Errorf("column %s: %s, after a change of nodes %s; without weights %s", name, after[name], sum, want[name])
		}
	}
}

// A manifest with digests of other columns is refused.
func TestDigestsOfOtherColumnsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	testkit.NoError(t, Write(game, path, Meta{Kind: Labels, Game: "oware", Rules: "abapa"}, Rows(randomLabels(newRand(), 3))))
	m, err := ReadManifest(path)
	testkit.NoError(t, err)
	m.Digests["more"] = m.SHA256
	if err := m.checkGame(game.Info); err == nil {
		t.Error("a digest of a column that is not there: no error")
	}
	m.Digests = map[string]string{"key": "0"}
	if err := m.check(); err == nil {
		t.Error("an invalid digest: no error")
	}
}

// Triplets can be read like any other program's table.
func TestTripletsRoundTrip(t *testing.T) {
	var file bytes.Buffer
	const n = chunkRows + 5
	written, err := WriteTriplets(&file, func(yield func(Triplet, error) bool) {
		for i := range int64(n) {
			if !yield(Triplet{Row: i / 3, Column: i % 7, Value: float64(i) - 0.5}, nil) {
				return
			}
		}
	})
	testkit.NoError(t, err)
	testkit.Equal(t, written, n, "entries")
	i := 0
	in := testkit.Must(openParquet(bytes.NewReader(file.Bytes()), memory.NewGoAllocator()))(t)
	for row, err := range cellsOf(in, 1<<20, []string{"row", "column", "value"}) {
		testkit.NoError(t, err)
		want := []string{fmt.Sprint(i / 3), fmt.Sprint(i % 7), fmt.Sprint(float64(i) - 0.5)}
		if !slices.Equal(row.Cells, want) {
			t.Fatalf("entry %d: %q, expected %q", i, row.Cells, want)
		}
		i++
	}
	if i != n {
		t.Errorf("%d entries, expected %d", i, n)
	}
}

// wantOneOf checks that a file has one of these labels.
func wantOneOf(t *testing.T, path string, all ...[]tableRow) {
	t.Helper()
	_, got, err := Read(game, path, Labels)
	if err != nil || !slices.ContainsFunc(all, func(rows []tableRow) bool { return cmp.Equal(got, rows, samePosition) }) {
		t.Errorf("%s: %d rows, others than were written, error %v", path, len(got), err)
	}
}

// Whichever call fails, the dataset reads as the old or the new one, and the next write works.
func TestAfterAFaultTheDatasetIsOldOrNew(t *testing.T) {
	meta := Meta{Game: "oware", Rules: "abapa"}
	older, newer := randomLabels(newRand(), 5), randomLabels(newRand(), 8)
	name := func(dir string) string { return filepath.Join(dir, "labels.parquet") }
	faults.Each(t,
		func(dir string) {
			testkit.NoError(t, writeLabels(name(dir), meta, older))
		},
		func(dir string) error { return writeLabels(name(dir), meta, newer) },
		func(dir, _ string, failed error) {
			one := [][]tableRow{newer, older}
			if failed == nil {
				one = one[:1]
			}
			wantOneOf(t, name(dir), one...)
			testkit.NoError(t, writeLabels(name(dir), meta, newer))
			wantOneOf(t, name(dir), newer)
		})
}

// A write killed after any of its renames leaves the old or the new dataset.
func TestAfterACrashTheDatasetIsOldOrNew(t *testing.T) {
	meta := Meta{Game: "oware", Rules: "abapa"}
	older, newer := randomLabels(newRand(), 5), randomLabels(newRand(), 8)
	killed := errors.New("killed")
	for after := range 4 {
		path := filepath.Join(t.TempDir(), "labels.csv")
		testkit.NoError(t, writeLabels(path, meta, older))
		renames := 0
		vfs.Fail(func(call, _ string) error {
			if call == "rename" {
				renames++
			}
			if renames > after { // from here on nothing is done
				return killed
			}
			return nil
		})
		err := writeLabels(path, meta, newer)
		vfs.Fail(func(string, string) error { return nil })
		if (err == nil) != (after == 3) {
			t.Errorf("%d renames: %v", after, err)
		}
		wantOneOf(t, path, older, newer)
	}
}

// Whichever call fails, a dataset is read completely or not at all.
func TestAFaultNeverGivesPartOfADataset(t *testing.T) {
	rows := randomLabels(newRand(), 50)
	for _, ext := range []string{".parquet", ".arrow", ".csv"} {
		name := func(dir string) string { return filepath.Join(dir, "labels"+ext) }
		faults.Each(t,
			func(dir string) {
				testkit.NoError(t, writeLabels(name(dir), Meta{Game: "oware", Rules: "abapa"}, rows))
			},
			func(dir string) error {
				_, got, err := Read(game, name(dir), Labels)
				if err == nil && !cmp.Equal(got, rows, samePosition) {
					t.Errorf("%s: %d rows", ext, len(got))
				}
				return err
			},
			func(dir, _ string, err error) {
				if err != nil && !strings.Contains(err.Error(), name(dir)) {
					t.Errorf("%s: the error does not name it: %v", ext, err)
				}
			})
	}
}

// A name too long for one of the files to be written is refused before the work.
func TestTooLongNamesAreRefusedBeforeTheWork(t *testing.T) {
	dir := t.TempDir()
	meta := Meta{Game: "oware", Rules: "abapa"}
	refused := 0
	for n := 190; n < 256; n++ {
		path := filepath.Join(dir, strings.Repeat("n", n-len(".csv"))+".csv")
		if err := CheckOutput(path); err != nil {
			refused++
			continue
		}
		if err := writeLabels(path, meta, randomLabels(newRand(), 1)); err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if refused == 0 || refused > 40 {
		t.Errorf("%d names are refused", refused)
	}
}
