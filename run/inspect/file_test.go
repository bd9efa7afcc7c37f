package inspect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/book"
	"kroo/datasets"
	"kroo/endgame"
	"kroo/features"
	chessfeatures "kroo/features/chess"
	othellofeatures "kroo/features/othello"
	owarefeatures "kroo/features/oware"
	tictactoefeatures "kroo/features/tictactoe"
	"kroo/games/oware"
	"kroo/internal/journal"
	"kroo/internal/outline"
	_ "kroo/internal/testenv" // temporary folders in memory
	"kroo/internal/testkit"
	"kroo/run"
)

// allGames are the games whose files the tests inspect; the first is the default.
var allGames = Games{
	GameOf(owarefeatures.Sets), GameOf(othellofeatures.Sets),
	GameOf(tictactoefeatures.Sets), GameOf(chessfeatures.Sets),
}

func file(t *testing.T, path string) *outline.Doc {
	t.Helper()
	s, err := File(t.Context(), path, allGames, Options{})
	testkit.NoError(t, err)
	return s
}

// contains checks that the text has these lines, ignoring blanks.
func contains(t *testing.T, text string, want ...string) {
	t.Helper()
	squeezed := strings.Join(strings.Fields(text), " ")
	for _, w := range want {
		testkit.Contains(t, squeezed, w)
	}
}

func TestGamesAreCounted(t *testing.T) {
	path := testkit.File(t, "two.ogn", `[South "kroo"]
[North "other"]
[Result "0-1"]

1. E b 2. D f+2 3. B e+3 4. F f+2 5. C d+5 6. A+3 c+13 0-1

[South "other"]
[North "kroo"]
[Result "*"]

1. F f 2. E *
`)
	s := file(t, path)
	got, err := json.Marshal(s.Value)
	const want = `{"games":2,"results":{"*":1,"0-1":1},"plies":15,"players":["kroo","other"],"no_result":0}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v: want %s", got, err, want)
	}
	contains(t, s.Text(path), "2 games, 7.5 plies each", "kroo: 2 games")
}

func TestDescribeBook(t *testing.T) {
	start := book.Entry{Key: oware.Start(oware.Abapa).BookKey(), Scores: [oware.Houses]int16{-72, -34, -20, -37, -35, 5}} // Sala Soler 2014
	header := book.Header{Signature: "a book", Fields: []book.Field{{Name: "Rules", Value: "abapa"}}}
	path := filepath.Join(t.TempDir(), "book.bin")
	testkit.NoError(t, book.Write(path, header, []book.Entry{start}))
	s := file(t, path)
	v := s.Value.(book.Description)
	if v.Entries != 1 || v.Start == nil || *v.Start != start || v.Header[0].Value != "abapa" {
		t.Errorf("%+v", v)
	}
	contains(t, s.Text(path), "1 entries", "Rules: abapa", "A -1.73 B -0.82 C -0.48 D -0.89 E -0.84 F +0.12* (seeds)")
}

// A crash can truncate a log in its first bytes.
func TestTruncatedLogIsALog(t *testing.T) {
	for text, want := range map[string]Kind{"k": KindJournal, journal.Magic: KindJournal, journal.Magic + "rest": KindJournal, "krook": KindUnknown, "": KindEmpty} {
		if got := kinds[content{path: "out.log", head: []byte(text), text: text}.kind()].kind; got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestForeignFilesAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty.json":  {"", "the file is empty"},
		"text.txt":    {"hello", "not a Kroo file"},
		"l.parquet":   {"PAR1", "manifest"},
		"w.json":      {`{"format": "kroo-weights"}`, "version"},
		"config.toml": {"[training]\nmethod = \"uniform\"\nwrong = 1\n", "part of a run"},
		"other.csv":   {"a,b\n1,2\n", "not a Kroo file: `train adopt"},
		"marked.csv":  {"\xff\xfea\x00,\x00\n\x00", "is UTF-16 text: expected UTF-8, as `iconv -f UTF-16 -t UTF-8"},
		"wide.csv":    {"a\x00,\x00\n\x00", "is UTF-16 text"},
	} {
		path := testkit.File(t, name, c.text)
		_, err := File(t.Context(), path, allGames, Options{})
		testkit.ErrorContains(t, err, c.want, path)
	}
	if _, err := File(t.Context(), "none.json", allGames, Options{}); err == nil {
		t.Error("reads a missing file")
	}
}

