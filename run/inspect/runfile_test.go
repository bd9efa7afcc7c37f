package inspect

import (
	"bytes"
	"image"
	"image/png"
	"path/filepath"
	"strings"
	"testing"

	"kroo/datasets"
	"kroo/games/oware"
	"kroo/internal/testkit"
	"kroo/regress/profile"
)

func TestFilesOfARunAreAccepted(t *testing.T) {
	var picture bytes.Buffer
	testkit.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4, 3))))
	const seen = "[training]\nmethod = \"uniform\"\n"
	for _, c := range []struct{ name, content, says string }{
		{"depths.png", picture.String(), "open it in a browser"},
		{"depths.svg", "<?xml version=\"1.0\"?>\n<svg></svg>", "open it in a browser"},
		{"report.html", "<!DOCTYPE html><html><title>A run</title>", "open it in a browser"},
	} {
		path := testkit.File(t, c.name, c.content)
		s, err := File(t.Context(), path, allGames, profile.Options{})
		if err != nil || !strings.Contains(s.Text(path), c.says) || s.Value == nil {
			t.Errorf("%s: %v, %+v, want %s", c.name, err, s, c.says)
		}
	}
	for name, content := range map[string]string{
		"config.toml": seen + "wrong = 1\n", "other.csv": "a,b\n1,2\n",
	} {
		path := testkit.File(t, name, content)
		if _, err := File(t.Context(), path, allGames, profile.Options{}); err == nil || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "panic") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDatasetManifestIsAccepted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.csv")
	start := oware.Start(oware.Abapa)
	testkit.NoError(t, datasets.Write(oware.Descriptor(), path, datasets.Meta{Kind: datasets.Positions, Game: "oware", Rules: "abapa"}, datasets.Rows([]datasets.Row[oware.Position]{{Position: start}})))
	s, err := File(t.Context(), datasets.ManifestPath(path), allGames, profile.Options{})
	if err != nil || !strings.Contains(s.Text(path), "inspect the dataset next to it") {
		t.Errorf("%v, %+v", err, s)
	}
	if kind, err := KindOf(path); kind != KindDataset || err != nil {
		t.Errorf("the CSV itself is %s, %v", kind, err)
	}
}
