package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kroo/games"
	"kroo/games/oware"
	_ "kroo/internal/testenv" // temporary folders in memory
	"kroo/internal/testkit"
)

func readLabels(path string) error {
	_, _, err := Read(game, path, Labels)
	return err
}

func TestDamagedFilesAreRefused(t *testing.T) {
	for _, ext := range extensions {
		path, content := labelsFile(t, ext)
		for cut := 0; cut < len(content); cut += 101 {
			testkit.Write(t, path, content[:cut])
			wantError(t, readLabels(path), path, "length in bytes")
		}
		for at := 0; at < len(content); at += 31 {
			bad := bytes.Clone(content)
			bad[at] ^= 1 << (at % 8)
			testkit.Write(t, path, bad)
			wantError(t, readLabels(path), path, "SHA-256")
		}
	}
}

// If the manifest matches the damaged bytes, only the decoders' own checks remain: they may accept
// a changed value within its range, but must not panic or hang.
func TestFlippedByteWithAMatchingManifest(t *testing.T) {
	for _, ext := range extensions {
		path, content := labelsFile(t, ext)
		const step = 7 // all offsets would take a minute
		refused := 0
		for at := 0; at < len(content); at += step {
			bad := bytes.Clone(content)
			bad[at] ^= 0xff
			forge(t, path, bad, Meta{Kind: Labels, Game: "oware", Rules: "abapa"}, 30)
			m, rows, err := Read(game, path, Labels)
			if err != nil {
				wantError(t, err, path)
				if strings.Contains(err.Error(), "runtime error") {
					t.Errorf("%s, byte %d: %v: it does not say what to do", ext, at, err)
				}
				refused++
				continue
			}
			for i, r := range rows {
				if err := checkedRow(m, r); err != nil {
					t.Fatalf("%s, byte %d, row %d: %v", ext, at, i, err)
				}
			}
		}
		t.Logf("%s: %d of %d flips refused", ext, refused, len(content)/step)
		if refused < len(content)/step/4 {
			t.Errorf("%s: only %d of %d flips refused", ext, refused, len(content)/step)
		}
	}
}

func TestMissingFileAndManifest(t *testing.T) {
	path, _ := labelsFile(t, ".parquet")
	testkit.NoError(t, os.Remove(ManifestPath(path)))
	err := readLabels(path)
	wantError(t, err, path, "labels.parquet.manifest.json is missing", "make the file again")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v: want not exist", err)
	}
	_, err = readAny(path)
	wantError(t, err, "is missing")
	wantError(t, readLabels(path+"x.arrow"), path+"x.arrow", "no such file")
	wantError(t, readLabels(filepath.Join(path, "a.arrow")), path)
	wantError(t, readLabels("labels.txt"), "labels.txt", ".parquet, .arrow or .csv")
	dir := filepath.Join(t.TempDir(), "folder.parquet")
	testkit.NoError(t, os.Mkdir(dir, 0o755))
	wantError(t, readLabels(dir), dir)
}

func TestManifestOfAnotherFile(t *testing.T) {
	path, _ := labelsFile(t, ".parquet")
	other := filepath.Join(filepath.Dir(path), "other.parquet")
	testkit.NoError(t, writeLabels(other, Meta{Game: "oware", Rules: "abapa"}, randomLabels(newRand(), 31)))
	testkit.NoError(t, os.Rename(ManifestPath(other), ManifestPath(path)))
	wantError(t, readLabels(path), path, "of other.parquet", "another one")
}

// A table can be renamed together with its manifest.
func TestRenamedTable(t *testing.T) {
	path, _ := labelsFile(t, ".arrow")
	to := filepath.Join(filepath.Dir(path), "moved.arrow")
	testkit.NoError(t, os.Rename(path, to), os.Rename(ManifestPath(path), ManifestPath(to)))
	if err := readLabels(to); err != nil {
		t.Error(err)
	}
}

