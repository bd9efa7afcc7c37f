package serve

import (
	"encoding/json"
	"fmt"
	"image/png"
	"math"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"kroo/datasets"
	"kroo/features"
	squares "kroo/features/othello"
	"kroo/games/othello"
	"kroo/internal/testkit"
)

func TestWeightsAreTakenApart(t *testing.T) {
	s := testServer(t, Config{})
	for _, name := range []string{"default", "captures"} {
		code, _, text := get(s, "/api/weights/explain?board=4-4-4-4-4-0-5-5-5-5-4-4-0-0-N&g=0&h=3&name="+name)
		var v weightsView
		if err := json.Unmarshal([]byte(text), &v); err != nil || code != 200 || len(v.Houses) != houses || len(v.Curves) != houses || len(v.Curves[0]) != curveSeeds+1 || v.Turn != 1 {
			t.Fatalf("%s: %d %s, %v", name, code, text, err)
		}
		sum := v.Board
		for _, h := range v.Houses {
			sum += h.Points
		}
		if math.Abs(sum-v.Points) > 1e-6 {
			t.Errorf("%s: the houses and the board are worth %g, all %g", name, sum, v.Points)
		}
		testkit.Equal(t, (v.Slice != nil), (name == "default"), "%s: slice %v", name, v.Slice)
	}
	for _, query := range []string{"name=../x", "name=no.json", "board=1-2", "rules=chess", "g=12", "g=x", "g=1&h=1"} {
		if code, _, text := get(s, "/api/weights/explain?"+query); code != 400 && code != 404 {
			t.Errorf("%s: %d %s", query, code, text)
		}
	}
}

// Every table of the default weights is a picture; weights without patterns have none.
func TestTablesAreDrawn(t *testing.T) {
	s := testServer(t, Config{})
	var all []struct{ Houses string }
	if code, _, text := get(s, "/api/weights/tables?name=default"); code != 200 || json.Unmarshal([]byte(text), &all) != nil || len(all)%6 != 0 || len(all) == 0 || all[1].Houses != "ABCabc" {
		t.Fatalf("%d %s", code, text)
	}
	code, h, text := get(s, "/api/weights/table?name=default&table="+fmt.Sprint(len(all)-1))
	m, err := png.Decode(strings.NewReader(text))
	if code != 200 || h.Get("Content-Type") != "image/png" || err != nil || m.Bounds().Dx() != 512 || m.Bounds().Dy() != 512 {
		t.Errorf("the last table: %d %v", code, err)
	}
	if code, _, text := get(s, "/api/weights/tables?name=captures"); code != 200 || strings.TrimSpace(text) != "[]" {
		t.Errorf("weights without patterns: %d %s", code, text)
	}
	for _, query := range []string{"name=default&table=" + fmt.Sprint(len(all)), "name=default&table=-1", "name=default", "name=captures&table=0", "name=../x&table=0"} {
		if code, _, text := get(s, "/api/weights/table?"+query); code != 400 && code != 404 {
			t.Errorf("%s: %d %.80s", query, code, text)
		}
	}
}

func TestWeightsInfoAndComparison(t *testing.T) {
	s := testServer(t, Config{})
	if code, _, text := get(s, "/api/weights/info?name=default"); code != 200 {
		t.Errorf("info: %d %s", code, text)
	}
	code, _, text := get(s, "/api/weights/compare?name=default&other=captures")
	var c struct{ Boards struct{ R float64 } }
	if err := json.Unmarshal([]byte(text), &c); err != nil || code != 200 || c.Boards.R < 0.5 {
		t.Errorf("comparison: %d %s, %v", code, text, err)
	}
}

// ownOthello writes weights of Othello of both kinds, and a dataset, into a folder.
func ownOthello(t *testing.T, dir string) {
	t.Helper()
	g := othello.Descriptor()
	patterns := testkit.Must(squares.PatternSets.Parse(othello.Small.String(), "corners/2"))(t)
	model := testkit.Must(squares.PatternSets.NewModel(othello.Small.String(), patterns, make([]float64, patterns.Len()), features.Provenance{}))(t)
	set := testkit.Must(squares.Sets.ByName("squares6"))(t)
	weights := testkit.Must(features.New(g.Name, othello.Small.String(), set.Info, squares.ClassNames(othello.Small), []float64{1, 2, 3, 4, 5}))(t)
	start := testkit.Must(g.Start(othello.Small.String()))(t)
	rows := []datasets.Row[othello.Position]{{Position: start, Label: 3}}
	meta := datasets.Meta{Kind: datasets.Labels, Game: g.Name, Rules: othello.Small.String(), Method: "by hand"}
	testkit.NoError(t, model.Save(filepath.Join(dir, "corners.model")), weights.Save(filepath.Join(dir, "squares.json")), datasets.Write(g, filepath.Join(dir, "othello.parquet"), meta, datasets.Rows(rows)))
}

// What is of another game is listed, its weights are described, and where a board of
// oware is needed a refusal says so.
func TestOtherGamesAreRefusedClearly(t *testing.T) {
	dir := t.TempDir()
	ownOthello(t, dir)
	labels := ownLabels(t, dir, 20)
	s := testServer(t, Config{Dir: dir})
	if _, _, text := get(s, "/api/weights"); !strings.Contains(text, "corners.model") || !strings.Contains(text, "squares.json") {
		t.Errorf("list: %s", text)
	}
	for _, name := range []string{"corners.model", "squares.json"} {
		if code, _, text := get(s, "/api/weights/info?name="+name); code != 200 || !strings.Contains(text, `"columns":`) {
			t.Errorf("info of %s: %d %s", name, code, text)
		}
		for _, path := range []string{"/api/weights/explain?name=", "/api/weights/compare?name=default&other=", "/api/weights/compare?other=captures&name=", "/api/dataset/rows?sort=residual&name=" + labels + "&weights=", "/api/dataset?name=" + labels + "&weights="} {
			_, _, text := get(s, path+url.QueryEscape(name))
			if !strings.Contains(text, `"error":`) || !strings.Contains(text, "othello") || !strings.Contains(text, "oware") {
				t.Errorf("%s%s: %s", path, name, text)
			}
		}
	}
	for _, path := range []string{"/api/dataset?name=othello.parquet", "/api/dataset/rows?name=othello.parquet"} {
		if _, _, text := get(s, path); !strings.Contains(text, `"error":`) || !strings.Contains(text, "othello") || !strings.Contains(text, "oware") {
			t.Errorf("%s: %s", path, text)
		}
	}
}
