package inspect

import (
	"bytes"
	"image"
	"image/png"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"kroo/datasets"
	"kroo/dropout"
	"kroo/games/oware"
	"kroo/internal/sheet"
)

func TestFilesOfARunAreAccepted(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4, 3))); err != nil {
		t.Fatal(err)
	}
	const seen = "[training]\nmethod = \"uniform\"\n"
	for _, c := range []struct{ name, content, says string }{
		{"dropout.csv", dropout.LeavesHead + "\nS,120,3,true\nS,-40,5,false\nN,0,1,false\n", "South: 2 leaves, 1 decided; value -40 to 120"},
		{"old.csv", "side,value,depth,decided\nN,7,1,false\n", "North: 1 leaf,"},
		{"depths.png", picture.String(), "4 by 3 pixels"},
		{"depths.svg", "<?xml version=\"1.0\"?>\n<svg></svg>", "a drawing (SVG)"},
		{"report.html", "<!DOCTYPE html><html><title>A run</title>", `"A run"`},
	} {
		s, err := File(t.Context(), write(t, c.name, c.content), allGames)
		if err != nil || !strings.Contains(s.Text, c.says) || s.Value == nil {
			t.Errorf("%s: %v, %q, want %s", c.name, err, s.Text, c.says)
		}
	}
	for name, content := range map[string]string{
		"cut.png": picture.String()[:20], "bad.csv": dropout.LeavesHead + "\nS,x\n", "config.toml": seen + "wrong = 1\n", "other.csv": "a,b\n1,2\n",
	} {
		path := write(t, name, content)
		if _, err := File(t.Context(), path, allGames); err == nil || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "panic") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheManifestOfADatasetIsAccepted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.csv")
	start := oware.Start(oware.Abapa)
	if err := datasets.Write(oware.Descriptor(), path, datasets.Meta{Game: "oware", Rules: "abapa"}, datasets.Rows([]positionRow{{Position: start}})); err != nil {
		t.Fatal(err)
	}
	s, err := File(t.Context(), datasets.ManifestPath(path), allGames)
	if err != nil || !strings.Contains(s.Text, "1 row of positions") || !strings.Contains(s.Text, "seeds in play") {
		t.Errorf("%v, %q", err, s.Text)
	}
	if kind, err := KindOf(path); kind != KindDataset || err != nil {
		t.Errorf("the CSV itself is %s, %v", kind, err)
	}
}

// What a terminal of 80 columns shows of a dataset is not broken.
func TestADatasetFitsATerminal(t *testing.T) {
	s := DatasetSheet{
		File: "f.parquet", Rows: 40, PhaseName: "seeds in play", Meta: datasets.Meta{Kind: datasets.Features, Game: "oware", Rules: "abapa"},
		Histogram: sheet.NewBins(1000), ExactShare: new(float64),
	}
	for i := range s.Histogram {
		s.Histogram[i].Rows = i * 1000
	}
	for i := range 40 {
		s.Phases = append(s.Phases, PhaseStats{Phase: i + 8, Rows: 1000 + i, Labels: &sheet.Spread{Mean: -123.45, SD: 543.21}, Exact: 1, Depth: 12})
		s.Columns = append(s.Columns, ColumnStats{Name: "own_gt_13", Missing: 10_000, Distinct: 20_000, Spread: &sheet.Spread{Min: -19_998, Mean: 0.00012345, SD: 123.456}})
	}
	var fields []string
	for range 30 {
		fields = append(fields, "own_gt_13")
	}
	s.rowTable, s.boards = [][]string{append([]string{"row"}, fields...), append([]string{"1"}, fields...)}, []string{"a board\n"}
	for _, line := range strings.Split(s.Text(), "\n") {
		if n := utf8.RuneCountInString(line); n > screen {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
