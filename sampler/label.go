package sampler

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/farm"
	"kroo/games"
	"kroo/internal/journal"
	"kroo/internal/parallel"
	"kroo/internal/revision"
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

// Label searches every position of the table in and writes the labels to out. Finished labels are
// kept in out.journal in the order of the rows, so the same call resumes after an interruption. The
// journal remains until [RemoveJournal], so that a caller can first record that the labels exist.
// Label keeps a few chunks of rows in memory.
func Label[P search.Position[P]](
	ctx context.Context, k engine.Kit[P], in, out string, cfg LabelConfig, progress parallel.Progress,
) (datasets.Meta, error) {
	table, err := datasets.Open(ctx, k.Game.Info, in)
	if err != nil {
		return datasets.Meta{}, err
	}
	defer table.Close()
	if err := datasets.CheckOutput(out); err != nil {
		return table.Meta, err
	}
	l := &labeller[P]{kit: k, cfg: cfg, table: table, path: journal.PathOf(out), progress: progress}
	rows, err := table.Count(ctx, l.query())
	if err != nil {
		return table.Meta, err
	}
	if rows == 0 && cfg.Where != "" {
		return table.Meta, fmt.Errorf("%s: no row matches %.80s: expected at least one", in, cfg.Where)
	}
	l.total = int(rows)
	l.engine, err = engine.Open(ctx, k, cfg.Spec, table.Meta.Rules)
	if err != nil {
		return table.Meta, err
	}
	defer l.engine.Close()
	l.meta = l.newMeta()
	if cfg.Program.Path != "" {
		notes, err := l.searchProgram(ctx)
		if err != nil {
			return l.meta, err
		}
		for _, note := range notes {
			l.meta.Note = strings.TrimPrefix(l.meta.Note+"; "+note, "; ")
		}
	}
	return l.meta, datasets.Write(k.Game, out, l.meta, newLabelling(l).rows(ctx))
}

// labeller labels one table.
type labeller[P search.Position[P]] struct {
	kit      engine.Kit[P]
	cfg      LabelConfig
	table    *datasets.Table // the positions
	total    int             // rows to label
	engine   *engine.Engine[P]
	meta     datasets.Meta // of the labels
	path     string        // of the journal
	progress parallel.Progress
}

func (l *labeller[P]) query() datasets.Query {
	return datasets.Query{Kind: datasets.Positions, Where: l.cfg.Where}
}

func (l *labeller[P]) newMeta() datasets.Meta {
	m := l.table.Meta
	m.Note = datasets.NoteOf(m.Note, l.cfg.Where)
	m.Kind = datasets.Labels
	m.Parent = l.table.SHA256
	m.Grouped = true
	m.Tool = revision.Get()
	m.Made = l.cfg.Made
	m.Limits = l.engine.LimitsText()
	m.Evaluator = l.engine.Eval.Name
	m.Engine = l.engine.Signature()
	return m
}

// searchProgram has a program search all rows, and returns notes about it. The notes are at the
// beginning of the labels' file, so the searches come before its rows, which then come from the journal.
func (l *labeller[P]) searchProgram(ctx context.Context) (notes []string, err error) {
	x := newLabelling(l)
	for _, err := range x.rows(ctx) {
		if err != nil {
			return nil, err
		}
	}
	for _, row := range slices.Sorted(maps.Keys(x.skipped)) {
		if l.cfg.OnSkipped != nil {
			l.cfg.OnSkipped(int64(row), x.skipped[row])
		}
	}
	if n := len(x.skipped); n > 0 {
		notes = append(notes, fmt.Sprintf("%d of the parent's %d positions are left out, since the program failed "+
			"at them", n, l.total))
	}
	if text := x.tally.Violation(); text != "" {
		notes = append(notes, "the program ignores its limit: "+text)
	}
	return notes, nil
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
		b = b[max(0, used):]
		if used <= 0 || n > 0 && n != uint64(len(b)) {
			return x, errors.New("expected a label")
		}
		if n > 0 {
			x.fault = string(b)
			return x, nil
		}
		x.Answer, b, err = engine.ParseAnswer(b)
		if err == nil && len(b) > 0 {
			err = errors.New("expected one answer")
		}
		return x, err
	},
}

const (
	// maxFailuresInARow is the number of consecutive positions at which a program may fail before
	// labelling stops: then the positions are not the cause.
	maxFailuresInARow = 20
	// maxAhead is the number of rows searched at most beyond the first without an answer.
	maxAhead = 1 << 15
)

