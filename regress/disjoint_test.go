package regress

import (
	"testing"

	"kroo/datasets"
)

// The keys of the start and of its mirror image, the same board with North to
// move.
const (
	startKey  = int64(15187160556680) // 4-4-…-4-0-0-S (Sala Soler 2014)
	mirrorKey = startKey - southKey
)

var owareMeta = datasets.Meta{Game: "oware", Rules: "abapa"}

func keyed(keys ...int64) (rows []datasets.FeatureRow) {
	for _, k := range keys {
		rows = append(rows, datasets.FeatureRow{PositionRow: datasets.PositionRow{Key: k}})
	}
	return rows
}

func TestDisjointKnowsMirrorImages(t *testing.T) {
	kept, removed, err := Disjoint(owareMeta, keyed(startKey), keyed(mirrorKey, startKey, startKey+1))
	if err != nil || removed != 2 || len(kept) != 1 || kept[0].Key != startKey+1 {
		t.Errorf("kept %v, removed %d, error %v", kept, removed, err)
	}
}

func TestDisjointRefuses(t *testing.T) {
	if _, _, err := Disjoint(owareMeta, keyed(startKey), keyed(-1)); err == nil {
		t.Error("accepts a key that is none")
	}
	if _, _, err := Disjoint(datasets.Meta{Game: "go"}, nil, nil); err == nil {
		t.Error("accepts a game without features")
	}
}
