package sampler

import (
	"context"
	"errors"
	"iter"

	"kroo/datasets"
	"kroo/engine"
)

// mixed are the rows of a table of labels, those that were to be labelled again with the
// labels of the journal.
func (l *labeller[P]) mixed(ctx context.Context) iter.Seq2[datasets.LabelRow[P], error] {
	return func(yield func(datasets.LabelRow[P], error) bool) {
		var none datasets.LabelRow[P]
		wants, err := datasets.Where[datasets.LabelRow[P]](l.kit.Game, l.meta, l.cfg.Where)
		if err != nil {
			yield(none, err)
			return
		}
		labels, err := l.journalled()
		if err != nil {
			yield(none, err)
			return
		}
		for r, err := range datasets.Scan[datasets.LabelRow[P]](ctx, l.kit.Game, l.in) {
			if err == nil && wants(r) {
				if len(labels) == 0 {
					yield(none, errors.New("fewer labels than positions"))
					return
				}
				x := labels[0]
				labels = labels[1:]
				x.PositionRow, x.Weight, x.Label = r.PositionRow, r.Weight, float64(engine.Points(l.kit.Game.Info, int(x.Score)))
				r = x
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// journalled are the labels of the journal.
func (l *labeller[P]) journalled() (labels []datasets.LabelRow[P], err error) {
	row := int64(-1)
	j, err := l.openJournal(func(x entry[P]) error {
		if x.late {
			return nil
		}
		row++
		label, there := l.known.label(row, x)
		if !there {
			return errors.New("a row without a label: expected every one")
		}
		labels = append(labels, label)
		return nil
	})
	if err == nil {
		err = j.Close()
	}
	return labels, err
}
