package sampler

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/farm"
	"kroo/games"
	"kroo/internal/journal"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/internal/spec"
	"kroo/internal/wording"
)

// LabelConfig describes how positions are labelled.
type LabelConfig struct {
	engine.Spec              // the searching engine
	Workers     int          // 0 means one per processor
	Made        string       // command, for the manifest; "" if unknown
	Where       string       // filter of the rows to label (train help filters); "" means all
	Farm        farm.Network // remote workers that search; nil means this machine

	// A position at which a program has failed three times gets no label.
	OnFailure func(error)                 // called for each failure as it happens; may be nil
	OnSkipped func(row int64, why string) // called at the end for each row without a label (from 0); may be nil
}

// poolOf starts the searchers for a given number of positions; failed is as in [engine.Searchers].
func poolOf[P search.Position[P]](c LabelConfig, e *engine.Engine[P], searches int64, failed func(engine.Job[P], error) error) (engine.Pool[P], error) {
	if c.Farm != nil {
		return farm.Searches(c.Farm, e, searches)
	}
	s, err := e.Searchers(c.Workers)
	if err == nil {
		s.Failed = failed
	}
	return s, err
}

// Label searches every position of the table in and writes the labels to out. Finished labels are
// kept in out.journal in the order of the rows, so the same call resumes after an interruption. The
// journal remains until [RemoveJournal], so that a caller can first record that the labels exist.
// Label keeps a few chunks of rows in memory.
func Label[P search.Position[P]](ctx context.Context, k engine.Kit[P], in, out string, cfg LabelConfig, progress parallel.Progress) (datasets.Meta, error) {
	table, err := datasets.Open(ctx, k.Game.Info, in)
	if err != nil {
		return datasets.Meta{}, err
	}
	defer table.Close()
	l := labeller[P]{kit: k, cfg: cfg, in: table, meta: table.Meta, journal: journalName(out), progress: progress, skipped: map[int]string{}}
	if err := datasets.CheckOutput(out); err != nil {
		return l.meta, err
	}
	if l.total, err = table.Count(ctx, l.query()); err != nil {
		return l.meta, err
	}
	if l.total == 0 && cfg.Where != "" {
		return l.meta, fmt.Errorf("%s: no row matches %.80s: expected at least one", in, cfg.Where)
	}
	l.meta.Note = datasets.NoteOf(l.meta.Note, cfg.Where)
	l.meta.Kind, l.meta.Parent, l.meta.Grouped = datasets.Labels, table.SHA256, true
	l.meta.Tool, l.meta.Made = revision.Get(), cfg.Made
	e, err := engine.Open(ctx, k, cfg.Spec, l.meta.Rules)
	if err != nil {
		return l.meta, err
	}
	defer e.Close()
	l.meta.Limits, l.meta.Evaluator, l.meta.Engine = e.Limits(), e.Eval.Name, e.Signature()
	if err := l.searchAll(ctx, e); err != nil {
		return l.meta, err
	}
	l.noteProgram()
	return l.meta, datasets.Write(k.Game, out, l.meta, l.rows(ctx))
}

// labeller labels one table.
type labeller[P search.Position[P]] struct {
	kit      engine.Kit[P]
	cfg      LabelConfig
	in       *datasets.Table
	meta     datasets.Meta
	journal  string
	total    int64 // rows to label
	done     int   // rows with a label, or with none since the program failed
	progress parallel.Progress
	skipped  map[int]string    // reason why a row has no label
	tally    client.LimitTally // of a program's searches
}

// label is a record of the journal, in the order of the rows: an answer, or why there is none.
type label struct {
	engine.Answer
	fault string
}

var labelCodec = journal.Codec[label]{
	Append: func(b []byte, x label) ([]byte, error) {
		b = binary.AppendUvarint(b, uint64(len(x.fault)))
		if x.fault != "" {
			return append(b, x.fault...), nil
		}
		return x.Answer.Append(b), nil
	},
	Decode: func(b []byte) (x label, err error) {
		n, used := binary.Uvarint(b)
		if b = b[max(0, used):]; used <= 0 || n > 0 && n != uint64(len(b)) {
			return x, errors.New("expected a label")
		}
		if n > 0 {
			x.fault = string(b)
			return x, nil
		}
		if x.Answer, b, err = engine.ParseAnswer(b); err == nil && len(b) > 0 {
			err = errors.New("expected one answer")
		}
		return x, err
	},
}

