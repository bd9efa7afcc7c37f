package regress

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/revision"
)

// predictions collects what an evaluation says of the rows it is measured on.
type predictions[P games.Position[P]] struct {
	game *games.Game[P]
	meta datasets.Meta // of the first dataset
}

// row is a row of labels or features with the prediction behind it.
func (p *predictions[P]) row(file int, r datasets.Row[P], prediction, weight float64) datasets.Row[P] {
	r.Weight = 0
	if p.meta.Weighted {
		r.Weight = weight
	}
	if r.Group == 0 {
		r.Group = datasets.GroupOf(p.game, uint32(file), r.Position, r.Game)
	}
	prediction = clamped(prediction)
	r.Values = append(slices.Clone(r.Values), prediction, r.Label-prediction)
	return r
}

// check refuses datasets that are no continuation of the first.
func (p *predictions[P]) check(m datasets.Meta) error {
	if m.Kind != p.meta.Kind || !slices.Equal(m.Features, p.meta.Features) || !slices.Equal(m.Columns, p.meta.Columns) {
		return errors.New("its columns are not those of the first dataset: expected predictions of one kind of rows, or of one file at a time")
	}
	return nil
}

// Predict is Measure, and writes a dataset of features with the rows that it measures on: to
// those that they have come the columns [datasets.PredictionColumns]. weights names the
// evaluation in the note.
func Predict[P games.Position[P]](ctx context.Context, g *games.Game[P], o MeasureOptions, predictor Predictor[P], weights, out string) (Measurement, error) {
	if len(o.Paths) == 0 {
		return Measurement{}, errNoDatasets
	}
	if err := datasets.CheckOutput(out); err != nil {
		return Measurement{}, err
	}
	first, err := datasets.ReadManifest(o.Paths[0])
	if err != nil {
		return Measurement{}, err
	}
	p := &predictions[P]{game: g, meta: first.Meta}
	p.meta.Weighted = first.Meta.Weighted || o.Weight != ""
	meta := p.meta
	meta.Kind, meta.Grouped, meta.Made, meta.Tool = datasets.Features, true, "", revision.Get()
	meta.Columns = append(slices.Clone(meta.Columns), datasets.PredictionColumns...)
	if meta.FeatureSet == "" {
		meta.FeatureSet = "predictions"
	}
	meta.Parent = first.SHA256
	note := fmt.Sprintf("predictions of %s for %s", weights, strings.Join(o.Paths, ", "))
	meta.Note = strings.TrimPrefix(datasets.Noted(meta.Note, o.Where)+"; "+note, "; ")
	m := meter[P]{game: g}
	err = datasets.Write(g, out, meta, func(yield func(datasets.Row[P], error) bool) {
		err := m.measure(ctx, o, predictor, p.check, func(file int, r datasets.Row[P], prediction, weight float64) error {
			if !yield(p.row(file, r, prediction, weight), nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(datasets.Row[P]{}, err)
		}
	})
	return m.result(o.Antisymmetric), err
}

// errStopped ends a scan whose rows nobody takes any more.
var errStopped = errors.New("no further rows are wanted")
