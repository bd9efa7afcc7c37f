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

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/engine/uci/programs"
	"kroo/farm"
	"kroo/internal/journal"
	"kroo/internal/oneline"
	"kroo/internal/parallel"
	"kroo/internal/revision"
)

// LabelConfig says how positions are labelled.
type LabelConfig[P search.Position[P]] struct {
	Search   engine.Config
	Workers  int                  // 0 is one a processor
	Eval     engine.Evaluation[P] // of the labelling search, or another program that searches
	Made     string               // what the manifest says of the making; "" is nothing
	Where    string               // filter of the rows to label (datasets.ParseFilter); "" is all
	AllMoves bool                 // search the exact score of every move
	Farm     farm.Network         // of the workers that search; nil for this machine

	// A position at which a program has failed three times has no label. The same call after an
	// error tries it again.
	Fault func(error)                 // hears of each at once; nil for nobody
	Left  func(row int64, why string) // hears in the end of each that has no label, by its row from 0; nil for nobody
}

// pool is what searches, for so many positions. failed is as [engine.Searchers] has it.
func (c LabelConfig[P]) pool(e *engine.Engine[P], searches int64, failed func(engine.Job[P], error) error) (engine.Pool[P], error) {
	if c.Farm != nil {
		return farm.Searches(c.Farm, e, searches)
	}
	s, err := e.Searchers(c.Workers)
	if err == nil {
		s.Failed = failed
	}
	return s, err
}

// ahead is how many labels may wait for an earlier one, and are lost in a crash: more
// than a large farm has in hand.
const ahead = 1 << 15

// Label searches every position of the positions table in and writes the labels
// to out. It keeps finished labels in out.journal: the same call goes on from
// there after an interruption. The journal stays until [RemoveJournal], so that a
// caller can first note that the labels are there. It holds a few chunks of rows
// in memory, however many there are.
func Label[P search.Position[P]](ctx context.Context, k engine.Kit[P], in, out string, cfg LabelConfig[P], progress parallel.Progress) (datasets.Meta, error) {
	table, err := datasets.Open(ctx, k.Game.Info, in)
	if err != nil {
		return datasets.Meta{}, err
	}
	defer table.Close()
	if err := datasets.CheckOutput(out); err != nil {
		return datasets.Meta{}, err
	}
	l := labeller[P]{kit: k, cfg: cfg, in: table, rules: table.Meta.Rules, journal: journalName(out), progress: progress}
	if cfg.Fault == nil {
		l.cfg.Fault = func(error) {}
	}
	// What is wrong with the input is found now, not after hours of searches.
	for _, err := range l.positions(ctx) {
		if err != nil {
			return table.Meta, err
		}
		l.total++
	}
	if l.total == 0 && cfg.Where != "" {
		return table.Meta, fmt.Errorf("%s: no row has %.80s: expected some", in, cfg.Where)
	}
	l.meta = table.Meta
	l.meta.Note = datasets.Noted(l.meta.Note, cfg.Where)
	l.meta.Kind, l.meta.Parent, l.meta.AllMoves, l.meta.Grouped = datasets.Labels, table.SHA256, cfg.AllMoves, true
	l.meta.Tool, l.meta.Made = revision.Get(), cfg.Made
	e, err := engine.New(k, cfg.Eval, cfg.Search, l.rules)
	if err != nil {
		return l.meta, err
	}
	defer e.Close()
	l.meta.Limits, l.meta.Evaluator, l.meta.Engine = e.Limits(), cfg.Eval.Name, e.Signature()
	if err := l.searchAll(ctx, e); err != nil {
		return l.meta, err
	}
	if int64(len(l.known.failed)) == l.total {
		return l.meta, l.fault
	}
	l.noteFailed()
	if text := l.searched.Disobeyed(); text != "" {
		l.note("the program does not obey its limit: " + text)
	}
	return l.meta, datasets.Write(k.Game, out, l.meta, l.rows(ctx))
}

// labeller labels one table.
type labeller[P search.Position[P]] struct {
	kit      engine.Kit[P]
	cfg      LabelConfig[P]
	in       *datasets.Table
	rules    string
	meta     datasets.Meta
	journal  string
	known    known[P]
	searched client.LimitTally // of a program
	total    int64
	fault    error // the last one of a program
	progress parallel.Progress
}

func (l *labeller[P]) openJournal(replay func(entry[P]) error) (*journal.Journal[entry[P]], error) {
	settings := map[string]any{
		"input": l.meta.Parent, "game": l.meta.Game, "rules": l.rules, "search": l.meta.Limits,
		"evaluation": l.meta.Evaluator, "all_moves": l.meta.AllMoves, "engine": l.meta.Engine,
	}
	if l.cfg.Where != "" {
		settings["where"] = l.cfg.Where
	}
	return journal.Open(l.journal, "kroo-label 2", settings, entryCodec[P](), replay)
}

// searchAll brings the journal to a label of every position, in their order.
func (l *labeller[P]) searchAll(ctx context.Context, e *engine.Engine[P]) (err error) {
	j, err := l.openJournal(l.take)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	done := l.known.rows
	if done > l.total {
		return fmt.Errorf("%s: %d labels of %d positions: delete it to start again", l.journal, done, l.total)
	}
	l.progress.At(done, l.total)
	if err := l.retry(ctx, e, j); err != nil || done == l.total {
		return err
	}
	first, inARow := int(done), 0
	labels := parallel.NewInOrder(first, ahead, func(x entry[P]) error {
		done++
		l.progress.At(done, l.total)
		return errors.Join(l.take(x), j.Append(x))
	})
	pool, err := l.cfg.pool(e, l.total-done, func(j engine.Job[P], err error) error {
		if !isFault(err) {
			return err
		}
		if perr := labels.Put(j.Number, entry[P]{failed: oneline.Short(err.Error())}); perr != nil { // what waited for it is kept
			return perr
		}
		l.fault = err
		if inARow++; inARow == hopeless {
			return err
		}
		l.cfg.Fault(err)
		return nil
	})
	if err != nil {
		return err
	}
	err = pool.Search(ctx, func(ctx context.Context, ask func(engine.Job[P]) error) error {
		return l.feed(ctx, e.Tables, first, labels, ask)
	}, func(j engine.Job[P], r search.Result) error {
		inARow = 0
		return labels.Put(j.Number, entry[P]{label: labelOf[P](r, l.cfg.AllMoves)})
	})
	return cmp.Or(err, j.Sync())
}

