package sampler

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/farm"
	"kroo/internal/journal"
	"kroo/internal/revision"
)

// LabelConfig says how positions are labelled.
type LabelConfig[P any] struct {
	Search   engine.Config
	Workers  int                  // 0 is one a processor
	Eval     engine.Evaluation[P] // of the labelling search
	AllMoves bool                 // search the exact score of every move
	Farm     farm.Network         // of the workers that search; nil for this machine
}

// blockRows is how many positions the pool gets at a time. At the end of a block
// workers wait for the slowest; labels that wait for an earlier one are lost in a
// crash.
const blockRows = 2048

// farmBlocks is how many times as many positions a farm gets: it has more workers.
const farmBlocks = 16

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
	l := labeller[P]{kit: k, cfg: cfg, in: in, rules: manifest.Meta.Rules, journal: journalName(out), total: manifest.Rows, progress: progress}
	if progress == nil {
		l.progress = func(int64, int64) {}
	}
	if err := manifest.Meta.CheckRules(k.Game.Name, l.rules); err != nil {
		return manifest.Meta, fmt.Errorf("%s: %w", in, err)
	}
	// What is wrong with the input is found now, not after hours of searches.
	if _, err := datasets.Scan(in, func([]datasets.PositionRow) error { return nil }); err != nil {
		return manifest.Meta, err
	}
	l.meta = manifest.Meta
	l.meta.Kind, l.meta.Parent, l.meta.AllMoves = datasets.Labels, manifest.SHA256, cfg.AllMoves
	l.meta.Engine, l.meta.Tool = engine.Signature(), revision.Get()
	e, err := engine.New(k, cfg.Eval, cfg.Search, l.rules)
	if err != nil {
		return l.meta, err
	}
	defer e.Close()
	l.meta.Limits, l.meta.Evaluator = e.Limits(), cfg.Eval.Name
	if err := l.searchAll(ctx, e); err != nil {
		return l.meta, err
	}
	return l.meta, datasets.Write(out, l.meta, l.rows())
}

// labeller labels one table.
type labeller[P search.Position[P]] struct {
	kit      engine.Kit[P]
	cfg      LabelConfig[P]
	in       string
	rules    string
	meta     datasets.Meta
	journal  string
	total    int64
	progress func(done, total int64)
}

func (l *labeller[P]) openJournal(replay func(label) error) (*journal.Journal[label], error) {
	return journal.Open(l.journal, "kroo-label 2", map[string]any{
		"input": l.meta.Parent, "game": l.meta.Game, "rules": l.rules, "search": l.meta.Limits,
		"evaluation": l.meta.Evaluator, "all_moves": l.meta.AllMoves, "engine": l.meta.Engine,
	}, labelCodec, replay)
}

// searchAll brings the journal to a label of every position, in their order.
func (l *labeller[P]) searchAll(ctx context.Context, e *engine.Engine[P]) (err error) {
	done := int64(0)
	j, err := l.openJournal(func(label) error { done++; return nil })
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
	pool, err := farm.New(ctx, l.cfg.Farm, e, l.cfg.Workers, l.total-done)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	skip, block := done, blockRows
	if l.cfg.Farm != nil {
		block *= farmBlocks
	}
	for rows, err := range chunks[datasets.PositionRow](l.in, block) {
		if err != nil {
			return err
		}
		known := min(skip, int64(len(rows)))
		skip -= known
		err = l.block(ctx, e, pool, rows[known:], func(x label) error {
			done++
			l.progress(done, l.total)
			return j.Append(x)
		})
		if err != nil {
			return err
		}
	}
	return j.Sync()
}

// block labels some positions and hands the labels over in order.
func (l *labeller[P]) block(ctx context.Context, e *engine.Engine[P], pool farm.Pool[P], rows []datasets.PositionRow, take func(label) error) error {
	labels := make([]label, len(rows))
	known := make([]bool, len(rows))
	jobs, index, err := l.jobs(e.Tables, rows, labels, known)
	if err != nil {
		return err
	}
	next := 0
	flush := func() error {
		for ; next < len(rows) && known[next]; next++ {
			if err := take(labels[next]); err != nil {
				return err
			}
		}
		return nil
	}
	if err := flush(); err != nil {
		return err
	}
	return pool.Run(ctx, jobs, func(r farm.Result) error {
		if r.Err != nil {
			return r.Err
		}
		i := index[r.Index]
		labels[i], known[i] = labelOf(r.Search, l.cfg.AllMoves), true
		return flush()
	})
}

// jobs are the searches of the rows that the tables do not label; index is the
// row of each job.
func (l *labeller[P]) jobs(t search.Prober[P], rows []datasets.PositionRow, labels []label, known []bool) (jobs []farm.Job[P], index []int, err error) {
	for i, r := range rows {
		p, err := datasets.PositionOf(l.kit.Game, l.rules, r.Key, r.Board)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", l.in, err)
		}
		if labels[i], known[i] = l.fromTables(t, p); !known[i] {
			jobs = append(jobs, farm.Job[P]{Position: p, Limits: l.cfg.Search.Limits(), AllMoves: l.cfg.AllMoves})
			index = append(index, i)
		}
	}
	return jobs, index, nil
}

// rows are the labelled rows: the positions of the input with the labels of the
// journal, which has one for each.
func (l *labeller[P]) rows() iter.Seq2[datasets.LabelRow, error] {
	return func(yield func(datasets.LabelRow, error) bool) {
		next, stop := iter.Pull2(chunks[datasets.PositionRow](l.in, blockRows))
		defer stop()
		var some []datasets.PositionRow
		errStopped := errors.New("stopped")
		j, err := l.openJournal(func(x label) error {
			if len(some) == 0 {
				var err error
				if some, err, _ = next(); err != nil {
					return err
				}
				if len(some) == 0 {
					return errors.New("more labels than positions")
				}
			}
			at := some[0]
			some = some[1:]
			if !yield(x.row(l.kit.Game.Info, at), nil) {
				return errStopped
			}
			return nil
		})
		if err == nil {
			err = j.Close()
		}
		if err != nil && !errors.Is(err, errStopped) {
			yield(datasets.LabelRow{}, err)
		}
	}
}
