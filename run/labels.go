package run

import (
	"context"
	"slices"

	"kroo/datasets"
	"kroo/engine"
	"kroo/games/oware"
)

// labelFigures are the results of a stage of labels.
type labelFigures struct {
	// Nodes is the median number of nodes per label, without labels that took no search, if the
	// searches are limited by time; otherwise 0.
	Nodes int64 `json:"nodes,omitempty"`
}

// figuresOfLabels returns the labelFigures of the labels in a file, or nil if the searches are
// not limited by time.
func figuresOfLabels(ctx context.Context, c engine.Config, path string) (any, error) {
	if c.MoveTime.Duration == 0 {
		return nil, nil
	}
	game := oware.Descriptor()
	t, err := datasets.Open(ctx, game.Info, path)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	var nodes []int64
	for row, err := range datasets.Scan(ctx, game, t, datasets.Query{Kind: datasets.Labels}) {
		if err != nil {
			return nil, err
		}
		if row.Nodes > 0 {
			nodes = append(nodes, row.Nodes)
		}
	}
	if len(nodes) == 0 {
		return nil, nil
	}
	slices.Sort(nodes)
	return labelFigures{nodes[len(nodes)/2]}, nil
}
