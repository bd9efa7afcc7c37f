package regress

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"strings"
	"time"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/internal/vfs"
	"kroo/regress/sparse"
)

// fitLabels fits pattern weights to labelled positions and writes the model and the compiled
// weights. Rows are for the side to move, not doubled. It saves its state in Out.state (every half
// minute, and when the context ends) and the trials of a choice of ridges in Out.trials; the same
// call resumes from there.
func fitLabels[P games.Position[P]](ctx context.Context, of features.Patterns[P], req Request, progress parallel.Progress) (PatternSummary, error) {
	m, err := datasets.ReadManifest(req.Rows[0])
	if err != nil {
		return PatternSummary{}, err
	}
	if err := m.Meta.CheckRules(of.Game.Name, m.Meta.Rules); err != nil {
		return PatternSummary{}, fmt.Errorf("%s: %w", req.Rows[0], err)
	}
	f, err := newPatternFit(ctx, of, m.Meta.Rules, req)
	if err != nil {
		return PatternSummary{}, err
	}
	if f.matrix, err = sparse.Prepare(ctx, f.rows, req.layout(req.Workers)); err != nil {
		return PatternSummary{}, err
	}
	before := int64(0) // steps of the cross-validation
	progress = fromFirstStep(progress)
	f.options.Progress = func(done, total int64, note string) { before = done; progress.Note(done, total, note) }
	if f.Choose {
		if err := f.chooseRidge(ctx); err != nil {
			return PatternSummary{}, err
		}
	}
	f.options.Progress = func(done, total int64, note string) { progress.Note(before+done, before+total, note) }
	result, err := f.solve(ctx)
	if err != nil {
		return PatternSummary{}, err
	}
	if err := f.measure(ctx, result); err != nil {
		return PatternSummary{}, err
	}
	if f.summary.Calibrated, err = calibrateFiles(ctx, of.Game.Info, req.Rows, req.Where); err != nil {
		return PatternSummary{}, err
	}
	if err := f.save(result); err != nil {
		return PatternSummary{}, err
	}
	return f.summary, f.removeState()
}

// fromFirstStep also reports what was done before the first step.
func fromFirstStep(progress parallel.Progress) parallel.Progress {
	begun := false
	return func(done, total int64, note string) {
		if !begun {
			begun = true
			progress.At(done-1, total)
		}
		progress.Note(done, total, note)
	}
}

// patternFit is a fit in progress.
type patternFit[P games.Position[P]] struct {
	Request
	of         features.Patterns[P]
	set        features.Columns[P]
	rows       *columnRows[P]
	validation *columnRows[P] // nil without validation rows
	matrix     *sparse.Matrix
	options    sparse.Options
	prior      string // hash of the prior
	summary    PatternSummary
}

func newPatternFit[P games.Position[P]](ctx context.Context, of features.Patterns[P], rules string, req Request) (*patternFit[P], error) {
	f := &patternFit[P]{Request: req, of: of}
	var err error
	if f.set, err = of.Parse(rules, req.Set); err != nil {
		return nil, err
	}
	if f.options, err = req.options(of.Game.Info, f.set); err != nil {
		return nil, err
	}
	if !strings.HasSuffix(req.Out, features.CompiledSuffix) {
		return nil, fmt.Errorf("output %q: expected a name that ends in %s", req.Out, features.CompiledSuffix)
	}
	for _, out := range []string{req.Out, features.ModelPath(req.Out)} {
		if err := atomicfile.Check(out); err != nil {
			return nil, err
		}
	}
	l, err := readLabelled(ctx, of.Game, req.Rows, req.Where, req.Weight, req.Reading)
	if err != nil {
		return nil, err
	}
	if n := counting(l.weights, len(l.positions)); n < 2 {
		return nil, fmt.Errorf("%s: %d row counts: expected more to fit weights to", strings.Join(req.Rows, ", "), n)
	}
	f.rows = newColumnRows(l, f.set)
	if err := f.addPrior(); err != nil {
		return nil, err
	}
	if len(req.Validation) > 0 {
		v, err := readLabelled(ctx, of.Game, req.Validation, req.Where, req.Weight, nil)
		if err != nil {
			return nil, err
		}
		if v.rules != l.rules {
			return nil, fmt.Errorf("%s: rules %s: expected %s, as in the training rows", req.Validation[0], v.rules, l.rules)
		}
		f.summary.Overlap = v.without(l)
		f.validation = newColumnRows(v, f.set)
	}
	return f, nil
}

// weightsOf reads weights of the set, and their hash.
func (f *patternFit[P]) weightsOf(path string) ([]float64, string, error) {
	k, err := f.of.Load(path, f.rows.rules, f.set)
	if err != nil {
		return nil, "", err
	}
	if k.Rules != f.rows.rules {
		return nil, "", fmt.Errorf("%s: weights for %s: expected %s, as in the training rows", path, k.Rules, f.rows.rules)
	}
	if k.Set.Hash() != f.set.Hash() {
		return nil, "", fmt.Errorf("%s: weights of set %s: expected %s, or no such weights", path, k.Set, f.set)
	}
	return k.Weights, k.Hash(), nil
}

// addPrior reads the prior, if any.
func (f *patternFit[P]) addPrior() error {
	if f.Prior == "" {
		if f.Trust != 0 {
			return fmt.Errorf("trust is %g: it needs a prior", f.Trust)
		}
		return nil
	}
	if f.Choose {
		return fmt.Errorf("prior %s: expected none with ridges by cross-validation", f.Prior)
	}
	w, hash, err := f.weightsOf(f.Prior)
	f.options.Prior, f.prior = &sparse.Prior{Weights: w, Rows: f.Trust}, hash
	return err
}

