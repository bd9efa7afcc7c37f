package serve

import (
	"context"
	"html"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kroo/book"
	"kroo/datasets"
	"kroo/features"
	othellofeatures "kroo/features/othello"
	owarefeatures "kroo/features/oware"
	"kroo/games/othello"
	"kroo/games/oware"
	_ "kroo/internal/testenv" // temporary folders in memory
	"kroo/internal/testkit"
	"kroo/run/inspect"
)

// ownLabels writes a dataset of random boards.
func ownLabels(t testing.TB, dir string, n int) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	var rows []datasets.Row[oware.Position]
	for i := range n {
		p := testkit.Must(kit.Game.Random(rng, "abapa"))(t)
		rows = append(rows, datasets.Row[oware.Position]{
			Position: p, Game: int32(1 + i/10), Ply: int32(i % 10),
			Label: float64(p.Store()-p.OpponentStore()) * 20, Depth: int32(3 + i%5), Nodes: int64(i), Exact: i%7 == 0,
		})
	}
	testkit.NoError(t, datasets.Write(kit.Game, filepath.Join(dir, "labels.parquet"), datasets.Meta{Kind: datasets.Labels, Game: "oware", Rules: "abapa", Method: "by chance"}, datasets.Rows(rows)))
	return "labels.parquet"
}

// ownOthello writes weights for Othello, and a dataset.
func ownOthello(t *testing.T, dir string) {
	t.Helper()
	g := othello.Descriptor()
	set := testkit.Must(othellofeatures.Sets.ByName("squares6"))(t)
	weights := testkit.Must(features.New(g.Name, othello.Small.String(), set.Info, othellofeatures.ClassNames(othello.Small), []float64{1, 2, 3, 4, 5}))(t)
	start := testkit.Must(g.Start(othello.Small.String()))(t)
	rows := []datasets.Row[othello.Position]{{Position: start, Label: 3}}
	meta := datasets.Meta{Kind: datasets.Labels, Game: g.Name, Rules: othello.Small.String(), Method: "by hand"}
	testkit.NoError(t, weights.Save(filepath.Join(dir, "squares.json")), datasets.Write(g, filepath.Join(dir, "othello.parquet"), meta, datasets.Rows(rows)))
}

// ownMatch writes two games of a match.
func ownMatch(t *testing.T, dir string) string {
	t.Helper()
	const text = `[South "Anna"] [North "Bela"] [Result "0-1"]
F {opening} f {opening} E e {resigns} 0-1

[South "Bela"] [North "Anna"]
A a B b C c D d *
`
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "match.ogn"), []byte(text), 0o666))
	return "match.ogn"
}

// The page of recorded games lists them, and each opens on the board.
func TestGamesOfAFileOpenOnTheBoard(t *testing.T) {
	dir := t.TempDir()
	name := ownMatch(t, dir)
	s := testServer(t, Config{Dir: dir})
	text := answers(t, s, "GET", "/files?name="+name, 200, "Anna", "Bela", "<td>0-1</td>", ">Ff</td>", ">AaBbCc</td>", `href="/?file=match.ogn&amp;number=2"`)
	if strings.Contains(text, "number=3") {
		t.Error("a third game is listed")
	}
	answers(t, s, "GET", "/files?first=2&name="+name, 200, "number=2", "Games 2 to 2 of 2")
	answers(t, s, "GET", "/?file=match.ogn&number=2", 200, `"moves":"AaBbCcDd"`)
	answers(t, s, "GET", "/?file=match.ogn&number=1", 200, `"moves":"FfEe"`, "F{opening}f{opening}Ee{resigns}")
	for _, number := range []string{"0", "3", "x", ""} {
		answers(t, s, "GET", "/?file=match.ogn&number="+number, 200, "expected 1 to 2")
	}
	answers(t, s, "GET", "/?file=missing.ogn&number=1", 200, "no such file")
	answers(t, s, "GET", "/files?first=0&name="+name, 400, "number of a game")
	answers(t, s, "GET", "/files?first=3&name="+name, 400, "number of a game, 1 to 2")
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "othello.ogn"), []byte("[Variant \"othello\"]\n*\n"), 0o666))
	answers(t, s, "GET", "/files?name=othello.ogn", 200, "1 game")
	answers(t, s, "GET", "/?file=othello.ogn&number=1", 200, "games of othello")
}

