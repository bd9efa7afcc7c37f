package regress

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/journal"
	"kroo/internal/memory"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/internal/spec"
)

// fitPatterns fits pattern weights to labelled positions and writes the model and the compiled
// weights. Rows are for the side to move, not doubled. A journal keeps finished rounds until then:
// the same call resumes.
func fitPatterns[P games.Position[P]](
	ctx context.Context, of features.Sets[P], req Request, progress parallel.Progress,
) (Summary, error) {
	tables, err := openTables(ctx, of.Game.Info, slices.Concat(req.Rows, req.Validation))
	if err != nil {
		return Summary{}, err
	}
	defer tables.close()
	f, err := newPatternFit(ctx, of, tables, req)
	if err != nil {
		return Summary{}, err
	}
	f.options.progress = fromFirstStep(progress)
	if err := f.openRounds(); err != nil {
		return Summary{}, err
	}
	err = f.run(ctx)
	err = cmp.Or(err, f.options.finished.journal.Close()) // Windows removes no open file
	if err != nil {
		return Summary{}, err
	}
	if err := removeRows(rowsPath(f.Out)); err != nil {
		return Summary{}, err
	}
	return f.summary, journal.Remove(journal.PathOf(f.Out))
}

// run fits, measures and writes the weights.
func (f *patternFit[P]) run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{f.fitWeights, f.measure, f.write} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
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
	of         features.Sets[P]
	set        features.ColumnSet[P]
	tables     tables // of the training
	rules      string
	training   *labelledRows[P]
	counts     *rowCounts
	memory     int64            // for rows, in bytes
	validation *labelledRows[P] // nil without validation rows
	options    solverOptions
	best       *minimum
	priorHash  string // of the weights that Prior names; options.prior are these weights
	settings   map[string]any
	summary    Summary
}

// newPatternFit reads the rows of the tables once, those of the training and then of the validation, to
// check and count them.
func newPatternFit[P games.Position[P]](
	ctx context.Context, of features.Sets[P], tables tables, req Request,
) (*patternFit[P], error) {
	f := &patternFit[P]{
		Request: req,
		of:      of,
		tables:  tables[:len(req.Rows)],
		rules:   tables[0].Meta.Rules,
		memory:  memoryFor(req),
	}
	spec.Default(&f.PatternConfig)
	var err error
	f.set, f.options, err = parsePatterns(of, f.PatternConfig)
	if err != nil {
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
	if err := f.addPrior(); err != nil {
		return nil, err
	}
	// Rows are read twice: to count them, and to pack them.
	work := req.Reading.Tally(0, 2*f.tables.rows())
	f.training = &labelledRows[P]{game: of.Game, tables: f.tables, where: req.Where, weight: req.Weight, work: work}
	f.counts, err = f.training.checkedRows().sparse(f.set).count(ctx, f.Workers)
	if err != nil {
		return nil, err
	}
	if n := f.counts.weighted; n < 2 {
		return nil, fmt.Errorf("%s: rows with a weight above 0: %d: expected at least 2", strings.Join(req.Rows, ", "), n)
	}
	if len(req.Validation) == 0 {
		return f, nil
	}
	f.validation = &labelledRows[P]{game: of.Game, tables: tables[len(req.Rows):], where: req.Where, weight: req.Weight}
	return f, f.leaveOutTraining(ctx)
}

// leaveOutTraining removes the validation rows whose situation is also in the training rows.
func (f *patternFit[P]) leaveOutTraining(ctx context.Context) error {
	for _, err := range f.validation.checkedRows().read(ctx) {
		if err != nil {
			return err
		}
	}
	again := *f.training
	again.work = nil
	seen, err := f.validation.overlap(ctx, &again, f.validation.situationParts(f.memory))
	f.validation.keep = func(row int, _ *labelledBatch[P], _ int) bool { return !seen[row] }
	for _, s := range seen {
		if s {
			f.summary.Overlap++
		}
	}
	return err
}

// checkedRows returns the same rows for a pass that checks them.
func (l *labelledRows[P]) checkedRows() *labelledRows[P] {
	checked := *l
	checked.checked = true
	return &checked
}

// memoryFor returns the memory for the rows of a fit: what the request says, or half of what is free.
func memoryFor(req Request) int64 {
	if req.Memory > 0 {
		return int64(req.Memory)
	}
	const unknown = 2 << 30
	if free, known := memory.Free(); known {
		return free / 2
	}
	return unknown
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
		return fmt.Errorf("prior %s: cannot be combined with --ridge cv: leave one out", f.Prior)
	}
	k, err := f.of.Patterns.Find(f.Prior, f.rules, f.set)
	switch {
	case err != nil:
		return err
	case k.Rules != f.rules:
		return fmt.Errorf("%s: weights for %s: expected %s, as in the training rows", f.Prior, k.Rules, f.rules)
	case k.Set.Hash() != f.set.Hash():
		return fmt.Errorf("%s: weights of set %s: expected set %s", f.Prior, k.Set, f.set)
	}
	f.options.prior = k.Weights
	f.options.trust = f.Trust
	f.priorHash = k.Hash()
	return nil
}

