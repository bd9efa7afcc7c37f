package sampler

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/games/oware"
)

func ignore(int64, int64) {}

// samplePositions makes a small dataset of positions in a new folder.
func samplePositions(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "positions.parquet")
	if _, err := Sample(context.Background(), engine.Oware(), Config{Method: Uniform, N: n, Seed: 7}, engine.Captures(), path, "", ignore); err != nil {
		t.Fatal(err)
	}
	return path
}

var smallSearch = LabelConfig[oware.Position]{Search: engine.Config{Nodes: 300, HashMB: 1}, Workers: 2, Eval: engine.Captures()}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestLabelsDoNotDependOnWorkers(t *testing.T) {
	in := samplePositions(t, 200)
	var first string
	for workers := 1; workers <= 3; workers++ {
		out := filepath.Join(t.TempDir(), "labels.parquet")
		c := smallSearch
		c.Workers = workers
		if _, err := Label(context.Background(), engine.Oware(), in, out, c, ignore); err != nil {
			t.Fatal(err)
		}
		if got := content(t, out); first == "" {
			first = got
		} else if got != first {
			t.Errorf("%d workers made other bytes than one", workers)
		}
	}
}

// A journal cut anywhere, as a kill leaves it, gives the same labels, and what
// it holds whole is not searched again.
func TestLabelGoesOnFromItsJournal(t *testing.T) {
	in := samplePositions(t, 120)
	whole := filepath.Join(t.TempDir(), "labels.parquet")
	if _, err := Label(context.Background(), engine.Oware(), in, whole, smallSearch, ignore); err != nil {
		t.Fatal(err)
	}
	journal := content(t, journalName(whole))
	for cut := 0; cut <= len(journal); cut += 1 + len(journal)/17 {
		if err := os.WriteFile(journalName(whole), []byte(journal[:cut]), 0o644); err != nil {
			t.Fatal(err)
		}
		first := int64(-1)
		_, err := Label(context.Background(), engine.Oware(), in, whole+".again.parquet", smallSearch, ignore) // another file: its own journal
		if err != nil {
			t.Fatal(err)
		}
		_, err = Label(context.Background(), engine.Oware(), in, whole, smallSearch, func(done, _ int64) {
			if first < 0 {
				first = done
			}
		})
		if err != nil {
			t.Fatalf("journal of %d bytes cut to %d: %v", len(journal), cut, err)
		}
		if content(t, whole) != content(t, whole+".again.parquet") {
			t.Fatalf("journal cut to %d of %d bytes: other labels", cut, len(journal))
		}
		if least := int64(cut-900) / (12 + 12); first < least {
			t.Errorf("journal cut to %d of %d bytes: went on from label %d, want at least %d", cut, len(journal), first, least)
		}
	}
}

func TestJournalOfOtherSettingsIsRefused(t *testing.T) {
	in := samplePositions(t, 120)
	out := filepath.Join(t.TempDir(), "labels.parquet")
	if _, err := Label(context.Background(), engine.Oware(), in, out, smallSearch, ignore); err != nil {
		t.Fatal(err)
	}
	before := content(t, out)
	c := smallSearch
	c.Search.Nodes++
	_, err := Label(context.Background(), engine.Oware(), in, out, c, ignore)
	if err == nil || !strings.Contains(err.Error(), journalName(out)) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v: want one line that names %s", err, journalName(out))
	}
	if content(t, out) != before {
		t.Error("the labels were overwritten")
	}
}

func TestLabelStopsAndGoesOn(t *testing.T) {
	in := samplePositions(t, 2*blockRows+50)
	dir := t.TempDir()
	stopped, whole := filepath.Join(dir, "stopped.parquet"), filepath.Join(dir, "whole.parquet")
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Label(ctx, engine.Oware(), in, stopped, smallSearch, func(done, _ int64) {
		if done == 50 {
			cancel()
		}
	})
	if err == nil {
		t.Fatal("a cancelled label stage said it was done")
	}
	if _, err := os.Stat(stopped); err == nil {
		t.Fatal("a cancelled label stage wrote its output")
	}
	for _, out := range []string{stopped, whole} {
		if _, err := Label(context.Background(), engine.Oware(), in, out, smallSearch, ignore); err != nil {
			t.Fatal(err)
		}
	}
	if content(t, stopped) != content(t, whole) {
		t.Error("labels differ after a stop")
	}
}
