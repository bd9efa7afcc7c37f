package sampler

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/engine/uci/programs"
	"kroo/farm"
	"kroo/internal/journal"
	"kroo/internal/parallel"
	"kroo/internal/revision"
)

// LabelConfig says how positions are labelled.
type LabelConfig[P search.Position[P]] struct {
	Search   engine.Config
	Workers  int                  // 0 is one a processor
	Eval     engine.Evaluation[P] // of the labelling search
	Made     string               // what the manifest says of the making; "" is nothing
	Where    string               // filter of the rows to label (datasets.ParseFilter); "" is all
	Again    bool                 // the table has labels: those of other rows than Where's stay as they are
	AllMoves bool                 // search the exact score of every move
	Farm     farm.Network         // of the workers that search; nil for this machine
	Program  client.Command       // that searches in place of the engine; its Path is "" for none
}

// pool is what searches, for so many positions.
func (c LabelConfig[P]) pool(e *engine.Engine[P], searches int64) (engine.Pool[P], error) {
	if c.Farm != nil {
		return farm.Searches(c.Farm, e, searches)
	}
	return e.Searchers(c.Workers)
}

// ahead is how many labels may wait for an earlier one, and are lost in a crash: more
// than a large farm has in hand.
const ahead = 1 << 15

// Label searches every position of the positions table in and writes the labels
// to out. It keeps finished labels in out.journal: the same call goes on from
// there after an interruption. The journal stays until [RemoveJournal], so that a
// caller can first note that the labels are there. It holds a few chunks of rows
// in memory, however many there are. progress may be nil.
func Label[P search.Position[P]](ctx context.Context, k engine.Kit[P], in, out string, cfg LabelConfig[P], progress func(done, total int64)) (datasets.Meta, error) {
	manifest, err := datasets.ReadManifest(in)
	if err != nil {
		return datasets.Meta{}, err
	}
	if err := datasets.CheckOutput(out); err != nil {
		return datasets.Meta{}, err
	}
	l := labeller[P]{kit: k, cfg: cfg, in: in, rules: manifest.Meta.Rules, journal: journalName(out), progress: progress}
	if progress == nil {
		l.progress = func(int64, int64) {}
	}
	if cfg.Again && cfg.AllMoves != manifest.Meta.AllMoves {
		return manifest.Meta, fmt.Errorf("%s: it has the scores of all moves: %v; the new labels: %v; expected the same", in, manifest.Meta.AllMoves, cfg.AllMoves)
	}
	// What is wrong with the input is found now, not after hours of searches.
	for _, err := range l.positions() {
		if err != nil {
			return manifest.Meta, err
		}
		l.total++
	}
	if l.total == 0 && cfg.Where != "" {
		return manifest.Meta, fmt.Errorf("%s: no row has %.80s: expected some", in, cfg.Where)
	}
	l.meta = manifest.Meta
	l.meta.Note = datasets.Noted(l.meta.Note, cfg.Where)
	if cfg.Again {
		l.meta.Note += fmt.Sprintf(" labelled again, the others by %s (%s)", manifest.Meta.Evaluator, manifest.Meta.Limits)
	}
	l.meta.Kind, l.meta.Parent, l.meta.AllMoves = datasets.Labels, manifest.SHA256, cfg.AllMoves
	l.meta.Engine, l.meta.Tool, l.meta.Made = engine.Signature(), revision.Get(), cfg.Made
	e, err := engine.New(k, cfg.Eval, cfg.Search, l.rules)
	if err != nil {
		return l.meta, err
	}
	defer e.Close()
	l.meta.Limits, l.meta.Evaluator = e.Limits(), cfg.Eval.Name
	if cfg.Program.Path != "" {
		if l.program, err = programs.New(ctx, k.Game, cfg.Program, cfg.Workers, e.NewSearcher); err != nil {
			return l.meta, err
		}
		l.meta.Limits, l.meta.Evaluator, l.meta.Engine = cfg.Search.Bounds(), l.program.Name(), l.program.Signature()
		if e.Tables != nil {
			l.meta.Limits += ", tables " + e.Tables.Name()
		}
	}
	if err := l.searchAll(ctx, e); err != nil {
		return l.meta, err
	}
	return l.meta, datasets.Write(k.Game, out, l.meta, l.rows())
}

