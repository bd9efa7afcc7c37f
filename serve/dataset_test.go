package serve

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"kroo/datasets"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// ownLabels writes labels of random boards into a folder.
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

// The page of a dataset describes the rows that a filter wants, compared with weights and with
// another dataset, and names no folder.
func TestADatasetIsDescribed(t *testing.T) {
	dir := t.TempDir()
	name := ownLabels(t, dir, 200)
	s := testServer(t, Config{Dir: dir})
	code, h, text := get(s, "/datasets?weights=captures&where=phase%3E5&other="+name+"&name="+name)
	if code != 200 || h.Get("Content-Security-Policy") != policy || strings.Contains(text, dir) || strings.Contains(text, " style=") {
		t.Errorf("code %d, %.300s", code, text)
	}
	testkit.Contains(t, text, "<svg", "compared with "+name, "worst positions", "<option selected>"+name, "<option>default", "200 labels of oware",
		"/datasets?name=labels.parquet&amp;other=labels.parquet&amp;weights=captures&amp;where=phase%3E5%2C+exact%3Dtrue", "/?analyse=1&amp;from=")
	for query, want := range map[string]string{"name=no.parquet": "no.parquet", "name=../x": "", "other=../x&name=" + name: "", "where=nothing%3D1&name=" + name: "nothing", "weights=no&name=" + name: "no", "weights=../x&name=" + name: ""} {
		if code, _, text := get(s, "/datasets?"+query); code < 400 || !strings.Contains(text, want) || strings.Contains(text, dir) || !strings.Contains(text, "<option>default") {
			t.Errorf("%s: %d, %.300s: want %q", query, code, text, want)
		}
	}
	if _, _, text := get(testServer(t, Config{Dir: t.TempDir()}), "/datasets"); !strings.Contains(text, "no datasets") {
		t.Errorf("an empty folder: %s", text)
	}
}

// Only a few have large files read at a time; who gives up waiting is told so.
func TestLargeFilesAreReadInTurn(t *testing.T) {
	s := testServer(t, Config{})
	for range readersAtATime {
		testkit.NoError(t, s.readers.enter(t.Context(), "somebody"))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code, _, text := ask(s, request("GET", "/weights", nil).WithContext(ctx)); code != 503 {
		t.Errorf("with all seats taken: %d %s", code, text)
	}
	s.readers.leave()
	if code, _, text := get(s, "/weights"); code != 200 {
		t.Errorf("with a seat free: %d %s", code, text)
	}
}
