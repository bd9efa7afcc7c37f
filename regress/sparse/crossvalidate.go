package sparse

import "context"

// CrossValidate measures a fit with the ridges of the options on rows held out:
// as many fits as there are folds.
func (m *Matrix) CrossValidate(ctx context.Context, o Options, f Folds) (Trial, error) {
	o.Resume, o.Checkpoint = nil, nil
	o, err := o.withDefaults(len(m.counts))
	if err != nil {
		return Trial{}, err
	}
	v, err := newValidator(m, o, f)
	if err != nil {
		return Trial{}, err
	}
	r := ridges{o.Ridge}
	for _, g := range o.Groups {
		r = append(r, g.Ridge)
	}
	if _, err := v.try(ctx, r); err != nil {
		return Trial{}, err
	}
	return v.choice.Trials[0], nil
}