// A dataset is described by the rows that a filter selects, compared with another dataset, and the page
// names no folder.
// A list of games that does not fit on a page links to the next and the previous page, and each game of
// the file is on one of them.
func TestLongListsOfGamesHavePages(t *testing.T) {
	dir := t.TempDir()
	const games = 2*shownGames + 1
	text := strings.Repeat("[South \"Anna\"]\n\n1. F f *\n\n", games)
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "long.ogn"), []byte(text), 0o666))
	s := testServer(t, Config{Dir: dir})
	seen := map[string]bool{}
	next := regexp.MustCompile(`rel="next" href="([^"]*)"`)
	opens := regexp.MustCompile(`number=([0-9]+)`)
	for path := "/files?name=long.ogn"; path != ""; {
		page := answers(t, s, "GET", path, 200)
		for _, number := range opens.FindAllStringSubmatch(page, -1) {
			seen[number[1]] = true
		}
		links := next.FindAllStringSubmatch(page, -1)
		path = ""
		if links != nil {
			testkit.Equal(t, len(links), 2, "links to the next page, before the list and after it")
			path = html.UnescapeString(links[0][1])
		}
	}
	testkit.Equal(t, len(seen), games, "games on the pages")
	answers(t, s, "GET", "/files?name=long.ogn&first=401", 200, `rel="prev"`, "Previous: games 201 to 400", "Games 401 to 401 of 401")
}

func TestADatasetIsDescribed(t *testing.T) {
	dir := t.TempDir()
	name := ownLabels(t, dir, 200)
	s := testServer(t, Config{Dir: dir})
	code, h, text := get(s, "/files?where=phase%3E5&other="+name+"&name="+name)
	if code != 200 || h.Get("Content-Security-Policy") != policy || strings.Contains(text, dir) || strings.Contains(text, " style=") {
		t.Errorf("code %d, %.300s", code, text)
	}
	testkit.Contains(t, text, "<svg", "compared with "+name, "<option selected>"+name, "200 labels of oware",
		"/files?name=labels.parquet&amp;other=labels.parquet&amp;where=phase%3E5%2C+exact%3Dtrue", "/?analyse=1&amp;from=")
	for query, want := range map[string]string{"other=../x": "", "where=nothing%3D1": "nothing"} {
		if code, _, text := get(s, "/files?name="+name+"&"+query); code < 400 || !strings.Contains(text, want) || strings.Contains(text, dir) || !strings.Contains(text, "<option>"+name) {
			t.Errorf("%s: %d, %.300s: want %q", query, code, text, want)
		}
	}
}

// The pages of datasets, weights, books and games show what these were made from, and the commands that make them
// again, which name no folder of the server.
func TestPagesShowOrigins(t *testing.T) {
	dir := t.TempDir()
	testkit.NoError(t, os.Mkdir(filepath.Join(dir, "in"), 0o777))
	made := func(words ...string) string { return inspect.MadeBy(words, strings.Repeat("0", 64)) }
	row := datasets.Row[oware.Position]{Position: oware.Start(oware.Abapa), Depth: 1}
	labels := func(rows int) {
		meta := datasets.Meta{Kind: datasets.Labels, Game: "oware", Rules: "abapa", Made: made("label", "in.csv")}
		all := slices.Repeat([]datasets.Row[oware.Position]{row}, rows)
		testkit.NoError(t, datasets.Write(kit.Game, filepath.Join(dir, "in", "labels.csv"), meta, datasets.Rows(all)))
	}
	labels(1)
	m, _ := owarefeatures.FindPublished("thesis4")
	m.Named.Provenance = features.Provenance{
		Dataset: testkit.Must(datasets.FileHash(filepath.Join(dir, "in", "labels.csv")))(t),
		Made:    made("fit", "labels.csv", "--set=thesis4"),
	}
	testkit.NoError(t, m.Named.Save(filepath.Join(dir, "in", "w.json")))
	entry := book.Entry{Key: row.Position.BookKey()}
	header := book.Header{Signature: made("book", "expand", "--weights=w.json"), Fields: []book.Field{
		{Name: book.FieldRules, Value: "abapa"}, {Name: book.FieldWeights, Value: "weights " + m.Named.Hash()},
	}}
	testkit.NoError(t, book.Write(filepath.Join(dir, "in", "book.bin"), header, []book.Entry{entry}))
	games := "[Made \"" + made("match", "--a=w.json", "--b=captures") + "\"]\n[Result \"*\"]\n\n1. E f *\n"
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "in", "match.ogn"), []byte(games), 0o666))
	s := testServer(t, Config{Dir: dir})
	answers(t, s, "GET", "/files?name=in/labels.csv", 200, "by: train label in.csv", "in.csv – not in this folder")
	answers(t, s, "GET", "/files?name=in/w.json", 200, "└─ labels.csv, labels, 1 row")

	labels(2)
	for _, address := range []string{"/files?name=in/w.json", "/book?name=in/book.bin", "/files?name=in/match.ogn"} {
		page := answers(t, s, "GET", address, 200, "where it comes from", "by: train fit labels.csv", "labels.csv, labels, 2 rows",
			"changed since", "<code>train fit in/labels.csv --set=thesis4 -o in/w.json --force</code>")
		if strings.Contains(page, dir) {
			t.Errorf("%s names %s", address, dir)
		}
	}
}

