package regress

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/datasets"
	"kroo/features"
)

// The keys of the start and of its mirror image, the same board with North to
// move.
const (
	startKey  = int64(15187160556680) // 4-4-…-4-0-0-S (Sala Soler 2014)
	mirrorKey = startKey - southKey
)

func keyed(keys ...int64) (rows []datasets.FeatureRow) {
	for _, k := range keys {
		rows = append(rows, datasets.FeatureRow{PositionRow: datasets.PositionRow{Key: k}})
	}
	return rows
}

func TestSplitIsByPosition(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 1))
	var keys []int64
	for range 5000 {
		k := rng.Int64N(1 << 42)
		keys = append(keys, k, southKey+k, k)
	}
	rows := keyed(append(keys, startKey, mirrorKey)...)
	first, second, err := Split(rows, 0.8, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(first)+len(second) != len(rows) {
		t.Fatalf("%d and %d rows of %d", len(first), len(second), len(rows))
	}
	part := map[int64]int{}
	for i, rows := range [][]datasets.FeatureRow{first, second} {
		for _, r := range rows {
			o, err := features.Orbit(r.Key)
			if err != nil {
				t.Fatal(err)
			}
			if p, ok := part[o]; ok && p != i {
				t.Fatalf("key %d is in both parts", r.Key)
			}
			part[o] = i
		}
	}
	share := float64(len(first)) / float64(len(rows))
	if !near(share, 0.8, 0.02) { // 10 001 positions: standard deviation 0.004
		t.Errorf("%.3f in the first part: want 0.8", share)
	}
	if _, removed, err := Disjoint(first, second); err != nil || removed != 0 {
		t.Errorf("the parts share %d positions, error %v", removed, err)
	}
}

func TestSplitDependsOnPositionAndSeedAlone(t *testing.T) {
	var keys []int64
	for i := range int64(1000) {
		keys = append(keys, southKey+i)
	}
	first, _, err := Split(keyed(keys...), 0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	part, _, err := Split(keyed(keys[500:]...), 0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	var late []int64
	for _, r := range first {
		if r.Key >= southKey+500 {
			late = append(late, r.Key)
		}
	}
	if !slices.EqualFunc(part, late, func(r datasets.FeatureRow, k int64) bool { return r.Key == k }) {
		t.Error("a position's part depends on the other rows")
	}
	other, _, err := Split(keyed(keys...), 0.5, 2)
	if err != nil {
		t.Fatal(err)
	}
	if slices.EqualFunc(first, other, func(a, b datasets.FeatureRow) bool { return a.Key == b.Key }) {
		t.Error("another seed gives the same parts")
	}
	all, none, err := Split(keyed(keys...), 1, 1)
	if err != nil || len(all) != 1000 || len(none) != 0 {
		t.Errorf("fraction 1: %d and %d rows, error %v", len(all), len(none), err)
	}
}

func TestDisjointKnowsMirrorImages(t *testing.T) {
	kept, removed, err := Disjoint(keyed(startKey), keyed(mirrorKey, startKey, startKey+1))
	if err != nil || removed != 2 || len(kept) != 1 || kept[0].Key != startKey+1 {
		t.Errorf("kept %v, removed %d, error %v", kept, removed, err)
	}
}

func TestSplitRefuses(t *testing.T) {
	if _, _, err := Split(keyed(startKey), 1.5, 1); err == nil {
		t.Error("accepts the fraction 1.5")
	}
	if _, _, err := Split(keyed(-1), 0.5, 1); err == nil {
		t.Error("accepts a key that is none")
	}
}