// fitWeights chooses the ridge if it is to, and fits the weights.
func (f *patternFit[P]) fitWeights(ctx context.Context) error {
	m, err := pack(ctx, f.training.sparse(f.set), f.counts, f.Workers, f.storage(1))
	if err != nil {
		return err
	}
	f.training.work = nil // all has been read twice
	if f.Choose {
		err = f.chooseRidge(ctx, m)
	}
	if err == nil {
		f.best, err = m.minimise(ctx, f.options)
	}
	return errors.Join(err, m.close())
}

// storage returns where to keep the packed rows of a fit to a share of the rows.
func (f *patternFit[P]) storage(share float64) storage {
	return storage{f.memory, rowsPath(f.Out), map[string]any{"fit": f.settings, "share": share}}
}

// chooseRidge chooses the ridge by cross-validation.
func (f *patternFit[P]) chooseRidge(ctx context.Context, m *matrix) error {
	folds, err := f.training.folds(ctx, f.Folds, f.training.situationParts(f.memory))
	if err != nil {
		return err
	}
	chosen, err := m.chooseRidge(ctx, f.options, folds)
	if err != nil {
		return err
	}
	f.options.ridges = slices.Repeat([]float64{chosen.ridge}, len(f.options.ridges))
	f.summary.Folds = &chosen.held
	progress := f.options.progress
	before := chosen.steps
	f.options.progress = func(done, total int64, note string) { progress.Note(before+done, before+total, note) }
	return nil
}

// measure fills in the summary.
func (f *patternFit[P]) measure(ctx context.Context) (err error) {
	s, r := &f.summary, f.best
	s.Set = f.set.String()
	s.Columns = f.set.Len()
	s.Weights = f.counts.seen()
	s.Families = familyFits(f.counts.columns, f.options)
	s.Loss = f.options.loss
	if s.Loss == chances {
		s.Scale = f.Scale
	}
	s.Converged = r.converged
	s.Rounds = r.rounds
	s.SolverSteps = r.steps
	s.Train = &r.train
	if f.validation != nil {
		stats, _, err := f.validation.sparse(f.set).measure(ctx, f.Workers, r.weights)
		if err != nil {
			return err
		}
		if stats[0].Rows > 0 {
			s.Validation = &stats[0]
		}
	}
	if f.Curve {
		s.Curve, err = f.learningCurve(ctx)
	}
	return err
}

// write calibrates the labels and writes the files of the fit.
func (f *patternFit[P]) write(ctx context.Context) (err error) {
	f.summary.Calibrated, err = f.tables.calibrate(ctx, f.of.Game.Info, f.Where, f.Weight)
	if err != nil {
		return err
	}
	m, err := f.of.NewModel(f.rules, f.set, f.best.weights, f.provenance())
	if err != nil {
		return err
	}
	m.Calibration = f.summary.Calibration
	f.summary.Kept, err = f.of.Patterns.Keep(m, f.Out, features.ModelPath(f.Out))
	return err
}

