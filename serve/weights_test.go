package serve

import (
	"encoding/json"
	"fmt"
	"image/png"
	"math"
	"net/url"
	"path/filepath"
	"regexp"
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
	for name, slice := range map[string]bool{"default": true, "captures": false} {
		code, _, text := get(s, "/weights?board=4-4-4-4-4-0-5-5-5-5-4-4-0-0-N&g=A&h=D&name="+name)
		testkit.Equal(t, code, 200, "%s", name)
		testkit.Contains(t, text, "seeds for the side to move", "The values as a table", "Houses of the other side", "the board")
		testkit.Equal(t, strings.Contains(text, "two houses together"), slice, "%s: slice", name)
	}
	r := request("GET", "/weights?name=default&other=captures", nil)
	r.Header.Set("Accept", "application/json")
	_, _, text := ask(s, r)
	var v struct {
		Explanation *features.Explanation
		Comparison  struct{ Boards struct{ R float64 } }
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil || v.Comparison.Boards.R < 0.5 {
		t.Fatalf("%.300s, %v", text, err)
	}
	sum := v.Explanation.Board
	for _, h := range v.Explanation.Houses {
		sum += h.Points
	}
	if math.Abs(sum-v.Explanation.Points) > 1e-6 {
		t.Errorf("the houses and the board are worth %g, all %g", sum, v.Explanation.Points)
	}
	for _, query := range []string{"name=../x", "name=no.json", "board=1-2", "rules=chess", "g=x", "g=A&h=A"} {
		if code, _, text := get(s, "/weights?"+query); code != 400 && code != 404 || !strings.Contains(text, "<option>captures") {
			t.Errorf("%s: %d %s", query, code, text)
		}
	}
}

// Every table of the default weights is a picture; weights without patterns have none.
func TestTablesAreDrawn(t *testing.T) {
	s := testServer(t, Config{})
	_, _, page := get(s, "/weights?name=default")
	tables := regexp.MustCompile(`src="([^"]*table=\d+)" loading`).FindAllStringSubmatch(page, -1)
	stages := strings.Count(page, "stage=")
	if len(tables) != 6 || stages < 2 || !strings.Contains(page, "ABC across, abc down") {
		t.Fatalf("%d tables, %d stages", len(tables), stages)
	}
	all := len(tables) * stages
	code, h, text := get(s, fmt.Sprintf("/weights/table?name=default&table=%d", all-1))
	m, err := png.Decode(strings.NewReader(text))
	if code != 200 || h.Get("Content-Type") != "image/png" || err != nil || m.Bounds().Dx() != 512 || m.Bounds().Dy() != 512 {
		t.Errorf("the last table: %d %v", code, err)
	}
	if _, _, text := get(s, "/weights?name=captures"); strings.Contains(text, "<img") {
		t.Error("weights without patterns have maps")
	}
	for _, query := range []string{"name=default&table=" + fmt.Sprint(all), "name=default&table=-1", "name=default", "name=captures&table=0", "name=../x&table=0"} {
		if code, _, text := get(s, "/weights/table?"+query); code != 400 && code != 404 {
			t.Errorf("%s: %d %.80s", query, code, text)
		}
	}
}

func TestWeightsAreCompared(t *testing.T) {
	s := testServer(t, Config{})
	code, _, text := get(s, "/weights?name=default&other=captures")
	testkit.Equal(t, code, 200, "code")
	testkit.Contains(t, text, "Comparison", "random boards: correlation 0.", "fitted by")
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
	for _, name := range []string{"corners.model", "squares.json"} {
		code, _, text := get(s, "/weights?name="+name)
		testkit.Equal(t, code, 400, "%s", name) // its boards are not oware's
		testkit.Contains(t, text, "squares.json", "for 6x6, set")
		for _, path := range []string{"/weights?name=", "/weights?name=default&other=", "/weights?other=captures&name=", "/datasets?name=" + labels + "&weights="} {
			code, _, text := get(s, path+url.QueryEscape(name))
			if code != 400 || !strings.Contains(text, "othello") || !strings.Contains(text, "oware") {
				t.Errorf("%s%s: %d %s", path, name, code, text)
			}
		}
	}
	if code, _, text := get(s, "/datasets?name=othello.parquet"); code != 400 || !strings.Contains(text, "othello") || !strings.Contains(text, "oware") {
		t.Errorf("dataset: %d %s", code, text)
	}
}