func TestGarbageManifests(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.parquet")
	testkit.NoError(t, writeLabels(path, Meta{Game: "oware", Rules: "abapa", Tool: "build 12ab"}, randomLabels(newRand(), 30)))
	good := testkit.Read(t, ManifestPath(path))
	edit := func(old, new string) string {
		if !strings.Contains(string(good), old) {
			t.Fatalf("the manifest does not hold %q", old)
		}
		return strings.Replace(string(good), old, new, 1)
	}
	for name, c := range map[string]struct{ text, says string }{
		"empty":          {"", "not a manifest"},
		"half":           {string(good[:len(good)/2]), "not a manifest"},
		"unknown field":  {edit(`"rows"`, `"rose"`), "rose"},
		"of a newer one": {edit(`"rows"`, `"mood": 5, "rows"`), `manifest.json: near byte`},
		"its program":    {edit(`"rows"`, `"mood": 5, "rows"`), `unknown field "mood"; the file was written by "build 12ab"`},
		"newer version":  {edit(`"version": 2`, `"version": 3`), `this program reads 2; the file was written by "build 12ab"; make the file again`},
		"format":         {edit("kroo-dataset", "kroo-weights"), "kroo-weights"},
		"old version":    {edit(`"version": 2`, `"version": 1`), "version is 1: this program reads 2"},
		"negative rows":  {edit(`"rows": 30`, `"rows": -1`), "negative"},
		"too many rows":  {edit(`"rows": 30`, `"rows": 9000000000000000000`), "a row takes more"},
		"huge number":    {edit(`"rows": 30`, `"rows": 1e400`), "not a manifest"},
		"other rows":     {edit(`"rows": 30`, `"rows": 29`), "29 rows"},
		"more rows":      {edit(`"rows": 30`, `"rows": 31`), "31 in its manifest"},
		"hash":           {edit(`"sha256": "`, `"sha256": "zz`), "64 hex digits"},
		"kind":           {edit(`"kind": "labels"`, `"kind": "beans"`), "beans"},
		"kind, another":  {edit(`"kind": "labels"`, `"kind": "positions"`), "its digests are not those of the columns"},
		"rules":          {edit(`"abapa"`, `"kalah"`), "kalah"},
		"rules, another": {edit(`"abapa"`, `"awari"`), "meta in the file"},
	} {
		testkit.Write(t, ManifestPath(path), []byte(c.text))
		err := readLabels(path)
		wantError(t, err, path, c.says)
		if t.Failed() {
			t.Fatalf("in case %q", name)
		}
	}
}

func TestWrongKind(t *testing.T) {
	path, _ := labelsFile(t, ".parquet")
	_, _, err := Read(game, path, Positions)
	wantError(t, err, path, "contains labels, expected positions")
	_, _, err = Read(game, path, Features)
	wantError(t, err, path, "contains labels, expected features")
	wantError(t, Write(game, path, Meta{Kind: "values", Game: "oware", Rules: "abapa"}, Rows([]tableRow{})), path, "values", "positions")
	if err := readLabels(path); err != nil {
		t.Errorf("a refused write changed the table: %v", err)
	}
}

func TestWrongRules(t *testing.T) {
	path, _ := labelsFile(t, ".parquet")
	m, _, err := Read(game, path, Labels)
	testkit.NoError(t, err)
	if err := m.CheckRules("oware", "abapa"); err != nil {
		t.Error(err)
	}
	wantError(t, m.CheckRules("oware", "awari"), "abapa", "awari")
	wantError(t, writeLabels(path, Meta{Game: "oware", Rules: "kalah"}, nil), path, "kalah")
}

