package datasets

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// oneOfEach writes a Parquet table of every kind into a folder and returns the paths.
func oneOfEach(t testing.TB, dir string) []string {
	t.Helper()
	rng := newRand()
	labels := randomLabels(rng, 12)
	for i := range labels {
		labels[i].Scores = []MoveScore{{Move: 5, Score: -12}, {Move: 0, Score: -30}}
	}
	p, l, f := filepath.Join(dir, "p.parquet"), filepath.Join(dir, "l.parquet"), filepath.Join(dir, "f.parquet")
	meta := Meta{Game: "oware", Rules: "abapa", Seed: 1 << 63, Method: `by "hand", 100 %`, Note: "two\nlines", Tool: "x = y"}
	all := meta
	all.AllMoves, all.Grouped, all.Limits = true, true, "nodes 9"
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
			m, err := Convert(t.Context(), game.Info, from, to, "", nil)
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
	_, err := Convert(t.Context(), game.Info, path, path+".txt", "", nil)
	wantError(t, err, ".txt", "expected .parquet, .arrow or .csv")
	_, err = Convert(t.Context(), game.Info, path+"x.csv", path, "", nil)
	wantError(t, err, "no such file")
	testkit.Write(t, path, testkit.Read(t, path)[1:])
	to := filepath.Join(t.TempDir(), "to.csv")
	_, err = Convert(t.Context(), game.Info, path, to, "", nil)
	wantError(t, err, path, "bytes long")
	if _, err := os.Stat(to); err == nil {
		t.Error("a damaged table leaves an output")
	}
}

func TestCSVHasOnlyNamesAndRows(t *testing.T) {
	dir := t.TempDir()
	path := oneOfEach(t, dir)[1]
	m, err := Convert(t.Context(), game.Info, path, filepath.Join(dir, "l.csv"), "", nil)
	testkit.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(testkit.Read(t, filepath.Join(dir, "l.csv")))), "\n")
	if len(lines) != 13 || lines[0] != "key,board,phase,game,ply,group,score,label,depth,exact,nodes,bound,best,scores" {
		t.Errorf("%d lines, the first %s", len(lines), lines[0])
	}
	if strings.Count(lines[1], ",") != 13 {
		t.Errorf("a row is %s", lines[1])
	}
	if c := m.Columns[7]; c != (Column{"label", "float64", "points for the side to move, -1000 to 1000"}) || m.Meta.Limits != "nodes 9" {
		t.Errorf("the manifest tells of %+v and limits %q", c, m.Meta.Limits)
	}
}

// Variants of CSV written by spreadsheets and other tools are read.
func TestCSVIsReadLiberally(t *testing.T) {
	dir := t.TempDir()
	if _, err := Convert(t.Context(), game.Info, oneOfEach(t, dir)[0], filepath.Join(dir, "p.csv"), "", nil); err != nil {
		t.Fatal(err)
	}
	text := string(testkit.Read(t, filepath.Join(dir, "p.csv")))
	meta, want, err := Read(game, filepath.Join(dir, "p.csv"), Positions)
	testkit.NoError(t, err)
	quoted := strings.ReplaceAll(strings.ReplaceAll(`"`+strings.TrimSpace(text)+`"`, ",", `","`), "\n", "\"\n\"")
	for name, text := range map[string]string{
		"line ends of Windows": strings.ReplaceAll(text, "\n", "\r\n"),
		"a byte order mark":    "\ufeff" + text,
		"quotes everywhere":    quoted,
		"no last line end":     strings.TrimSpace(text),
	} {
		path := filepath.Join(dir, "other.csv")
		forge(t, path, []byte(text), meta, int64(len(want)))
		if _, rows, err := Read(game, path, Positions); err != nil || len(rows) != len(want) || rows[3].Position != want[3].Position {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
}