// labelling is one pass over the rows of a table, which reads each once. The first rows get their
// labels from the journal. For the others the feed asks the pool, whose answers come in any order:
//
//	table → feed → asked ───────────→ add → labelled → rows
//	          └──→ pool → answer → order ↑ └→ journal
type labelling[P search.Position[P]] struct {
	*labeller[P]
	next     func() (datasets.Row[P], error, bool) // reads the table
	replayed int                                   // rows whose label the journal had
	asked    chan datasets.Row[P]                  // rows that await their labels, in order
	labelled chan datasets.Row[P]                  // rows with labels, in order

	mu        sync.Mutex // guards the fields below, which the feed, answer and fail change
	order     *parallel.InOrder[label]
	journal   *journal.Journal[label]
	unwritten []label // the last labels, if the program failed at all of their positions
	done      int     // rows with a label, or with none since the program failed
	skipped   map[int]string
	tally     client.LimitTally // of a program's searches
	fault     error             // the last one of the program

	failuresInARow int // since the last answer
}

func newLabelling[P search.Position[P]](l *labeller[P]) *labelling[P] {
	const buffered = 256 // so that the pool and the consumer wake each other rarely
	return &labelling[P]{
		labeller: l,
		asked:    make(chan datasets.Row[P], min(l.total, maxAhead)),
		labelled: make(chan datasets.Row[P], buffered),
		skipped:  map[int]string{},
	}
}

// rows labels the rows of the table, and yields the labelled ones.
func (l *labelling[P]) rows(ctx context.Context) iter.Seq2[datasets.Row[P], error] {
	return func(yield func(datasets.Row[P], error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var err error
		var wait sync.WaitGroup
		defer wait.Wait()
		defer cancel()
		wait.Go(func() {
			defer close(l.labelled)
			err = l.run(ctx)
		})
		for r := range l.labelled {
			if !yield(r, nil) {
				return
			}
		}
		if err != nil {
			yield(datasets.Row[P]{}, err)
		}
	}
}

// run labels all rows. Failures are written with the next label: if a program fails at all rows, or
// until labelling stops, the next call tries it again.
func (l *labelling[P]) run(ctx context.Context) (err error) {
	next, stop := iter.Pull2(datasets.Scan(ctx, l.kit.Game, l.table, l.query()))
	defer stop()
	l.next = next
	l.journal, err = l.openJournal(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.journal.Close()) }()
	l.replayed = l.done
	l.progress.At(int64(l.done), int64(l.total))
	if l.done < l.total {
		if err := l.search(ctx); err != nil {
			return err
		}
	}
	return l.checkEnd()
}

// search labels the rows that the journal had no label for.
func (l *labelling[P]) search(ctx context.Context) error {
	l.order = parallel.NewInOrder(l.done, maxAhead, func(x label) error { return l.add(ctx, x) })
	pool, err := poolOf(l.cfg, l.engine, int64(l.total-l.done), l.fail)
	if err != nil {
		return err
	}
	if err := pool.Search(ctx, l.feed, l.answer); err != nil {
		return err
	}
	if len(l.skipped) == l.total {
		return l.fault
	}
	return l.writeLabels()
}

// checkEnd reads on after the last row: only then does the table report that it has changed.
func (l *labelling[P]) checkEnd() error {
	_, err, more := l.next()
	if more && err == nil {
		err = fmt.Errorf("%s: more than the %d rows that were counted", l.table.Path(), l.total)
	}
	return err
}

// poolOf starts the searchers for a given number of positions; failed is as in [engine.Searchers].
func poolOf[P search.Position[P]](
	c LabelConfig, e *engine.Engine[P], searches int64, failed func(engine.Job[P], error) error,
) (engine.Pool[P], error) {
	if c.Farm != nil {
		return farm.Searches(c.Farm, e, searches)
	}
	s, err := e.Searchers(c.Workers)
	if err != nil {
		return nil, err
	}
	s.Failed = failed
	return s, nil
}

// openJournal opens the journal, and labels rows with the labels in it.
func (l *labelling[P]) openJournal(ctx context.Context) (*journal.Journal[label], error) {
	settings := map[string]any{
		"input": l.meta.Parent, "game": l.meta.Game, "rules": l.meta.Rules, "search": l.meta.Limits,
		"evaluation": l.meta.Evaluator, "engine": l.meta.Engine,
	}
	if l.cfg.Where != "" {
		settings["where"] = l.cfg.Where
	}
	return journal.Open(l.path, "kroo-label 6", settings, labelCodec, func(x label) error {
		r, err := l.read()
		if err != nil {
			return err
		}
		l.count(x)
		l.pass(ctx, r, x)
		return ctx.Err()
	})
}

