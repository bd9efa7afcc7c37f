package regress

import (
	"testing"

	"kroo/datasets"
	"kroo/games/oware"
)

// The keys of the start and of its mirror image, the same board with North to
// move.
const (
	startKey  = int64(15187160556680) // 4-4-…-4-0-0-S (Sala Soler 2014)
	mirrorKey = startKey - southKey
)

// Rows of oware's tables.
type (
	positionRow = datasets.Row[oware.Position]
	labelRow    = datasets.Row[oware.Position]
	featureRow  = datasets.Row[oware.Position]
)

// onBoard is the position of a key, which there must be.
func onBoard(key int64) positionRow {
	p, err := oware.FromBookKey(oware.Abapa, key)
	if err != nil {
		panic(err)
	}
	return positionRow{Position: p}
}

func keyed(keys ...int64) (rows []featureRow) {
	for _, k := range keys {
		rows = append(rows, onBoard(k))
	}
	return rows
}

func TestDisjointKnowsMirrorImages(t *testing.T) {
	kept, removed := disjoint(oware.Descriptor(), keyed(startKey), keyed(mirrorKey, startKey, startKey+1))
	if removed != 2 || len(kept) != 1 || kept[0].Position != onBoard(startKey+1).Position {
		t.Errorf("kept %v, removed %d", kept, removed)
	}
}