func TestMetaIsChecked(t *testing.T) {
	long := make([]string, maxFeatures+1)
	for i := range long {
		long[i] = fmt.Sprint("x", i)
	}
	for name, c := range map[string]struct {
		m    Meta
		says string
	}{
		"no features":       {featureMeta(), "0 features"},
		"too many features": {featureMeta(long...), "1001 features"},
		"nameless feature":  {featureMeta("a", ""), "feature 2"},
		"same name twice":   {featureMeta("a", "b", "a"), "feature 3"},
		"parent":            {Meta{Kind: Positions, Game: "oware", Rules: "abapa", Parent: "me"}, "parent"},
		"not UTF-8":         {Meta{Kind: Positions, Game: "oware", Rules: "abapa", Note: "\xff"}, "UTF-8"},
		"long":              {Meta{Kind: Positions, Game: "oware", Rules: "abapa", Note: strings.Repeat("x", maxMetaBytes)}, "at most"},
		"features":          {Meta{Kind: Positions, Game: "oware", Rules: "abapa", Features: []string{"a"}}, "has no features"},
		"no rules":          {Meta{Kind: Positions, Game: "oware"}, "rules"},
		"no game":           {Meta{Kind: Positions, Rules: "abapa"}, "game"},
		"another game":      {Meta{Kind: Positions, Game: "go", Rules: "abapa"}, "expected oware"},
		"alike in SQL":      {featureMeta("a b", "a_b"), "feature 2"},
		"comma":             {featureMeta("a,b"), "feature 1"},
		"two margins":       {Meta{Kind: Features, Game: "oware", Rules: "abapa", Columns: []string{"margin"}, OptionalColumns: OptionalColumns{Results: true}}, "Kroo's own columns"},
	} {
		path := filepath.Join(t.TempDir(), "t.parquet")
		var err error
		if c.m.Kind == Features {
			err = writeFeatures(path, c.m, nil)
		} else {
			err = writePositions(path, c.m, nil)
		}
		wantError(t, err, path, c.says)
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: a file was written", name)
		}
	}
}

// Fields without a column in a kind of table are left out.
func TestEachKindHasItsOwnColumns(t *testing.T) {
	meta := Meta{Kind: Positions, Game: "oware", Rules: "abapa", OptionalColumns: OptionalColumns{Weighted: true, Grouped: true}}
	path := filepath.Join(t.TempDir(), "p.csv")
	row := randomLabels(newRand(), 1)[0]
	testkit.NoError(t, Write(game, path, meta, Rows([]tableRow{row})))
	m, rows, err := Read(game, path, Positions)
	want := tableRow{Position: row.Position, Game: row.Game, Ply: row.Ply}
	if diff := cmp.Diff([]tableRow{want}, rows, samePosition); diff != "" || err != nil || m.Kind != Positions {
		t.Errorf("%+v, error %v%s", m, err, diff)
	}
}

// Another program's column with the name of one of ours is refused, or keeps its values if the
// table does not have ours.
func TestOtherProgramsColumnsKeepTheirValues(t *testing.T) {
	refused := 0
	for _, has := range []bool{false, true} {
		names := Meta{Kind: Features, OptionalColumns: OptionalColumns{Weighted: has, Results: has, Grouped: has}}
		for _, d := range allDefinitions(games.Info{}, &names) {
			meta, path := names, filepath.Join(t.TempDir(), "f.csv")
			meta.Game = "oware"
			meta.Rules = "abapa"
			meta.Columns = []string{d.name}
			row := tableRow{Position: oware.Start(oware.Abapa), Label: 5, Depth: 7, Weight: 0, Values: []float64{-2.5}}
			if err := Write(game, path, meta, Rows([]tableRow{row})); err != nil {
				wantError(t, err, path, d.name, "Kroo's own columns")
				refused++
				continue
			}
			_, rows, err := Read(game, path, Features)
			if diff := cmp.Diff([]tableRow{row}, rows, samePosition); diff != "" || err != nil {
				t.Errorf("%s, with ours %v: error %v%s", d.name, has, err, diff)
			}
		}
	}
	if refused < 16 {
		t.Errorf("%d names refused: expected those of all columns that any table has", refused)
	}
}

