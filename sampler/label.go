package sampler

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
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
	OnFailure func(error)      // called for each failure as it happens; may be nil
	OnSkipped func(why string) // called at the end for each position without a label, with the position and the reason; may be nil
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
	job := &labelJob[P]{kit: k, cfg: cfg, table: table, path: journal.PathOf(out), progress: progress}
	rows, err := table.Count(ctx, job.query())
	if err != nil {
		return table.Meta, err
	}
	if rows == 0 && cfg.Where != "" {
		return table.Meta, fmt.Errorf("%s: no row matches %.80s: expected at least one", in, cfg.Where)
	}
	job.total = int(rows)
	job.engine, err = engine.Open(ctx, k, cfg.Spec, table.Meta.Rules)
	if err != nil {
		return table.Meta, err
	}
	defer job.engine.Close()
	job.meta = job.newMeta()
	if cfg.Program.Path != "" {
		// What the program did is noted in the meta, which comes before the rows in the file: so it searches
		// all rows first, and Write below makes a second pass, which reads the labels from the journal.
		notes, err := job.searchProgram(ctx)
		if err != nil {
			return job.meta, err
		}
		for _, note := range notes {
			job.meta.Note = strings.TrimPrefix(job.meta.Note+"; "+note, "; ")
		}
	}
	return job.meta, datasets.Write(k.Game, out, job.meta, newLabelPass(job).rows(ctx))
}

// labelJob labels one table.
type labelJob[P search.Position[P]] struct {
	kit      engine.Kit[P]
	cfg      LabelConfig
	table    *datasets.Table // the positions
	total    int             // rows to label
	engine   *engine.Engine[P]
	meta     datasets.Meta // of the labels
	path     string        // of the journal
	progress parallel.Progress
}

func (j *labelJob[P]) query() datasets.Query {
	return datasets.Query{Kind: datasets.Positions, Where: j.cfg.Where}
}

func (j *labelJob[P]) newMeta() datasets.Meta {
	m := j.table.Meta
	m.Note = datasets.NoteOf(m.Note, j.cfg.Where)
	m.Kind = datasets.Labels
	m.Parent = j.table.SHA256
	m.Grouped = true
	m.Tool = revision.Get()
	m.Made = j.cfg.Made
	m.Limits = j.engine.LimitsText()
	m.Evaluator = j.engine.Eval.Name
	m.Engine = j.engine.Signature()
	return m
}

// searchProgram has a program search all rows, and returns notes about it.
func (j *labelJob[P]) searchProgram(ctx context.Context) (notes []string, err error) {
	p := newLabelPass(j)
	for _, err := range p.rows(ctx) {
		if err != nil {
			return nil, err
		}
	}
	for _, why := range p.skipped {
		if j.cfg.OnSkipped != nil {
			j.cfg.OnSkipped(why)
		}
	}
	if n := len(p.skipped); n > 0 {
		notes = append(notes, fmt.Sprintf("%d of the %d positions are left out, since the program failed at them", n, j.total))
	}
	if text := p.tally.Violation(); text != "" {
		notes = append(notes, "the program ignores its limit: "+text)
	}
	return notes, nil
}

// journalRecord is a record of the journal, in the order of the rows: an answer, or why there is none.
type journalRecord struct {
	engine.Answer
	fault string
}

