package sampler_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/datasets"
	"kroo/engine"
	"kroo/games/othello"
	"kroo/games/oware"
	"kroo/internal/testkit"
	"kroo/sampler"
)

func Example() {
	cfg := sampler.Config{Method: sampler.PPS, N: 3, Seed: 1, Rules: "abapa"}
	dir, err := os.MkdirTemp("", "sampler")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "positions.parquet")
	if _, err := sampler.Sample(context.Background(), engine.Oware(), cfg, engine.Spec{Weights: engine.CapturesName}, path, "", nil); err != nil {
		log.Fatal(err)
	}
	_, rows, err := datasets.Read(oware.Descriptor(), path, datasets.Positions)
	for _, r := range rows {
		fmt.Println(r.Position, r.Position.SeedsInPlay(), err)
	}
	// Output:
	// 2-0-2-0-3-4-1-2-9-3-5-3-9-5-S 34 <nil>
	// 1-1-4-1-3-1-2-3-6-1-4-1-18-2-S 28 <nil>
	// 0-2-5-0-1-3-5-0-5-8-0-5-3-11-S 34 <nil>
}

func TestSampleWritesTheDrawnPositions(t *testing.T) {
	cfg := sampler.Config{Method: sampler.PPS, N: 500, Seed: 9, Rules: "awari"}
	want := testkit.Must(sampler.Draw(context.Background(), oware.Descriptor(), cfg))(t)
	for _, ending := range []string{".parquet", ".arrow"} {
		path := filepath.Join(t.TempDir(), "positions"+ending)
		if _, err := sampler.Sample(context.Background(), engine.Oware(), cfg, engine.Spec{Weights: engine.CapturesName}, path, "r1", nil); err != nil {
			t.Fatal(err)
		}
		meta, rows, err := datasets.Read(oware.Descriptor(), path, datasets.Positions)
		testkit.NoError(t, err)
		if meta.Kind != datasets.Positions || meta.Rules != "awari" || meta.Seed != 9 || meta.Method != "pps" || meta.Tool != "r1" || !strings.Contains(meta.Note, "500") {
			t.Errorf("meta %+v", meta)
		}
		if len(rows) != len(want) {
			t.Fatalf("%d rows: want %d", len(rows), len(want))
		}
		for i, r := range rows {
			if r.Position != want[i] {
				t.Fatalf("row %d has %v: want %v", i, r.Position, want[i])
			}
		}
	}
}

func TestSampleErrorsNameTheUnwritableFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "p.parquet")
	_, err := sampler.Sample(context.Background(), engine.Oware(), sampler.Config{Method: sampler.Uniform, N: 1}, engine.Spec{Weights: engine.CapturesName}, path, "", nil)
	testkit.Refused(t, err, path)
}

// If boards cannot be drawn uniformly, the dataset describes how they were drawn.
func TestTheNoteDescribesHowAGameDraws(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.parquet")
	if _, err := sampler.Sample(t.Context(), engine.Othello(), sampler.Config{Method: sampler.Uniform, N: 20, Seed: 1}, engine.Spec{Weights: "greedy"}, path, "", nil); err != nil {
		t.Fatal(err)
	}
	meta, _, err := datasets.Read(othello.Descriptor(), path, datasets.Positions)
	if err != nil || !strings.Contains(meta.Note, "not every position equally likely") {
		t.Errorf("note %q, %v", meta.Note, err)
	}
}