// read reads the next row of the table.
func (l *labelling[P]) read() (datasets.Row[P], error) {
	r, err, ok := l.next()
	if !ok {
		err = fmt.Errorf("%s: no row for a label: expected %d rows", l.table.Path(), l.total)
	}
	return r, err
}

// feed asks for the labels of the rows that the journal had no label for. Endgame tables answer at
// once if they can.
func (l *labelling[P]) feed(ctx context.Context, ask func(engine.Job[P]) error) error {
	for number := l.replayed; number < l.total; number++ {
		if err := l.order.Wait(ctx); err != nil {
			return err
		}
		r, err := l.read()
		if err != nil {
			return err
		}
		l.asked <- r // order.Wait has seen to it that there is room
		a, decided := engine.Answer{}, false
		if l.engine.Tables != nil {
			a, decided = engine.DecideByTables(l.engine.Tables, r.Position)
		}
		if decided {
			err = l.put(number, label{Answer: a})
		} else {
			err = ask(engine.Job[P]{Number: number, Position: r.Position, Limits: l.cfg.Search.Limits()})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// put takes the label of a row.
func (l *labelling[P]) put(number int, x label) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.order.Put(number, x)
}

// answer takes an answer of the pool.
func (l *labelling[P]) answer(j engine.Job[P], a engine.Answer) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failuresInARow = 0
	return l.order.Put(j.Number, label{Answer: a})
}

// fail takes a failed search of the pool: the row of a program that failed gets no label.
func (l *labelling[P]) fail(j engine.Job[P], err error) error {
	if _, isProgram := errors.AsType[*engine.Fault](err); !isProgram {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault = err
	l.failuresInARow++
	if l.failuresInARow == maxFailuresInARow {
		return err
	}
	if l.cfg.OnFailure != nil {
		l.cfg.OnFailure(err)
	}
	return l.order.Put(j.Number, label{fault: wording.Short(err.Error())})
}

// add adds the label of the next row. It is called with mu held.
func (l *labelling[P]) add(ctx context.Context, x label) error {
	l.unwritten = append(l.unwritten, x)
	if x.fault == "" {
		if err := l.writeLabels(); err != nil {
			return err
		}
	}
	l.count(x)
	l.pass(ctx, <-l.asked, x)
	l.progress.At(int64(l.done), int64(l.total))
	return nil
}

// writeLabels writes the labels that are not in the journal yet.
func (l *labelling[P]) writeLabels() error {
	for _, x := range l.unwritten {
		if err := l.journal.Append(x); err != nil {
			return err
		}
	}
	l.unwritten = l.unwritten[:0]
	return nil
}

// count counts the label of the next row.
func (l *labelling[P]) count(x label) {
	if x.fault != "" {
		l.skipped[l.done] = x.fault
	} else if x.Nodes+int64(x.Depth) > 0 { // else endgame tables answered
		limits := l.cfg.Search.Limits()
		l.tally.Add(
			client.Limits{Depth: limits.Depth, Nodes: limits.Nodes, MoveTime: limits.Time},
			client.Answer{Result: search.Result{Score: x.Score, Depth: x.Depth, Nodes: x.Nodes}, Scored: true},
		)
	}
	l.done++
}

// pass passes a row on with its label, if it has one. When the context has ended nobody reads rows.
func (l *labelling[P]) pass(ctx context.Context, r datasets.Row[P], x label) {
	if x.fault != "" {
		return
	}
	select {
	case l.labelled <- labelRow(l.kit.Game.Info, r, x.Answer):
	case <-ctx.Done():
	}
}

// labelRow makes a row of an answer. A win from endgame tables is a bound: the tables give neither
// its margin nor its length.
func labelRow[P search.Position[P]](info games.Info, r datasets.Row[P], a engine.Answer) datasets.Row[P] {
	r.Score = int32(a.Score)
	r.Label = float64(engine.Points(info, a.Score))
	r.Depth = int32(a.Depth)
	r.Nodes = a.Nodes
	r.Exact = a.Proven
	r.HasBest = a.HasMove
	r.Best = a.Move
	if _, isCounted := search.PliesToEnd(a.Score); search.Proven(a.Score) && !isCounted {
		r.Bound = datasets.AtLeast
		if a.Score < 0 {
			r.Bound = datasets.AtMost
		}
	}
	return r
}
