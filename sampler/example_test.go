package sampler_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"kroo/datasets"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/sampler"
)

// Three boards, drawn at random and labelled by searches of 200 positions each: label in points, and depth.
func Example() {
	dir, err := os.MkdirTemp("", "sampler")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	positions := filepath.Join(dir, "positions.parquet")
	labels := filepath.Join(dir, "labels.parquet")
	ctx := context.Background()
	searcher := engine.Spec{
		Weights: engine.CapturesName,
		Search:  engine.Config{Nodes: 200, HashMB: 1, Tables: engine.NoTables},
	}
	draws := sampler.Config{Method: sampler.PPS, N: 3, Seed: 1}
	if _, err := sampler.Sample(ctx, engine.Oware(), draws, searcher, positions, nil); err != nil {
		log.Fatal(err)
	}
	if _, err := sampler.Label(ctx, engine.Oware(), positions, labels, sampler.LabelConfig{Spec: searcher}, nil); err != nil {
		log.Fatal(err)
	}
	_, rows, err := datasets.Read(oware.Descriptor(), labels, datasets.Labels)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rows {
		fmt.Println(r.Position, r.Label, r.Depth)
	}
	// Output:
	// 2-0-2-0-3-4-1-2-9-3-5-3-9-5-S 167 5
	// 1-1-4-1-3-1-2-3-6-1-4-1-18-2-S 708 4
	// 0-2-5-0-1-3-5-0-5-8-0-5-3-11-S -417 5
}