var recordCodec = journal.Codec[journalRecord]{
	Append: func(b []byte, x journalRecord) ([]byte, error) {
		b = binary.AppendUvarint(b, uint64(len(x.fault)))
		if x.fault != "" {
			return append(b, x.fault...), nil
		}
		return x.Answer.Append(b), nil
	},
	Decode: func(b []byte) (x journalRecord, err error) {
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

// labelPass is one pass over the rows of a table, which reads each once. The first rows get their
// labels from the journal. For the others the feed asks the pool, whose answers come in any order:
//
//	table → feed → asked ──────────────→ appendRecord → labelled → rows
//	          └──→ pool → putAnswer → order ↑ └→ journal
type labelPass[P search.Position[P]] struct {
	*labelJob[P]
	next     func() (datasets.Row[P], error, bool) // reads the table
	replayed int                                   // rows whose label the journal had
	asked    chan datasets.Row[P]                  // rows that await their labels, in order
	labelled chan datasets.Row[P]                  // rows with labels, in order

	mu      sync.Mutex // guards the fields below, which feed, putAnswer and putFailure change
	order   *parallel.InOrder[journalRecord]
	journal *journal.Journal[journalRecord]
	// unwritten are the faults after the last answer. They are written with the next answer, or when all
	// rows are done, so that a restart after anything else tries their positions again.
	unwritten []journalRecord
	done      int               // rows with a label, or with none since the program failed
	skipped   []string          // the faults of the rows without a label
	tally     client.LimitTally // of a program's searches
	fault     error             // the last one of the program

	failuresInARow int // since the last answer
}

func newLabelPass[P search.Position[P]](j *labelJob[P]) *labelPass[P] {
	const buffered = 256 // so that the pool and the consumer wake each other rarely
	return &labelPass[P]{
		labelJob: j,
		asked:    make(chan datasets.Row[P], min(j.total, maxAhead)),
		labelled: make(chan datasets.Row[P], buffered),
	}
}

// rows labels the rows of the table, and yields the labelled ones.
func (p *labelPass[P]) rows(ctx context.Context) iter.Seq2[datasets.Row[P], error] {
	return func(yield func(datasets.Row[P], error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var err error
		var wait sync.WaitGroup
		defer wait.Wait()
		defer cancel()
		wait.Go(func() {
			defer close(p.labelled)
			err = p.run(ctx)
		})
		for r := range p.labelled {
			if !yield(r, nil) {
				return
			}
		}
		if err != nil {
			yield(datasets.Row[P]{}, err)
		}
	}
}

// run labels all rows.
func (p *labelPass[P]) run(ctx context.Context) (err error) {
	next, stop := iter.Pull2(datasets.Scan(ctx, p.kit.Game, p.table, p.query()))
	defer stop()
	p.next = next
	p.journal, err = p.openJournal(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.journal.Close()) }()
	p.replayed = p.done
	p.progress.At(int64(p.done), int64(p.total))
	if p.done < p.total {
		if err := p.search(ctx); err != nil {
			return err
		}
	}
	return p.checkEnd()
}

// search labels the rows that the journal had no label for.
func (p *labelPass[P]) search(ctx context.Context) error {
	p.order = parallel.NewInOrder(p.done, maxAhead, func(x journalRecord) error { return p.appendRecord(ctx, x) })
	pool, err := poolOf(p.cfg, p.engine, int64(p.total-p.done), p.putFailure)
	if err != nil {
		return err
	}
	if err := pool.Search(ctx, p.feed, p.putAnswer); err != nil {
		return err
	}
	if len(p.skipped) == p.total {
		return p.fault
	}
	return p.writeRecords()
}

// checkEnd reads on after the last row: only then does the table report that it has changed.
func (p *labelPass[P]) checkEnd() error {
	_, err, more := p.next()
	if more && err == nil {
		err = fmt.Errorf("%s: more than the %d rows that were counted", p.table.Path(), p.total)
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
func (p *labelPass[P]) openJournal(ctx context.Context) (*journal.Journal[journalRecord], error) {
	settings := map[string]any{
		"input": p.meta.Parent, "game": p.meta.Game, "rules": p.meta.Rules, "search": p.meta.Limits,
		"evaluation": p.meta.Evaluator, "engine": p.meta.Engine,
	}
	if p.cfg.Where != "" {
		settings["where"] = p.cfg.Where
	}
	return journal.Open(p.path, "kroo-label 6", settings, recordCodec, func(x journalRecord) error {
		r, err := p.read()
		if err != nil {
			return err
		}
		p.count(x)
		p.emit(ctx, r, x)
		return ctx.Err()
	})
}

// read reads the next row of the table.
func (p *labelPass[P]) read() (datasets.Row[P], error) {
	r, err, ok := p.next()
	if !ok {
		err = fmt.Errorf("%s: no row for a label: expected %d rows", p.table.Path(), p.total)
	}
	return r, err
}

// feed asks for the labels of the rows that the journal had no label for. Endgame tables answer at
// once if they can.
func (p *labelPass[P]) feed(ctx context.Context, ask func(engine.Job[P]) error) error {
	for number := p.replayed; number < p.total; number++ {
		if err := p.order.Wait(ctx); err != nil {
			return err
		}
		r, err := p.read()
		if err != nil {
			return err
		}
		p.asked <- r // order.Wait has seen to it that there is room
		a, decided := engine.Answer{}, false
		if p.engine.Tables != nil {
			a, decided = engine.DecideByTables(p.engine.Tables, r.Position)
		}
		if decided {
			err = p.putRecord(number, journalRecord{Answer: a})
		} else {
			err = ask(engine.Job[P]{Number: number, Position: r.Position, Limits: p.cfg.Search.Limits()})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// putRecord takes the record of a row that needs no search.
func (p *labelPass[P]) putRecord(number int, x journalRecord) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.order.Put(number, x)
}

// putAnswer takes an answer of the pool.
func (p *labelPass[P]) putAnswer(j engine.Job[P], a engine.Answer) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failuresInARow = 0
	return p.order.Put(j.Number, journalRecord{Answer: a})
}

// putFailure takes a failed search of the pool: the row of a program that failed gets no label.
func (p *labelPass[P]) putFailure(j engine.Job[P], err error) error {
	if _, isProgram := errors.AsType[*engine.Fault](err); !isProgram {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = err
	p.failuresInARow++
	if p.failuresInARow == maxFailuresInARow {
		return err
	}
	if p.cfg.OnFailure != nil {
		p.cfg.OnFailure(err)
	}
	return p.order.Put(j.Number, journalRecord{fault: wording.Short(err.Error())})
}

// appendRecord appends the record of the next row, and emits the row. It is called with mu held.
func (p *labelPass[P]) appendRecord(ctx context.Context, x journalRecord) error {
	p.unwritten = append(p.unwritten, x)
	if x.fault == "" {
		if err := p.writeRecords(); err != nil {
			return err
		}
	}
	p.count(x)
	p.emit(ctx, <-p.asked, x)
	p.progress.At(int64(p.done), int64(p.total))
	return nil
}

// writeRecords writes the records that are not in the journal yet.
func (p *labelPass[P]) writeRecords() error {
	for _, x := range p.unwritten {
		if err := p.journal.Append(x); err != nil {
			return err
		}
	}
	p.unwritten = p.unwritten[:0]
	return nil
}

// count counts the label of the next row.
func (p *labelPass[P]) count(x journalRecord) {
	if x.fault != "" {
		p.skipped = append(p.skipped, x.fault)
	} else if x.Nodes+int64(x.Depth) > 0 { // else endgame tables answered
		limits := p.cfg.Search.Limits()
		p.tally.Add(
			client.Limits{Depth: limits.Depth, Nodes: limits.Nodes, MoveTime: limits.Time},
			client.Answer{Result: search.Result{Score: x.Score, Depth: x.Depth, Nodes: x.Nodes}, Scored: true},
		)
	}
	p.done++
}

// emit passes a row on with its label, if it has one. When the context has ended nobody reads rows.
func (p *labelPass[P]) emit(ctx context.Context, r datasets.Row[P], x journalRecord) {
	if x.fault != "" {
		return
	}
	select {
	case p.labelled <- labelRow(p.kit.Game.Info, r, x.Answer):
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