func TestWrongRowsAreNotWritten(t *testing.T) {
	there := onBoard("abapa", 5)
	good := tableRow{Position: there}
	for says, bad := range map[string]tableRow{
		"rules awari":           {Position: onBoard("awari", 5)},
		"label is NaN":          {Position: there, Label: math.NaN()},
		"label is +Inf":         {Position: there, Label: math.Inf(1)},
		"label is -1000.5":      {Position: there, Label: -1000.5},
		"score is 20001":        {Position: there, Score: 20001},
		"score is -2147483648":  {Position: there, Score: math.MinInt32},
		"depth is -1":           {Position: there, Depth: -1},
		"nodes is -1: expected": {Position: there, Nodes: -1},
	} {
		path, _ := labelsFile(t, ".parquet")
		err := writeLabels(path, Meta{Game: "oware", Rules: "abapa"}, []tableRow{good, good, bad})
		wantError(t, err, path, "row 3")
		wantError(t, err, says)
		if err := readLabels(path); err != nil {
			t.Errorf("the old table is gone: %v", err)
		}
	}
	path := filepath.Join(t.TempDir(), "f.arrow")
	row := tableRow{Own: []uint8{1, 2}, Opp: []uint8{1}}
	wantError(t, writeFeatures(path, featureMeta("a", "b"), []tableRow{row}), path, "row 1", "2 own and 1 opp")
}

// Files with a matching manifest but impossible values: each column is broken in turn, in both
// formats.
func TestImpossibleValuesAreRefused(t *testing.T) {
	start := oware.Start(oware.Abapa)
	for says, breakIt := range map[string]func(c map[string]*column){
		"rank":                  func(c map[string]*column) { c["key"].ints[1] = oware.Ranks },
		"key":                   func(c map[string]*column) { c["key"].ints[1] = -5 },
		"board is":              func(c map[string]*column) { c["board"].texts[1] = "4-4" },
		"the key's is":          func(c map[string]*column) { c["board"].texts[1] += "S" },
		"phase is 47":           func(c map[string]*column) { c["phase"].ints[1] = 47 },
		"score is 20001":        func(c map[string]*column) { c["score"].ints[1] = 20001 },
		"label is NaN":          func(c map[string]*column) { c["label"].floats[1] = math.NaN() },
		"label is -Inf":         func(c map[string]*column) { c["label"].floats[1] = math.Inf(-1) },
		"label is 1001":         func(c map[string]*column) { c["label"].floats[1] = 1001 },
		"depth is -1":           func(c map[string]*column) { c["depth"].ints[1] = -1 },
		"nodes is -1: expected": func(c map[string]*column) { c["nodes"].ints[1] = -1 },
		"bound is":              func(c map[string]*column) { c["bound"].texts[1] = "about" },
		"best: 'G'":             func(c map[string]*column) { c["best"].texts[1] = "G" },
		"move a, but":           func(c map[string]*column) { c["best"].texts[1] = "a" },
		"game is -1":            func(c map[string]*column) { c["game"].ints[1] = -1 },
		"result is":             func(c map[string]*column) { c["result"].texts[1] = "won" },
		"margin is 3":           func(c map[string]*column) { c["margin"].ints[1] = 3 },
		"margin is -1001":       func(c map[string]*column) { c["result"].texts[1], c["margin"].ints[1] = "loss", -1001 },
	} {
		for _, ext := range extensions {
			m := Meta{Kind: Labels, Game: "oware", Rules: "abapa", OptionalColumns: OptionalColumns{Results: true}}
			cols := columnsFor(m, game.Info)
			for range 2 {
				testkit.NoError(t, newRowCodec(game, &m).put(cols, tableRow{Position: start}))
			}
			named := map[string]*column{}
			for i := range cols {
				named[cols[i].name] = &cols[i]
			}
			breakIt(named)
			path := filepath.Join(t.TempDir(), "bad"+ext)
			forge(t, path, encoded(t, ext, m, cols), m, 2)
			wantError(t, readLabels(path), path, "row 2", says)
		}
	}
}

// Parquet stores counts in 32 bits, of which this package uses 8.
func TestCountsBeyondAByteAreRefused(t *testing.T) {
	m := featureMeta("a")
	cols := columnsFor(m, game.Info)
	for _, r := range randomFeatures(newRand(), 3, 1) {
		testkit.NoError(t, newRowCodec(game, &m).put(cols, r))
	}
	for _, v := range []int64{-1, 256, 1 << 30} {
		cols[len(cols)-1].ints[2] = v
		path := filepath.Join(t.TempDir(), "bad.parquet")
		forge(t, path, encoded(t, ".parquet", m, cols), m, 3)
		_, _, err := Read(game, path, Features)
		wantError(t, err, path, "opp_a", "expected 0 to 255")
	}
}