// take takes the next entry of the journal.
func (l *labeller[P]) take(x entry[P]) error {
	if l.cfg.Eval.Program != nil && x.failed == "" && x.label.Nodes+int64(x.label.Depth) > 0 { // else tables know it
		lim := l.cfg.Search.Limits()
		l.searched.Add(client.Limits{Depth: lim.Depth, Nodes: lim.Nodes, MoveTime: lim.Time},
			client.Answer{Score: int(x.label.Score), Scored: true, Depth: int(x.label.Depth), Nodes: x.label.Nodes})
	}
	return l.known.take(x)
}

// note adds to what the dataset says of itself.
func (l *labeller[P]) note(text string) {
	l.meta.Note = strings.TrimPrefix(l.meta.Note+"; "+text, "; ")
}

// noteFailed tells which positions have no label.
func (l *labeller[P]) noteFailed() {
	if len(l.known.failed) == 0 {
		return
	}
	l.note(fmt.Sprintf("%d of the parent's %d positions are left out: the program failed at them", len(l.known.failed), l.total))
	for _, row := range slices.Sorted(maps.Keys(l.known.failed)) {
		if l.cfg.Left != nil {
			l.cfg.Left(row, l.known.failed[row])
		}
	}
}

// job is the search of a row.
func (l *labeller[P]) job(row int, p P) engine.Job[P] {
	return engine.Job[P]{Number: row, Position: p, Limits: l.cfg.Search.Limits(), AllMoves: l.cfg.AllMoves}
}

// hopeless is at how many positions in a row a program fails that is not asked about others: what
// ails it is not the positions.
const hopeless = 20

// isFault tells whether a program has failed at a position. Other errors end the work.
func isFault(err error) bool {
	_, program := errors.AsType[*programs.Fault](err)
	return program
}

// retry tries the rows again at which the program has failed before.
func (l *labeller[P]) retry(ctx context.Context, e *engine.Engine[P], log *journal.Journal[entry[P]]) error {
	if len(l.known.failed) == 0 {
		return nil
	}
	pool, err := l.cfg.pool(e, int64(len(l.known.failed)), func(_ engine.Job[P], err error) error {
		if !isFault(err) {
			return err
		}
		l.fault = err
		return nil
	})
	if err != nil {
		return err
	}
	rows := slices.Sorted(maps.Keys(l.known.failed))
	return pool.Search(ctx, func(_ context.Context, ask func(engine.Job[P]) error) error {
		row := int64(0)
		for r, err := range l.positions(ctx) {
			if err != nil || len(rows) == 0 {
				return err
			}
			if row == rows[0] {
				if rows, err = rows[1:], ask(l.job(int(row), r.Position)); err != nil {
					return err
				}
			}
			row++
		}
		return nil
	}, func(j engine.Job[P], r search.Result) error {
		x := entry[P]{label: labelOf[P](r, l.cfg.AllMoves), late: true, row: int64(j.Number)}
		return errors.Join(l.take(x), log.Append(x))
	})
}

// feed asks for the searches of the rows that have no label yet, and puts the labels of
// those that the tables know.
func (l *labeller[P]) feed(ctx context.Context, t search.Prober[P], first int, labels *parallel.InOrder[entry[P]], ask func(engine.Job[P]) error) error {
	number := 0
	for r, err := range l.positions(ctx) {
		if err != nil {
			return err
		}
		if number++; number <= first {
			continue
		}
		if err := labels.Wait(ctx); err != nil {
			return err
		}
		if x, known := l.fromTables(t, r.Position); known {
			err = labels.Put(number-1, entry[P]{label: x})
		} else {
			err = ask(l.job(number-1, r.Position))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// positions are the rows to label.
func (l *labeller[P]) positions(ctx context.Context) iter.Seq2[datasets.PositionRow[P], error] {
	return datasets.Scan[datasets.PositionRow[P]](ctx, l.kit.Game, l.in, datasets.Query{Where: l.cfg.Where})
}

// rows are the labelled rows: the positions of the input with the labels of the journal,
// which has one for each, or tells that there is none.
func (l *labeller[P]) rows(ctx context.Context) iter.Seq2[datasets.LabelRow[P], error] {
	return func(yield func(datasets.LabelRow[P], error) bool) {
		next, stop := iter.Pull2(l.positions(ctx))
		defer stop()
		errStopped := errors.New("stopped")
		row := int64(-1)
		j, err := l.openJournal(func(x entry[P]) error {
			if x.late {
				return nil
			}
			at, err, more := next()
			if !more {
				return errors.New("more labels than positions")
			}
			if err != nil {
				return err
			}
			row++
			label, there := l.known.label(row, x)
			if !there {
				return nil
			}
			label.PositionRow, label.Label = at, float64(engine.Points(l.kit.Game.Info, int(label.Score)))
			if !yield(label, nil) {
				return errStopped
			}
			return nil
		})
		if err == nil {
			err = j.Close()
		}
		if err != nil && !errors.Is(err, errStopped) {
			yield(datasets.LabelRow[P]{}, err)
		}
	}
}