// Names that are not files in the folder are refused, with a link to the list.
func TestFilesElsewhereAreRefused(t *testing.T) {
	dir := t.TempDir()
	s := testServer(t, Config{Dir: filepath.Join(dir, "served")})
	testkit.NoError(t, os.Mkdir(filepath.Join(dir, "served"), 0o777), os.WriteFile(filepath.Join(dir, "w.json"), []byte("{}"), 0o666))
	for _, name := range []string{"../w.json", "no.json", "/etc/passwd", "%00", "."} {
		code, _, text := get(s, "/files?name="+name)
		if code != 400 && code != 404 || strings.Contains(text, dir) || !strings.Contains(text, `href="/files">All files`) {
			t.Errorf("%s: %d %s", name, code, text)
		}
	}
	if text := answers(t, s, "GET", "/files", 200, `href="/book?name=default"`, `href="/files?name=captures"`); strings.Contains(text, "Datasets</h2>") {
		t.Errorf("an empty folder: %s", text)
	}
}

// Large files are read by a few requests at a time; one that gives up waiting gets an error.
func TestLargeFilesAreReadInTurn(t *testing.T) {
	s := testServer(t, Config{})
	var last *seat
	for range readersAtATime {
		last = testkit.Must(s.readers.enter(t.Context(), "somebody"))(t)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code, _, text := ask(s, request("GET", "/files?name=captures", nil).WithContext(ctx)); code != 503 {
		t.Errorf("with all seats taken: %d %s", code, text)
	}
	s.readers.leave(last)
	answers(t, s, "GET", "/files?name=captures", 200)
}

// Weights are described, and the value of a position is explained.
func TestWeightsAreExplained(t *testing.T) {
	s := testServer(t, Config{})
	for _, name := range []string{"default", "captures"} {
		answers(t, s, "GET", "/files?board=4-4-4-4-4-0-5-5-5-5-4-4-0-0-N&name="+name, 200, "seeds for the side to move", `class="wood" data-board="4-4-4-4-4-0-5-5-5-5-4-4-0-0-N" data-values="`, "the board")
	}
	for _, query := range []string{"board=1-2", "rules=chess"} {
		answers(t, s, "GET", "/files?name=default&"+query, 400, `id="board"`)
	}
}

// Weights and datasets of another game are described.
func TestFilesOfOtherGames(t *testing.T) {
	dir := t.TempDir()
	ownOthello(t, dir)
	s := testServer(t, Config{Dir: dir})
	if text := answers(t, s, "GET", "/files?name=squares.json", 200, "squares.json: ", "weights ", "for 6x6"); strings.Contains(text, `id="board"`) {
		t.Error("the page asks for a board of oware")
	}
	if text := answers(t, s, "GET", "/files?name=othello.parquet", 200, "of othello"); strings.Contains(text, "/?analyse=1") {
		t.Errorf("a dataset of Othello: %s", text)
	}
}

// ownBook writes a book of the start position, with a changed value of one move.
func ownBook(t testing.TB, dir string) string {
	t.Helper()
	b := testkit.Must(book.Open(book.DefaultName))(t)
	e, found := b.Lookup(oware.Start(oware.Abapa).BookKey())
	if !found {
		t.Fatal("the default book has no start")
	}
	e.Scores[0] = 500
	testkit.NoError(t, book.Write(filepath.Join(dir, "own.bin"), book.Header{}, []book.Entry{e}))
	return "own.bin"
}

// A position lists its moves, which lead to the next ones, and the page describes the book.
func TestABookIsDescribed(t *testing.T) {
	dir := t.TempDir()
	s := testServer(t, Config{Dir: dir})
	text := answers(t, s, "GET", "/book", 200, "South to move. Entries from here on: 20\u00a0975.", " ★", "coverage by ply", "drop-out diagram", "<svg", `class="wood" data-board="4-4-4-4-4-4-4-4-4-4-4-4-0-0-S">`, "Open on the board")
	if sources := regexp.MustCompile(`after \d+ plies, search`).FindAllString(text, -1); len(sources) != 6 {
		t.Errorf("values come from %q: expected six", sources)
	}
	answers(t, s, "GET", "/book?moves=F", 200, "North to move. Entries", "moves=Ff", " %")
	answers(t, s, "GET", "/book?name="+ownBook(t, dir), 200, "own.bin: an opening book of 1 entries", " ★")
}

// A book that changes is read again; other files, and those outside the folder, are refused.
func TestBookFilesAreChecked(t *testing.T) {
	dir := t.TempDir()
	s := testServer(t, Config{Dir: dir})
	name := ownBook(t, dir)
	answers(t, s, "GET", "/book?name="+name, 200)
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("broken"), 0o666))
	for _, query := range []string{"name=own.bin", "name=../own.bin", "name=/etc/passwd", "name=none.bin", "moves=x", "name=%00"} {
		code, _, text := get(s, "/book?"+query)
		if code != 400 && code != 404 || strings.Contains(text, dir) {
			t.Errorf("%s: %d %s", query, code, text)
		}
	}
}