func TestOtherColumnsAreRefused(t *testing.T) {
	m := featureMeta("a", "b")
	for name, change := range map[string]func([]column) []column{
		"missing":   func(c []column) []column { return c[:len(c)-2] },
		"more":      func(c []column) []column { return append(c, column{name: "own_c", typ: typeUint8}) },
		"renamed":   func(c []column) []column { c[5].name = "own_z"; return c },
		"reordered": func(c []column) []column { c[5], c[6] = c[6], c[5]; return c },
		"retyped":   func(c []column) []column { c[5].typ = typeInt32; return c },
		"text":      func(c []column) []column { c[5].typ = typeText; return c },
	} {
		for _, ext := range extensions {
			typed := ext == ".parquet" || ext == ".arrow" // CSV has no types
			if !typed && (name == "retyped" || name == "text") {
				continue
			}
			path := filepath.Join(t.TempDir(), "bad"+ext)
			forge(t, path, encoded(t, ext, m, change(columnsFor(m, game.Info))), m, 0)
			_, _, err := Read(game, path, Features)
			wantError(t, err, path, "columns")
			if t.Failed() {
				t.Fatalf("%s, %s", name, ext)
			}
		}
	}
}

func TestAWrongExtensionIsRefused(t *testing.T) {
	m := Meta{Kind: Labels, Game: "oware", Rules: "abapa"}
	path, content := labelsFile(t, ".arrow")
	path = strings.TrimSuffix(path, ".arrow") + ".parquet"
	forge(t, path, content, m, 30)
	wantError(t, readLabels(path), path, "parquet")
	path, content = labelsFile(t, ".parquet")
	path = strings.TrimSuffix(path, ".parquet") + ".arrow"
	forge(t, path, content, m, 30)
	wantError(t, readLabels(path), path)
}

// Any file with a matching manifest gives valid rows or an error of one line.
func FuzzDecode(f *testing.F) {
	for i, ext := range extensions {
		_, content := labelsFile(f, ext)
		f.Add(uint8(i), content)
		f.Add(uint8(i), content[:len(content)/2])
	}
	m := Meta{Kind: Labels, Game: "oware", Rules: "abapa"}
	f.Fuzz(func(t *testing.T, kind uint8, content []byte) {
		path := filepath.Join(t.TempDir(), "f"+extensions[int(kind)%len(extensions)])
		forge(t, path, content, m, 30)
		_, rows, err := Read(game, path, Labels)
		if err != nil {
			wantError(t, err, path)
			return
		}
		for i, r := range rows {
			if err := checkedRow(m, r); err != nil || len(rows) != 30 {
				t.Fatalf("row %d of %d: %v", i, len(rows), err)
			}
		}
	})
}

func FuzzManifest(f *testing.F) {
	path, _ := labelsFile(f, ".parquet")
	good, err := os.ReadFile(ManifestPath(path))
	testkit.NoError(f, err)
	f.Add(good)
	f.Add([]byte("{}"))
	f.Add([]byte(`{"meta":{"features":["a","a"]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "f.parquet")
		testkit.Write(t, ManifestPath(path), text)
		m, err := ReadManifest(path)
		if err != nil {
			wantError(t, err, path)
		} else if err := m.check(); err != nil {
			t.Fatal(err)
		}
	})
}

// A library may panic at a damaged file or at an unsupported one: the error mentions both, and the
// panic.
func TestALibraryPanicIsNotReportedAsDamageAlone(t *testing.T) {
	for says, stop := range map[string]func(){
		"index out of range [3] with length 0": func() { none := []int{}; none[len(none)+3]++ },
		"invalid logical type":                 func() { panic("invalid logical type") },
	} {
		err := guard(t.Context(), formats[".arrow"], func() error { stop(); return nil })
		wantError(t, err, "arrow file", "read", says)
		for _, wrong := range []string{"checksum", "runtime error", "beyond its end"} {
			if strings.Contains(err.Error(), wrong) {
				t.Errorf("%v: it says %q", err, wrong)
			}
		}
	}
}
