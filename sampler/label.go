package sampler

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/farm"
	"kroo/games/oware"
	"kroo/internal/revision"
	"kroo/internal/wal"
)

// LabelConfig says how positions are labelled.
type LabelConfig struct {
	Search  engine.Config
	Workers int                               // 0 is one a processor
	Eval    engine.Evaluation[oware.Position] // of the labelling search
}

// journalName is where a long stage keeps its finished pieces until the
// output is written.
func journalName(out string) string { return out + ".journal" }

// Label searches every position of the dataset in and writes the labels to
// out. Finished labels are kept in out.journal: the same call goes on from there
// after an interruption. The journal stays until [RemoveJournal], so that a
// caller can first note that the labels are there.
func Label(ctx context.Context, in, out string, cfg LabelConfig, progress func(done, total int64)) (datasets.Meta, error) {
	meta, rows, err := datasets.ReadPositions(in)
	if err != nil {
		return meta, err
	}
	rules, err := oware.ParseRules(meta.Rules)
	if err != nil {
		return meta, fmt.Errorf("%s: %w", in, err)
	}
	if err := cfg.Eval.CheckRules(rules.String()); err != nil {
		return meta, err
	}
	parent, err := datasets.FileHash(in)
	if err != nil {
		return meta, err
	}
	meta.Kind, meta.Parent = "labels", parent
	meta.Limits, meta.Evaluator, meta.Engine, meta.Tool = cfg.Search.String(), cfg.Eval.Name, engine.Signature(), revision.Get()

	positions := make([]oware.Position, len(rows))
	for i, r := range rows {
		if positions[i], err = oware.FromBookKey(rules, r.Key); err != nil {
			return meta, fmt.Errorf("%s: row %d: %w", in, i, err)
		}
	}
	labels, err := labelAll(ctx, rules, positions, journalName(out), meta, cfg, progress)
	if err != nil {
		return meta, err
	}
	return meta, datasets.WriteLabels(out, meta, labels)
}

// RemoveJournal clears away the finished pieces that [Label] has kept for out.
func RemoveJournal(out string) error {
	if err := os.Remove(journalName(out)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// labelAll searches what neither the journal holds nor the endgame table knows.
func labelAll(ctx context.Context, rules oware.Rules, positions []oware.Position, path string, meta datasets.Meta, cfg LabelConfig, progress func(done, total int64)) ([]datasets.LabelRow, error) {
	labels := make([]datasets.LabelRow, len(positions))
	done := make([]bool, len(positions))
	finished := int64(0)
	log, err := openJournal(path, meta, func(rec []byte) error {
		i, row, err := decodeLabel(rec)
		if err == nil && (i >= len(positions) || done[i] || row.Key != positions[i].BookKey()) {
			err = fmt.Errorf("label %d is not of these positions", i)
		}
		if err != nil {
			return err
		}
		labels[i], done[i] = row, true
		finished++
		return nil
	})
	if err != nil {
		return nil, err
	}
	defer log.Close()

	e, err := engine.New(engine.Oware(), cfg.Eval, cfg.Search, rules.String())
	if err != nil {
		return nil, err
	}
	defer e.Close()
	var jobs []farm.Job
	var index []int // of each job's row
	for i, p := range positions {
		if done[i] {
			continue
		}
		if row, known := labelFromTable(e.Tables, p); known {
			labels[i] = row
			finished++
		} else {
			jobs = append(jobs, farm.Job{Position: p, Limits: cfg.Search.Limits()})
			index = append(index, i)
		}
	}
	pool := farm.NewLocal(e.Knowledge(), cfg.Search.Options(), cfg.Workers)
	defer pool.Close()
	total := int64(len(positions))
	progress(finished, total)
	err = pool.Run(ctx, jobs, func(r farm.Result) error {
		if r.Err != nil {
			return r.Err
		}
		i := index[r.Index]
		labels[i] = labelOf(positions[i], r.Search)
		finished++
		progress(finished, total)
		return log.Append(encodeLabel(i, labels[i]))
	})
	if err != nil {
		return nil, errors.Join(err, log.Sync())
	}
	return labels, nil
}

// labelFromTable is the label of a position that the table decides. It took no
// search: depth and nodes are 0.
func labelFromTable(t search.Prober[oware.Position], p oware.Position) (row datasets.LabelRow, known bool) {
	if t == nil {
		return row, false
	}
	low, high, ok := t.Final(p)
	if !ok {
		return row, false
	}
	score, decided := search.Decided(low, high)
	return datasets.LabelRow{Key: p.BookKey(), Score: int32(score), Label: float64(search.Points(score)), Exact: true}, decided
}

func labelOf(p oware.Position, r search.Result) datasets.LabelRow {
	return datasets.LabelRow{
		Key:   p.BookKey(),
		Score: int32(r.Score),
		Label: float64(search.Points(r.Score)),
		Depth: int32(r.Depth),
		Nodes: r.Nodes,
		Exact: r.Proven,
	}
}

// openJournal opens the journal of a stage, or starts it. The header is the
// JSON of what the stage's result depends on; a journal with another header
// is refused.
func openJournal(path string, header any, record func([]byte) error) (*wal.Log, error) {
	want, err := json.Marshal(header)
	if err != nil {
		return nil, err
	}
	return wal.OpenOrCreate(path, want, func(got []byte) error {
		if !bytes.Equal(got, want) {
			return fmt.Errorf("it belongs to other settings or another input: delete it to start again")
		}
		return nil
	}, record)
}

const labelRecord = 4 + 8 + 4 + 4 + 8 + 1

func encodeLabel(i int, r datasets.LabelRow) []byte {
	b := make([]byte, 0, labelRecord)
	b = binary.LittleEndian.AppendUint32(b, uint32(i))
	b = binary.LittleEndian.AppendUint64(b, uint64(r.Key))
	b = binary.LittleEndian.AppendUint32(b, uint32(r.Score))
	b = binary.LittleEndian.AppendUint32(b, uint32(r.Depth))
	b = binary.LittleEndian.AppendUint64(b, uint64(r.Nodes))
	if r.Exact {
		return append(b, 1)
	}
	return append(b, 0)
}

func decodeLabel(b []byte) (int, datasets.LabelRow, error) {
	if len(b) != labelRecord {
		return 0, datasets.LabelRow{}, fmt.Errorf("a record of %d bytes: expected %d", len(b), labelRecord)
	}
	score := int32(binary.LittleEndian.Uint32(b[12:]))
	return int(binary.LittleEndian.Uint32(b)), datasets.LabelRow{
		Key:   int64(binary.LittleEndian.Uint64(b[4:])),
		Score: score,
		Label: float64(search.Points(int(score))),
		Depth: int32(binary.LittleEndian.Uint32(b[16:])),
		Nodes: int64(binary.LittleEndian.Uint64(b[20:])),
		Exact: b[28] == 1,
	}, nil
}