func (l *labeller[P]) openJournal(replay func(label) error) (*journal.Journal[label], error) {
	settings := map[string]any{
		"input": l.meta.Parent, "game": l.meta.Game, "rules": l.meta.Rules, "search": l.meta.Limits,
		"evaluation": l.meta.Evaluator, "engine": l.meta.Engine,
	}
	if l.cfg.Where != "" {
		settings["where"] = l.cfg.Where
	}
	return journal.Open(l.journal, "kroo-label 6", settings, labelCodec, replay)
}

const (
	// maxFailuresInARow is the number of consecutive positions at which a program may fail before
	// labelling stops: then the positions are not the cause.
	maxFailuresInARow = 20
	// maxAhead is the number of rows searched at most beyond the first without an answer.
	maxAhead = 1 << 15
)

// count counts the next label.
func (l *labeller[P]) count(x label) error {
	switch lim := l.cfg.Search.Limits(); {
	case int64(l.done) >= l.total:
		return fmt.Errorf("a label of row %d: expected only those of %d rows", l.done+1, l.total)
	case x.fault != "":
		l.skipped[l.done] = x.fault
	case x.Nodes+int64(x.Depth) > 0: // else endgame tables answered
		l.tally.Add(client.Limits{Depth: lim.Depth, Nodes: lim.Nodes, MoveTime: lim.Time}, client.Answer{Result: search.Result{Score: x.Score, Depth: x.Depth, Nodes: x.Nodes}, Scored: true})
	}
	l.done++
	return nil
}

// searchAll searches every position that the journal has no label for. Failures are written with
// the next label: if a program fails until the end, the next call tries it again.
func (l *labeller[P]) searchAll(ctx context.Context, e *engine.Engine[P]) (err error) {
	j, err := l.openJournal(l.count)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	l.progress.At(int64(l.done), l.total)
	if int64(l.done) == l.total {
		return nil
	}
	var failed []label // the last labels, if the program failed at all of their positions
	write := func() error {
		for _, x := range failed {
			if err := j.Append(x); err != nil {
				return err
			}
		}
		failed = failed[:0]
		return nil
	}
	order := parallel.NewInOrder(l.done, maxAhead, func(x label) error {
		if failed = append(failed, x); x.fault == "" {
			if err := write(); err != nil {
				return err
			}
		}
		defer func() { l.progress.At(int64(l.done), l.total) }()
		return l.count(x)
	})
	var fault error
	inARow := 0
	pool, err := poolOf(l.cfg, e, l.total-int64(l.done), func(job engine.Job[P], err error) error {
		if _, program := errors.AsType[*engine.Fault](err); !program {
			return err
		}
		fault = err
		if inARow++; inARow == maxFailuresInARow {
			return err
		}
		if l.cfg.OnFailure != nil {
			l.cfg.OnFailure(err)
		}
		return order.Put(job.Number, label{fault: wording.Short(err.Error())})
	})
	if err != nil {
		return err
	}
	err = pool.Search(ctx, func(ctx context.Context, ask func(engine.Job[P]) error) error {
		return l.feed(ctx, order, e, ask)
	}, func(job engine.Job[P], a engine.Answer) error {
		inARow = 0
		return order.Put(job.Number, label{Answer: a})
	})
	if fault != nil && int64(len(l.skipped)) == l.total {
		err = cmp.Or(err, fault)
	}
	if err == nil {
		err = write()
	}
	return cmp.Or(err, j.Sync())
}