// labeller labels one table.
type labeller[P search.Position[P]] struct {
	kit      engine.Kit[P]
	cfg      LabelConfig[P]
	in       string
	rules    string
	meta     datasets.Meta
	program  *programs.Pool[P] // nil for the engine
	journal  string
	total    int64
	progress func(done, total int64)
}

func (l *labeller[P]) openJournal(replay func(datasets.LabelRow[P]) error) (*journal.Journal[datasets.LabelRow[P]], error) {
	settings := map[string]any{
		"input": l.meta.Parent, "game": l.meta.Game, "rules": l.rules, "search": l.meta.Limits,
		"evaluation": l.meta.Evaluator, "all_moves": l.meta.AllMoves, "engine": l.meta.Engine,
	}
	if l.cfg.Where != "" {
		settings["where"] = l.cfg.Where
	}
	return journal.Open(l.journal, "kroo-label 2", settings, labelCodec[P](), replay)
}

// searchAll brings the journal to a label of every position, in their order.
func (l *labeller[P]) searchAll(ctx context.Context, e *engine.Engine[P]) (err error) {
	done := int64(0)
	j, err := l.openJournal(func(datasets.LabelRow[P]) error { done++; return nil })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	if done > l.total {
		return fmt.Errorf("%s: %d labels of %d positions: delete it to start again", l.journal, done, l.total)
	}
	l.progress(done, l.total)
	if done == l.total {
		return nil
	}
	var pool engine.Pool[P] = l.program
	if l.program == nil {
		if pool, err = l.cfg.pool(e, l.total-done); err != nil {
			return err
		}
	}
	first := int(done)
	labels := parallel.NewInOrder(first, ahead, func(x datasets.LabelRow[P]) error {
		done++
		l.progress(done, l.total)
		return j.Append(x)
	})
	err = pool.Search(ctx, func(ctx context.Context, ask func(engine.Job[P]) error) error {
		return l.feed(ctx, e.Tables, first, labels, ask)
	}, func(j engine.Job[P], r search.Result) error {
		return labels.Put(j.Number, labelOf[P](r, l.cfg.AllMoves))
	})
	if err != nil {
		return err
	}
	return j.Sync()
}

// feed asks for the searches of the rows that have no label yet, and puts the labels of
// those that the tables know.
func (l *labeller[P]) feed(ctx context.Context, t search.Prober[P], first int, labels *parallel.InOrder[datasets.LabelRow[P]], ask func(engine.Job[P]) error) error {
	number := 0
	for r, err := range l.positions() {
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
			err = labels.Put(number-1, x)
		} else {
			err = ask(engine.Job[P]{Number: number - 1, Position: r.Position, Limits: l.cfg.Search.Limits(), AllMoves: l.cfg.AllMoves})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// positions are the rows to label.
func (l *labeller[P]) positions() iter.Seq2[datasets.PositionRow[P], error] {
	if !l.cfg.Again {
		return datasets.ScanWhere[datasets.PositionRow[P]](l.kit.Game, l.in, l.cfg.Where)
	}
	return func(yield func(datasets.PositionRow[P], error) bool) {
		for r, err := range datasets.ScanWhere[datasets.LabelRow[P]](l.kit.Game, l.in, l.cfg.Where) {
			if !yield(r.PositionRow, err) {
				return
			}
		}
	}
}

// rows are the labelled rows: the positions of the input with the labels of the
// journal, which has one for each.
func (l *labeller[P]) rows() iter.Seq2[datasets.LabelRow[P], error] {
	return func(yield func(datasets.LabelRow[P], error) bool) {
		if l.cfg.Again {
			l.mixed()(yield)
			return
		}
		next, stop := iter.Pull2(l.positions())
		defer stop()
		errStopped := errors.New("stopped")
		j, err := l.openJournal(func(x datasets.LabelRow[P]) error {
			at, err, more := next()
			if !more {
				return errors.New("more labels than positions")
			}
			if err != nil {
				return err
			}
			x.PositionRow, x.Label = at, float64(engine.Points(l.kit.Game.Info, int(x.Score)))
			if !yield(x, nil) {
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
