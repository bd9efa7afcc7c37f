package serve

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"kroo/datasets"
	"kroo/datasets/profile"
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

func TestDatasetIsDescribedAsFiltered(t *testing.T) {
	dir := t.TempDir()
	name := ownLabels(t, dir, 200)
	s := testServer(t, Config{Dir: dir})
	if _, _, text := get(s, "/api/datasets"); !strings.Contains(text, `"datasets":["labels.parquet"]`) || !strings.Contains(text, `"weights":["`+strings.Join(kit.Names, `","`)+`"]`) {
		t.Errorf("list: %s", text)
	}
	_, _, text := get(s, "/api/dataset?weights=captures&where=exact%3Dtrue&name="+name)
	all := eventsOf(t, strings.NewReader(text))
	last := all[len(all)-1]
	var sheet datasetSheet
	if err := json.Unmarshal([]byte(last.data), &sheet); err != nil || last.name != "done" || sheet.Total != 200 || sheet.Rows != 29 || len(sheet.Columns) != sheet.Schema || sheet.Against == nil || sheet.Against.R < 0.9 {
		t.Errorf("%s: %+v, %v", last.data, sheet, err)
	}
	for _, query := range []string{"where=nothing%3D1&name=" + name, "name=../x", "name=no.parquet", "weights=no&name=" + name, "weights=../x&name=" + name} {
		_, _, text := get(s, "/api/dataset?"+query)
		if all := eventsOf(t, strings.NewReader(text)); len(all) == 0 || all[len(all)-1].name != "failed" || strings.Contains(text, dir) {
			t.Errorf("%s: %s", query, text)
		}
	}
}

// The description is the page of train inspect --html, and names no folder.
func TestADatasetHasItsDescription(t *testing.T) {
	dir := t.TempDir()
	name := ownLabels(t, dir, 200)
	s := testServer(t, Config{Dir: dir})
	code, h, text := get(s, "/datasets/description?weights=captures&where=phase%3E5&other="+name+"&name="+name)
	if code != 200 || h.Get("Content-Security-Policy") != reportPolicy || strings.Contains(text, dir) {
		t.Errorf("code %d, %.300s", code, text)
	}
	for _, want := range []string{"<svg", "compared with " + name, "worst positions"} {
		testkit.Contains(t, text, want)
	}
	for query, want := range map[string]string{"name=no.parquet": "no.parquet", "name=../x": "", "other=../x&name=" + name: "", "where=nothing%3D1&name=" + name: "nothing", "weights=no&name=" + name: "no"} {
		if code, _, text := get(s, "/datasets/description?"+query); code < 400 || !strings.Contains(text, want) || strings.Contains(text, dir) {
			t.Errorf("%s: %d, %.300s: want %q", query, code, text, want)
		}
	}
}

func TestWorstPredictedRowsComeFirst(t *testing.T) {
	dir := t.TempDir()
	name := ownLabels(t, dir, 100)
	s := testServer(t, Config{Dir: dir})
	_, _, text := get(s, "/api/dataset/rows?sort=residual&weights=captures&n=5&name="+name)
	var page struct {
		Rows int
		List []profile.ViewRow
	}
	if err := json.Unmarshal([]byte(text), &page); err != nil || page.Rows != 100 || len(page.List) != 5 {
		t.Fatalf("%s, %v", text, err)
	}
	off := func(r profile.ViewRow) float64 { return max(*r.Label-*r.Prediction, *r.Prediction-*r.Label) }
	for i, r := range page.List[1:] {
		if off(r) > off(page.List[i]) {
			t.Errorf("row %d is off by %g, after one by %g", r.Row, off(r), off(page.List[i]))
		}
	}
	for _, query := range []string{"offset=-1", "offset=x", "offset=99999999999"} {
		if code, _, _ := get(s, "/api/dataset/rows?name="+name+"&"+query); code != 400 {
			t.Errorf("%s: %d", query, code)
		}
	}
	if _, _, text := get(s, "/api/dataset/rows?n=1000000&name="+name); strings.Count(text, `"row":`) != maxRows {
		t.Error("a list is longer than the limit")
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
	if code, _, text := ask(s, request("GET", "/api/weights/explain", nil).WithContext(ctx)); code != 503 {
		t.Errorf("with all seats taken: %d %s", code, text)
	}
	s.readers.leave()
	if code, _, text := get(s, "/api/weights/explain"); code != 200 {
		t.Errorf("with a seat free: %d %s", code, text)
	}
}