// chooseRidge chooses the ridges by cross-validation, resuming after the saved trials.
func (f *patternFit[P]) chooseRidge(ctx context.Context) error {
	o, path := f.options, TrialsPath(f.Out)
	var err error
	if o.Trials, err = saved[sparse.Trials](path); err != nil {
		return err
	}
	var unsaved error
	o.TrialMade = func(state func() *sparse.Trials) { unsaved = keep(path, state()) }
	c, err := f.matrix.ChooseRidge(ctx, o, f.rows.folds(f.folds()), f.candidates())
	if err != nil && o.Trials != nil && ctx.Err() == nil {
		err = startAnew(err, path)
	}
	if err != nil {
		return errors.Join(err, unsaved)
	}
	f.options.Ridge, f.options.Groups = c.Options.Ridge, c.Options.Groups
	f.summary.Folds = &c.Best.Stats
	return nil
}

// checkpointEvery is the interval at which the state of a fit is saved.
const checkpointEvery = 30 * time.Second

// solve runs the fit, resuming from a saved state if there is one.
func (f *patternFit[P]) solve(ctx context.Context) (*sparse.Result, error) {
	path := StatePath(f.Out)
	var err error
	if f.options.Resume, err = saved[sparse.State](path); err != nil {
		return nil, err
	}
	last := time.Now()
	f.options.Checkpoint = func(state func() *sparse.State) {
		if time.Since(last) >= checkpointEvery {
			_ = keep(path, state()) // a full disk does not stop the fit: everything is in memory
			last = time.Now()
		}
	}
	r, err := f.matrix.Fit(ctx, f.options)
	if err != nil && f.options.Resume != nil && r == nil && ctx.Err() == nil {
		err = startAnew(err, path)
	}
	if err != nil && r != nil && r.State != nil {
		err = errors.Join(err, keep(path, r.State))
	}
	return r, err
}

// measure fills in the summary.
func (f *patternFit[P]) measure(ctx context.Context, r *sparse.Result) error {
	s := &f.summary
	s.Set, s.Columns, s.Weights = f.set.String(), f.set.Len(), f.matrix.Weights()
	s.Loss, s.Converged, s.Rounds, s.Steps, s.Train = f.options.Loss.String(), r.Converged, r.Rounds, r.Steps, r.Train
	if f.options.Loss != sparse.Squares {
		s.Scale = f.scale()
	}
	s.Families = familyFits(f.matrix, f.options.Groups)
	if f.validation == nil || len(f.validation.positions) == 0 {
		if f.Curve {
			return errNoCurve
		}
		return nil
	}
	v, err := sparse.Evaluate(ctx, f.validation, r.Weights, maxPoints, f.Workers)
	if s.Validation = &v; err != nil || !f.Curve {
		return err
	}
	s.Curve, err = f.learningCurve(ctx, r)
	return err
}

// save writes the files of the fit.
func (f *patternFit[P]) save(r *sparse.Result) error {
	m, err := f.of.NewModel(f.rows.rules, f.set, r.Weights, f.provenance())
	if err != nil {
		return err
	}
	m.Calibration = f.summary.Calibration
	f.summary.Kept, err = f.of.Store(m, f.Out, features.ModelPath(f.Out))
	return err
}

func (f *patternFit[P]) provenance() features.Provenance {
	s := f.summary
	stats := map[string]float64{"rows": float64(s.Train.Rows), "r": s.Train.R, "mae": s.Train.MAE, "rmse": s.Train.RMSE}
	if v := s.Validation; v != nil {
		stats["validation_rows"], stats["validation_r"], stats["validation_mae"], stats["validation_rmse"] = float64(v.Rows), v.R, v.MAE, v.RMSE
	}
	ridges := map[string]float64{}
	for _, g := range f.options.Groups {
		ridges[g.Name] = g.Ridge
	}
	return features.Provenance{
		Tool: revision.Get(), Made: f.Made, Engine: strings.Join(f.rows.engines, "; "), Labels: strings.Join(f.rows.limits, "; "), Datasets: f.rows.hashes,
		Where: f.Where, Weight: f.Weight,
		Parent: f.Parent, Prior: f.prior, Trust: f.Trust, Round: f.Round, Loss: s.Loss, Scale: s.Scale, Ridge: ridges, Stats: stats,
	}
}

// StatePath returns the file that keeps the state of a fit until its weights are written to out.
func StatePath(out string) string { return out + ".state" }

// TrialsPath returns the file that keeps the trials of a choice of ridges.
func TrialsPath(out string) string { return out + ".trials" }

// saved reads the file of a stopped fit, a gob followed by its CRC-32C. It returns nil if there is
// none.
func saved[T any](path string) (*T, error) {
	data, err := vfs.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	v := new(T)
	if body := len(data) - crc32.Size; err == nil {
		if body < 0 || crc32.Checksum(data[:body], castagnoli) != binary.LittleEndian.Uint32(data[body:]) {
			err = errors.New("a saved fit does not have its checksum: it is damaged, or of another version")
		} else {
			err = gob.NewDecoder(bytes.NewReader(data[:body])).Decode(v)
		}
	}
	if err != nil {
		return nil, startAnew(fmt.Errorf("%s: %w", path, err), path)
	}
	return v, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// keep writes a file for saved.
func keep(path string, v any) error {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(v); err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, binary.LittleEndian.AppendUint32(b.Bytes(), crc32.Checksum(b.Bytes(), castagnoli)))
}

func startAnew(err error, path string) error {
	return fmt.Errorf("%w; delete %s to start over", err, path)
}

func (f *patternFit[P]) removeState() error {
	return cmp.Or(vfs.RemoveIfThere(StatePath(f.Out)), vfs.RemoveIfThere(TrialsPath(f.Out)))
}