func (f *patternFit[P]) provenance() features.Provenance {
	s := f.summary
	stats := map[string]float64{"rows": float64(s.Train.Rows), "r": s.Train.R, "mae": s.Train.MAE, "rmse": s.Train.RMSE}
	if v := s.Validation; v != nil {
		stats["validation_rows"] = float64(v.Rows)
		stats["validation_r"] = v.R
		stats["validation_mae"] = v.MAE
		stats["validation_rmse"] = v.RMSE
	}
	ridges := map[string]float64{}
	for i, family := range f.options.families {
		ridges[family.Name] = f.options.ridges[i]
	}
	return features.Provenance{
		Tool: revision.Get(), Made: f.Made, Datasets: f.tables.texts(hashOf),
		Engine: strings.Join(f.tables.texts(func(t *datasets.Table) string { return t.Meta.Engine }), "; "),
		Labels: strings.Join(f.tables.texts(limitsOf), "; "),
		Where:  f.Where, Weight: f.Weight,
		Parent: f.Parent,
		Prior:  f.priorHash,
		Trust:  f.Trust,
		Round:  f.Round,
		Loss:   s.Loss,
		Scale:  s.Scale,
		Ridge:  ridges,
		Stats:  stats,
	}
}

// finishedRounds keeps the weights after every round of the fits of a command in a journal: those
// of a choice of ridges, the one to all rows, and those of a learning curve. A round depends on
// nothing but the weights at its start, so a stopped fit resumes with the same bits, and loses less
// than a round. Nil keeps nothing.
type finishedRounds struct {
	journal *journal.Journal[round]
	last    map[uint32]round // of each fit in the journal
	fits    uint32           // begun
}

// round is the end of a round.
type round struct {
	fit, number, steps uint32 // steps are those of the fit so far
	weights            []float64
}

var roundCodec = journal.Codec[round]{
	Append: func(b []byte, r round) ([]byte, error) {
		for _, n := range []uint32{r.fit, r.number, r.steps} {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		return binary.Append(b, binary.LittleEndian, r.weights)
	},
	Decode: func(b []byte) (r round, err error) {
		if len(b) < 12 || len(b)%8 != 4 {
			return r, errors.New("expected three numbers and weights")
		}
		r.fit = binary.LittleEndian.Uint32(b)
		r.number = binary.LittleEndian.Uint32(b[4:])
		r.steps = binary.LittleEndian.Uint32(b[8:])
		r.weights = make([]float64, len(b)/8-1)
		return r, binary.Read(bytes.NewReader(b[12:]), binary.LittleEndian, r.weights)
	},
}

// openRounds opens the journal of a fit.
func (f *patternFit[P]) openRounds() (err error) {
	f.settings = map[string]any{
		"datasets": f.tables.texts(hashOf), "where": f.Where, "weight": f.Weight, "set": f.set.Hash(), "fit": f.PatternConfig,
		"prior": f.priorHash, "trust": f.Trust, "curve": f.Curve, "tool": revision.Get(),
	}
	r := &finishedRounds{last: map[uint32]round{}}
	r.journal, err = journal.Open(journal.PathOf(f.Out), "kroo-fit 1", f.settings, roundCodec, func(x round) error {
		r.last[x.fit] = x
		return nil
	})
	f.options.finished = r
	return err
}

// resume continues a fit that begins after its last finished round, if any.
func (r *finishedRounds) resume(s *solver) error {
	if r == nil {
		return nil
	}
	last, found := r.last[r.fits]
	r.fits++
	if !found {
		return nil
	}
	if len(last.weights) != len(s.weights) {
		return fmt.Errorf("the journal of the fit has %d weights: expected %d; delete it to start over",
			len(last.weights), len(s.weights))
	}
	copy(s.weights, last.weights)
	s.round = int(last.number)
	s.steps = int(last.steps)
	return nil
}

// append keeps a round that has ended.
func (r *finishedRounds) append(s *solver) error {
	if r == nil {
		return nil
	}
	return r.journal.Append(round{r.fits - 1, uint32(s.round), uint32(s.steps), s.weights})
}