func TestFilesOfARunAreAccepted(t *testing.T) {
	for _, c := range []struct{ name, content, says string }{
		{"depths.png", "\x89PNG\r\n\x1a\n…", "open it in a browser"},
		{"depths.svg", "<?xml version=\"1.0\"?>\n<svg></svg>", "open it in a browser"},
		{"report.html", "<!DOCTYPE html><html><title>A run</title>", "open it in a browser"},
	} {
		path := testkit.File(t, c.name, c.content)
		s, err := File(t.Context(), path, allGames, Options{})
		if err != nil || !strings.Contains(s.Text(path), c.says) || s.Value == nil {
			t.Errorf("%s: %v, %+v, want %s", c.name, err, s, c.says)
		}
	}
}

func TestDatasetManifestIsAccepted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.csv")
	start := oware.Start(oware.Abapa)
	testkit.NoError(t, datasets.Write(oware.Descriptor(), path, datasets.Meta{Kind: datasets.Positions, Game: "oware", Rules: "abapa"}, datasets.Rows([]datasets.Row[oware.Position]{{Position: start}})))
	s, err := File(t.Context(), datasets.ManifestPath(path), allGames, Options{})
	if err != nil || !strings.Contains(s.Text(path), "inspect the dataset next to it") {
		t.Errorf("%v, %+v", err, s)
	}
	if kind, err := KindOf(path); kind != KindDataset || err != nil {
		t.Errorf("the CSV itself is %s, %v", kind, err)
	}
}

// Any file with any name is described, or refused with a one-line error.
func FuzzFile(f *testing.F) {
	dir := f.TempDir()
	table, err := endgame.Build(f.Context(), endgame.Config{Rules: oware.Awari, Bounds: endgame.Exact, Seeds: 2}, nil)
	testkit.NoError(f, err)
	bookPath, tablePath := filepath.Join(dir, "book.bin"), filepath.Join(dir, "table")
	testkit.NoError(f, book.Write(bookPath, book.Header{}, []book.Entry{{Key: oware.Start(oware.Abapa).BookKey()}}))
	testkit.NoError(f, table.Write(tablePath))
	for _, path := range []string{bookPath, tablePath} {
		data, err := os.ReadFile(path)
		testkit.NoError(f, err)
		f.Add(data, "file.bin")
	}
	f.Add([]byte("[South \"a\"]\n\n1. E b 2. D f+2 *\n"), "games.ogn")
	f.Add([]byte(`{"format": "`+run.ManifestFormat+`", "version": 1}`), "manifest.json")
	f.Add([]byte(features.PackedMagic+" 1\n"), "weights")
	f.Add([]byte(journal.Magic+" 1\n"), "out.journal")
	f.Add([]byte("PAR1"), "rows.parquet")
	f.Add([]byte(features.PackedMagic+" 1\n"), `"`)
	f.Add([]byte(`{"format": "kroo-weights"}`), `a\b`)
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		if name = filepath.Base(name); strings.ContainsAny(name, "\x00/\n") || len(name) > 100 || name == "." || name == ".." {
			name = "file"
		}
		path := filepath.Join(t.TempDir(), name)
		testkit.NoError(t, os.WriteFile(path, data, 0o644))
		s, err := File(t.Context(), path, allGames, Options{})
		if err != nil {
			if text := err.Error(); strings.Contains(text, "\n") || !strings.Contains(text, path) {
				t.Errorf("%q: error %q: want one line that names the file", data, text)
			}
			return
		}
		if _, err := json.Marshal(s.Value); err != nil || s.Text(path) == "" {
			t.Errorf("%q: %v, text %q", data, err, s.Text(path))
		}
	})
}