// feed passes on the rows without a label, but those that endgame tables answer.
func (l *labeller[P]) feed(ctx context.Context, order *parallel.InOrder[label], e *engine.Engine[P], ask func(engine.Job[P]) error) error {
	number, first := 0, l.done
	for r, err := range datasets.Scan(ctx, l.kit.Game, l.in, l.query()) {
		if err == nil && number >= first {
			err = order.Wait(ctx)
			a, decided := engine.Answer{}, false
			if e.Tables != nil {
				a, decided = engine.DecideByTables(e.Tables, r.Position)
			}
			switch {
			case err != nil:
			case decided:
				err = order.Put(number, label{Answer: a})
			default:
				err = ask(engine.Job[P]{Number: number, Position: r.Position, Limits: l.cfg.Search.Limits()})
			}
		}
		if err != nil {
			return err
		}
		number++
	}
	return nil
}

func (l *labeller[P]) query() datasets.Query {
	return datasets.Query{Kind: datasets.Positions, Where: l.cfg.Where}
}

// noteProgram reports and notes the positions at which the program failed, and notes a limit that
// it ignores.
func (l *labeller[P]) noteProgram() {
	var notes []string
	if n := len(l.skipped); n > 0 {
		notes = append(notes, fmt.Sprintf("%d of the parent's %d positions are left out, since the program failed at them", n, l.total))
	}
	for _, row := range slices.Sorted(maps.Keys(l.skipped)) {
		if l.cfg.OnSkipped != nil {
			l.cfg.OnSkipped(int64(row), l.skipped[row])
		}
	}
	if text := l.tally.Violation(); text != "" && l.cfg.Program.Path != "" {
		notes = append(notes, "the program ignores its limit: "+text)
	}
	for _, note := range notes {
		l.meta.Note = strings.TrimPrefix(l.meta.Note+"; "+note, "; ")
	}
}

// rows yields the rows that have a label.
func (l *labeller[P]) rows(ctx context.Context) iter.Seq2[datasets.Row[P], error] {
	return func(yield func(datasets.Row[P], error) bool) {
		next, stop := iter.Pull2(datasets.Scan(ctx, l.kit.Game, l.in, l.query()))
		defer stop()
		j, err := l.openJournal(func(x label) error {
			r, err, ok := next()
			if err != nil || !ok {
				return cmp.Or(err, errEnough)
			}
			if x.fault == "" && !yield(labelRow(l.kit.Game.Info, r, x.Answer), nil) {
				return errEnough
			}
			return nil
		})
		if err == nil {
			err = j.Close()
		}
		if err != nil && !errors.Is(err, errEnough) {
			yield(datasets.Row[P]{}, err)
		}
	}
}

// labelRow makes a row of an answer. A win from endgame tables is a bound: the tables give neither
// its margin nor its length.
func labelRow[P search.Position[P]](info games.Info, r datasets.Row[P], a engine.Answer) datasets.Row[P] {
	r.Score, r.Label = int32(a.Score), float64(engine.Points(info, a.Score))
	r.Depth, r.Nodes, r.Exact = int32(a.Depth), a.Nodes, a.Proven
	r.HasBest, r.Best = a.HasMove, a.Move
	if _, counted := search.PliesToEnd(a.Score); search.Proven(a.Score) && !counted {
		r.Bound = datasets.AtLeast
		if a.Score < 0 {
			r.Bound = datasets.AtMost
		}
	}
	return r
}

// NoiseConfig describes how the noise of labels is measured: by labelling some positions
// repeatedly.
type NoiseConfig struct {
	Positions int `name:"positions" default:"200" range:"2..1000000" help:"positions to label repeatedly"`
	Repeats   int `name:"repeats" default:"4" range:"2..1000" help:"labels per position"`
}

// Check refuses settings that measure nothing or take too long.
func (c NoiseConfig) Check() error {
	if err := spec.Check(&c); err != nil {
		return err
	}
	if searches := int64(c.Positions) * int64(c.Repeats); searches > maxNoiseSearches {
		return fmt.Errorf("noise of %d positions labelled %d times: expected at most %d searches in all", c.Positions, c.Repeats, maxNoiseSearches)
	}
	return nil
}

// maxNoiseSearches is the maximum number of searches, which takes about 2 GB of memory.
const maxNoiseSearches = 10_000_000

