package sampler

import (
	"cmp"
	"context"
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
	AllMoves    bool         // search the exact score of every move
	Farm        farm.Network // remote workers that search; nil means this machine

	// A position at which a program has failed three times gets no label. Calling Label again after
	// an error retries it.
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

// Label searches every position of the table in and writes the labels to out. Finished rows are
// kept in out.journal, so the same call resumes after an interruption. The journal remains until
// [RemoveJournal], so that a caller can first record that the labels exist. Label keeps a few
// chunks of rows in memory, and reads the table twice: for its hash and for its rows.
func Label[P search.Position[P]](ctx context.Context, k engine.Kit[P], in, out string, cfg LabelConfig, progress parallel.Progress) (datasets.Meta, error) {
	table, err := datasets.Open(ctx, k.Game.Info, in)
	if err != nil {
		return datasets.Meta{}, err
	}
	defer table.Close()
	if err := datasets.CheckOutput(out); err != nil {
		return datasets.Meta{}, err
	}
	l := labeller[P]{kit: k, cfg: cfg, in: table, journal: journalName(out), progress: progress, failed: map[int]string{}}
	if l.total, err = table.Count(ctx, l.query()); err != nil {
		return table.Meta, err
	}
	if l.total == 0 && cfg.Where != "" {
		return table.Meta, fmt.Errorf("%s: no row matches %.80s: expected at least one", in, cfg.Where)
	}
	l.meta = table.Meta
	l.meta.Note = datasets.Noted(l.meta.Note, cfg.Where)
	l.meta.Kind, l.meta.Parent, l.meta.AllMoves, l.meta.Grouped = datasets.Labels, table.SHA256, cfg.AllMoves, true
	l.meta.Tool, l.meta.Made = revision.Get(), cfg.Made
	l.known = known[P]{rows: make([]uint64, l.total/64+1), total: l.total, late: map[int64]answered[P]{}}
	e, err := engine.Open(ctx, k, cfg.Spec, l.meta.Rules)
	if err != nil {
		return l.meta, err
	}
	defer e.Close()
	l.meta.Limits, l.meta.Evaluator, l.meta.Engine = e.Limits(), e.Eval.Name, e.Signature()
	if err := l.searchAll(ctx, e); err != nil {
		return l.meta, err
	}
	if l.fault != nil && int64(len(l.failed)) == l.total {
		return l.meta, l.fault
	}
	if err := l.noteProgram(ctx); err != nil {
		return l.meta, err
	}
	return l.meta, datasets.Write(k.Game, out, l.meta, l.rows(ctx))
}

// labeller labels one table.
type labeller[P search.Position[P]] struct {
	kit      engine.Kit[P]
	cfg      LabelConfig
	in       *datasets.Table
	meta     datasets.Meta
	journal  string
	known    known[P]
	failed   map[int]string // reason why a row has no label
	fault    error          // the program's last failure
	total    int64
	progress parallel.Progress
}

func (l *labeller[P]) openJournal(replay func(answered[P]) error) (*journal.Journal[answered[P]], error) {
	settings := map[string]any{
		"input": l.meta.Parent, "game": l.meta.Game, "rules": l.meta.Rules, "search": l.meta.Limits,
		"evaluation": l.meta.Evaluator, "all_moves": l.meta.AllMoves, "engine": l.meta.Engine,
	}
	if l.cfg.Where != "" {
		settings["where"] = l.cfg.Where
	}
	return journal.Open(l.journal, "kroo-label 4", settings, answerCodec(l.kit.Game, l.meta.Rules), replay)
}

// maxFailuresInARow is the number of consecutive positions at which a program may fail before labelling
// stops: then the positions are not the cause.
const maxFailuresInARow = 20

// searchAll searches every position that the journal has no answer for, except those at which the
// program fails.
func (l *labeller[P]) searchAll(ctx context.Context, e *engine.Engine[P]) (err error) {
	j, err := l.openJournal(l.known.take)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	l.progress.At(l.known.n, l.total)
	if l.known.n == l.total {
		return nil
	}
	inARow := 0
	pool, err := poolOf(l.cfg, e, l.total-l.known.n, func(job engine.Job[P], err error) error {
		if _, program := errors.AsType[*engine.Fault](err); !program {
			return err
		}
		l.failed[job.Number], l.fault = wording.Short(err.Error()), err
		if inARow++; inARow == maxFailuresInARow {
			return err
		}
		if l.cfg.OnFailure != nil {
			l.cfg.OnFailure(err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var keeping sync.Mutex
	asked := map[int]datasets.Row[P]{}
	keep := func(number int, r datasets.Row[P], a engine.Answer) error {
		x := answered[P]{int64(number), r, a}
		if err := errors.Join(l.known.take(x), j.Append(x)); err != nil {
			return err
		}
		l.progress.At(l.known.n, l.total)
		return nil
	}
	err = pool.Search(ctx, func(ctx context.Context, ask func(engine.Job[P]) error) error {
		return l.feed(ctx, func(number int, r datasets.Row[P]) error {
			var a engine.Answer
			decided := false
			if e.Tables != nil && !l.cfg.AllMoves {
				a, decided = engine.Decided(e.Tables, r.Position)
			}
			keeping.Lock()
			if decided {
				defer keeping.Unlock()
				return keep(number, r, a)
			}
			asked[number] = r
			keeping.Unlock()
			return ask(engine.Job[P]{Number: number, Position: r.Position, Limits: l.cfg.Search.Limits(), AllMoves: l.cfg.AllMoves})
		})
	}, func(job engine.Job[P], a engine.Answer) error {
		keeping.Lock()
		defer keeping.Unlock()
		inARow = 0
		r := asked[job.Number]
		delete(asked, job.Number)
		return keep(job.Number, r, a)
	})
	return cmp.Or(err, j.Sync())
}

// feed passes on the rows to label that have no answer yet.
func (l *labeller[P]) feed(ctx context.Context, each func(number int, r datasets.Row[P]) error) error {
	number, done := 0, slices.Clone(l.known.rows) // a copy, since answers arrive meanwhile
	for r, err := range datasets.Scan(ctx, l.kit.Game, l.in, l.query()) {
		if err == nil && !has(done, int64(number)) {
			err = each(number, r)
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

// note adds text to the dataset's note.
func (l *labeller[P]) note(text string) {
	l.meta.Note = strings.TrimPrefix(l.meta.Note+"; "+text, "; ")
}

// noteProgram notes the positions at which the program failed, and a limit that it ignores.
func (l *labeller[P]) noteProgram(ctx context.Context) error {
	if l.cfg.Program.Path == "" {
		return nil
	}
	if len(l.failed) > 0 {
		l.note(fmt.Sprintf("%d of the parent's %d positions are left out, since the program failed at them", len(l.failed), l.total))
	}
	for _, row := range slices.Sorted(maps.Keys(l.failed)) {
		if l.cfg.OnSkipped != nil {
			l.cfg.OnSkipped(int64(row), l.failed[row])
		}
	}
	var tally client.LimitTally
	lim := l.cfg.Search.Limits()
	for r, err := range l.rows(ctx) {
		if err != nil {
			return err
		}
		if r.Nodes+int64(r.Depth) > 0 { // else endgame tables answered
			tally.Add(client.Limits{Depth: lim.Depth, Nodes: lim.Nodes, MoveTime: lim.Time}, client.Answer{Score: int(r.Score), Scored: true, Depth: int(r.Depth), Nodes: r.Nodes})
		}
	}
	if text := tally.Disobeyed(); text != "" {
		l.note("the program ignores its limit: " + text)
	}
	return nil
}

// rows yields the labelled rows of the journal in the table's order. Rows without an answer are
// left out.
func (l *labeller[P]) rows(ctx context.Context) iter.Seq2[datasets.Row[P], error] {
	return func(yield func(datasets.Row[P], error) bool) {
		errStopped := errors.New("stopped")
		number, came := int64(0), map[int64]answered[P]{} // answers that arrived before those of earlier rows
		upToMissing := func() error {
			for ; number < l.total; number++ {
				a, there := l.known.late[number]
				if !there {
					a, there = came[number]
				}
				if !there && has(l.known.rows, number) {
					return nil
				}
				delete(came, number)
				if there && !yield(labelRow(l.kit.Game.Info, a), nil) {
					return errStopped
				}
			}
			return nil
		}
		j, err := l.openJournal(func(a answered[P]) error {
			if _, late := l.known.late[a.number]; !late {
				came[a.number] = a
			}
			return cmp.Or(context.Cause(ctx), upToMissing())
		})
		if err == nil {
			err = cmp.Or(upToMissing(), j.Close())
		}
		if err != nil && !errors.Is(err, errStopped) {
			yield(datasets.Row[P]{}, err)
		}
	}
}

// labelRow makes a row of an answer. A win from endgame tables is a bound: the tables give neither
// its margin nor its length.
func labelRow[P search.Position[P]](info games.Info, a answered[P]) datasets.Row[P] {
	r := a.row
	r.Score, r.Label = int32(a.Score), float64(engine.Points(info, a.Score))
	r.Depth, r.Nodes, r.Exact = int32(a.Depth), a.Nodes, a.Proven
	r.HasBest, r.Best = a.HasMove, a.Move
	if _, counted := search.PliesToEnd(a.Score); search.Proven(a.Score) && !counted {
		r.Bound = datasets.AtLeast
		if a.Score < 0 {
			r.Bound = datasets.AtMost
		}
	}
	for _, m := range a.Moves {
		r.Scores = append(r.Scores, datasets.MoveScore{Move: m.Move, Score: int32(m.Score)})
	}
	return r
}
