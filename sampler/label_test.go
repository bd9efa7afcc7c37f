package sampler

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kroo/datasets"
	"kroo/endgame"
	"kroo/engine"
	"kroo/engine/search"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/journal/journaltest"
	"kroo/internal/testkit"
)

// samplePositions makes a small dataset of positions in a new folder.
func samplePositions(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "positions.parquet")
	if _, err := Sample(context.Background(), engine.Oware(), Config{Method: Uniform, N: n, Seed: 7}, engine.Spec{Weights: engine.CapturesName}, path, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

var smallSearch = LabelConfig{Spec: engine.Spec{Weights: engine.CapturesName, Search: engine.Config{Nodes: 300, HashMB: 1}}, Workers: 2}

func TestLabelsDoNotDependOnWorkers(t *testing.T) {
	in := samplePositions(t, 200)
	var first string
	for workers := 1; workers <= 3; workers++ {
		out := filepath.Join(t.TempDir(), "labels.parquet")
		c := smallSearch
		c.Workers = workers
		if _, err := Label(context.Background(), engine.Oware(), in, out, c, nil); err != nil {
			t.Fatal(err)
		}
		if got := testkit.Text(t, out); first == "" {
			first = got
		} else if got != first {
			t.Errorf("%d workers made other bytes than one", workers)
		}
	}
}

func TestLabelSurvivesCrashes(t *testing.T) {
	in := samplePositions(t, 60)
	label := func(dir string, change func(*engine.Config)) (made []byte, pieces int, err error) {
		c, out, first := smallSearch, filepath.Join(dir, "labels.parquet"), int64(-1)
		change(&c.Search)
		c.Workers = 1
		_, err = Label(t.Context(), engine.Oware(), in, out, c, func(done, _ int64, _ string) {
			if first < 0 {
				first = done
			}
		})
		made, _ = os.ReadFile(out) // absent after an error
		return made, 60 - int(first), err
	}
	other := func(change func(*engine.Config)) func(string) error {
		return func(dir string) error { _, _, err := label(dir, change); return err }
	}
	journaltest.Run(t, journaltest.Work{
		Journal: "labels.parquet.journal",
		Do:      func(dir string) ([]byte, int, error) { return label(dir, func(*engine.Config) {}) },
		Others: map[string]func(string) error{
			"nodes":  other(func(c *engine.Config) { c.Nodes++ }),
			"step 2": other(func(c *engine.Config) { c.Step = 2 }),
		},
	})
}

// searchTo is the score of a search in steps of two to a label's depth.
func searchTo(t *testing.T, r datasets.Row[oware.Position]) int32 {
	s := search.NewSearcher(search.Knowledge[oware.Position]{Eval: owarefeatures.Captures{}}, search.Options{HashMB: 1, FullWidth: true, Step: 2})
	return int32(s.Search(t.Context(), r.Position, nil, search.Limits{Depth: int(r.Depth)}, search.Query{}).Score)
}

// Labels in steps of two have odd depths, the value of a search to that depth, and record their
// step. A step of one is the default.
func TestLabelsInSteps(t *testing.T) {
	in := samplePositions(t, 100)
	labels := func(step int) (datasets.Meta, string) {
		out := filepath.Join(t.TempDir(), "labels.parquet")
		c := smallSearch
		c.Search = engine.Config{Nodes: 3000, HashMB: 1, FullWidth: true, Step: step, Tables: engine.NoTables}
		meta := testkit.Must(Label(t.Context(), engine.Oware(), in, out, c, nil))(t)
		return meta, out
	}
	meta, plain := labels(0)
	if one, same := labels(1); one.Limits != meta.Limits || testkit.Text(t, same) != testkit.Text(t, plain) || strings.Contains(meta.Limits, "step") {
		t.Errorf("step 1: limits %q, without a step %q", one.Limits, meta.Limits)
	}
	meta, odd := labels(2)
	if !strings.HasSuffix(meta.Limits, "full width, step 2, no tables") {
		t.Errorf("limits %q lack the step", meta.Limits)
	}
	_, rows, err := datasets.Read(oware.Descriptor(), odd, datasets.Labels)
	testkit.NoError(t, err)
	for _, r := range rows {
		if again := searchTo(t, r); r.Depth%2 != 1 || again != r.Score {
			t.Errorf("%v: %d at depth %d, a search to that depth gives %d", r.Position, r.Score, r.Depth, again)
		}
	}
}

// Labels limited by time, as in the thesis, take that time unless the result is proven, record the
// limit, and have the value of a search to their depth.
func TestLabelsByTime(t *testing.T) {
	const each = 10 * time.Millisecond
	in, out := samplePositions(t, 40), filepath.Join(t.TempDir(), "labels.parquet")
	c := smallSearch
	c.Search, c.Workers = engine.Config{MoveTime: engine.Duration{Duration: each}, HashMB: 1, FullWidth: true, Step: 2, Tables: engine.NoTables}, 1
	begin := time.Now()
	meta := testkit.Must(Label(t.Context(), engine.Oware(), in, out, c, nil))(t)
	took := time.Since(begin)
	if !strings.HasPrefix(meta.Limits, "movetime 10ms,") {
		t.Errorf("limits %q lack the time", meta.Limits)
	}
	_, rows, err := datasets.Read(oware.Descriptor(), out, datasets.Labels)
	testkit.NoError(t, err)
	open := 0
	for _, r := range rows {
		if !r.Exact {
			open++
		}
		if again := searchTo(t, r); r.Depth < 1 || again != r.Score {
			t.Errorf("%v: %d at depth %d, a search to that depth gives %d", r.Position, r.Score, r.Depth, again)
		}
	}
	if open < 20 || took < time.Duration(open)*each/2 {
		t.Errorf("%d labels that are not proven took %s: expected about %s each", open, took, each)
	}
}

// The path of tables is not enough: another table may have replaced them.
func TestJournalsAreNotResumedWithOtherTables(t *testing.T) {
	in := samplePositions(t, 120)
	dir := t.TempDir()
	labels, sample := filepath.Join(dir, "labels.parquet"), filepath.Join(dir, "sample.parquet")
	c := smallSearch
	c.Search.Tables = filepath.Join(dir, "abapa.endgame")
	games := quickGames
	games.Tables = c.Search.Tables
	put := func(seeds int) {
		table, err := endgame.Build(t.Context(), endgame.Config{Rules: oware.Abapa, Seeds: seeds, Bounds: endgame.Crude}, nil)
		if err == nil {
			err = table.Write(c.Search.Tables)
		}
		testkit.NoError(t, err)
	}
	put(2)
	before, err := Label(t.Context(), engine.Oware(), in, labels, c, nil)
	testkit.NoError(t, err)
	if _, err := Sample(t.Context(), engine.Oware(), games, engine.Spec{Weights: engine.CapturesName}, sample, nil); err != nil {
		t.Fatal(err)
	}
	testkit.Contains(t, before.Limits, "tables crude of 2 seeds ")
	put(3)
	if after, err := Label(t.Context(), engine.Oware(), in, labels, c, nil); err == nil || after.Limits == before.Limits {
		t.Errorf("labels: limits %q, error %v: expected others than %q and an error", after.Limits, err, before.Limits)
	}
	_, err = Sample(t.Context(), engine.Oware(), games, engine.Spec{Weights: engine.CapturesName}, sample, nil)
	testkit.ErrorContains(t, err, "journal")
}

func TestLabelStopsAndResumes(t *testing.T) {
	in := samplePositions(t, 4150)
	dir := t.TempDir()
	stopped, whole := filepath.Join(dir, "stopped.parquet"), filepath.Join(dir, "whole.parquet")
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Label(ctx, engine.Oware(), in, stopped, smallSearch, func(done, _ int64, _ string) {
		if done == 50 {
			cancel()
		}
	})
	if err == nil {
		t.Fatal("a cancelled label stage reports success")
	}
	if _, err := os.Stat(stopped); err == nil {
		t.Fatal("a cancelled label stage wrote its output")
	}
	for _, out := range []string{stopped, whole} {
		if _, err := Label(context.Background(), engine.Oware(), in, out, smallSearch, nil); err != nil {
			t.Fatal(err)
		}
	}
	testkit.Equal(t, testkit.Text(t, stopped), testkit.Text(t, whole), "labels differ after a stop")
}

// A position of few seeds, which the default tables decide, and the same without tables, by the
// textbook search.
func TestTablesAnswerWithoutSearch(t *testing.T) {
	in := testkit.Must(sampleFrom(t, Config{Method: file}, "boards.txt", "0-2-0-0-0-2-1-1-0-0-0-0-24-18-S\n"+startBoard+"\n"))(t)
	for tables, answered := range map[string]bool{"": true, engine.NoTables: false} {
		out := filepath.Join(t.TempDir(), "l.parquet")
		c := smallSearch
		c.Search.Tables, c.Search.FullWidth, c.Search.Nodes = tables, true, 2000
		if _, err := Label(t.Context(), engine.Oware(), in, out, c, nil); err != nil {
			t.Fatal(err)
		}
		_, rows, err := datasets.Read(oware.Descriptor(), out, datasets.Labels)
		testkit.NoError(t, err)
		late, early := rows[0], rows[1]
		if late.Nodes == 0 != answered || late.HasBest == answered || answered && (!late.Exact || late.Bound != datasets.AtLeast) || late.Label != 1000 {
			t.Errorf("tables %q: late %+v", tables, late)
		}
		if early.Nodes == 0 || early.Exact || !early.HasBest || early.Bound != datasets.Value {
			t.Errorf("tables %q: early %+v", tables, early)
		}
	}
}

// points against the scale in floating point, which represents halves exactly.
func TestPointsOfAScore(t *testing.T) {
	info := oware.Descriptor().Info
	for score := -20_000; score <= 20_000; score++ {
		want := math.Round(float64(score*10) / 24)
		if score > 10_000 || want > 1000 {
			want = 1000
		}
		if score < -10_000 || want < -1000 {
			want = -1000
		}
		if got := engine.Points(info, score); float64(got) != want {
			t.Errorf("score %d is %d points: want %g", score, got, want)
		}
	}
}