// Noise is the part of the labels' variance that another search would not reproduce.
type Noise struct {
	Positions int     `json:"positions"`
	Repeats   int     `json:"repeats"`  // labels per position
	Within    float64 `json:"within"`   // standard deviation of the labels of one position, in points
	Total     float64 `json:"total"`    // standard deviation of all labels, in points
	Changed   float64 `json:"changed"`  // share of positions whose labels differ
	CeilingR  float64 `json:"ceilingR"` // correlation of such labels with the means of their positions: the limit of any fit
}

// noiseSpread is the range of node limits of repeated searches: from limit/noiseSpread to
// limit·noiseSpread.
const noiseSpread = 1.25

// MeasureNoise labels positions of the table in, evenly spaced, several times each. Searches
// limited by time vary by themselves. Those limited by nodes do not: their limits are spread evenly
// on a logarithmic scale from four fifths to five quarters of the given limit, so the noise is that
// of an arbitrary limit. Limits of depth alone are refused.
func MeasureNoise[P search.Position[P]](ctx context.Context, k engine.Kit[P], in string, cfg LabelConfig, c NoiseConfig, progress parallel.Progress) (Noise, error) {
	limits := cfg.Search.Limits()
	if limits.Nodes == 0 && limits.Time == 0 {
		return Noise{}, fmt.Errorf("noise of searches to depth %d: they are all the same; expected a limit of nodes or time", limits.Depth)
	}
	if err := c.Check(); err != nil {
		return Noise{}, err
	}
	jobs, rules, err := noiseJobs(ctx, k, in, limits, c.Positions, c.Repeats)
	if err != nil {
		return Noise{}, err
	}
	e, err := engine.Open(ctx, k, cfg.Spec, rules)
	if err != nil {
		return Noise{}, err
	}
	defer e.Close()
	pool, err := poolOf(cfg, e, int64(len(jobs)), nil)
	if err != nil {
		return Noise{}, err
	}
	labels := make([]float64, len(jobs))
	done := int64(0)
	progress.At(0, int64(len(jobs)))
	err = pool.Search(ctx, parallel.List(jobs), func(j engine.Job[P], a engine.Answer) error {
		labels[j.Number] = float64(engine.Points(k.Game.Info, a.Score))
		done++
		progress.At(done, int64(len(jobs)))
		return nil
	})
	return noiseOf(labels, c.Repeats), err
}

// noiseJobs yields the searches, those of a position consecutively.
func noiseJobs[P search.Position[P]](ctx context.Context, k engine.Kit[P], in string, limits search.Limits, n, repeats int) (jobs []engine.Job[P], rules string, err error) {
	m, err := datasets.Open(ctx, k.Game.Info, in)
	if err != nil {
		return nil, "", err
	}
	defer m.Close()
	n = int(min(int64(n), m.Rows))
	row, taken := int64(0), int64(0)
	for r, err := range datasets.Scan(ctx, k.Game, m, datasets.Query{Kind: datasets.Positions}) {
		if err != nil {
			return nil, "", err
		}
		if row*int64(n) >= taken*m.Rows && taken < int64(n) {
			taken++
			for i := range repeats {
				jobs = append(jobs, engine.Job[P]{Number: len(jobs), Position: r.Position, Limits: spread(limits, i, repeats)})
			}
		}
		row++
	}
	return jobs, m.Meta.Rules, nil
}

// spread returns the limits of repeat i of n.
func spread(l search.Limits, i, n int) search.Limits {
	at := 2*float64(i)/float64(n-1) - 1
	l.Nodes = int64(math.Round(float64(l.Nodes) * math.Pow(noiseSpread, at)))
	return l
}

// noiseOf computes the noise of labels, consecutive by position: one-way analysis of variance.
func noiseOf(labels []float64, repeats int) Noise {
	n := Noise{Positions: len(labels) / repeats, Repeats: repeats}
	total := stat.Variance(labels, nil)
	if !(total > 0) {
		return n
	}
	within, share := 0.0, 1/float64(n.Positions)
	for own := range slices.Chunk(labels, repeats) {
		within += share * stat.Variance(own, nil)
		if slices.Min(own) != slices.Max(own) {
			n.Changed += share
		}
	}
	n.Within, n.Total = math.Sqrt(within), math.Sqrt(total)
	n.CeilingR = math.Sqrt(max(0, 1-within/total))
	return n
}
