package sampler

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/uci/client"
	"kroo/games/oware"
	"kroo/internal/journal"
	"kroo/internal/testkit"
	"kroo/internal/vfs"
)

// shell is a configuration of labels by a program, which answers go with a shell command.
func shell(onGo string) LabelConfig {
	c := smallSearch
	c.Search.Tables = engine.NoTables
	c.Program = client.Command{Path: "sh", Args: []string{"-c", `while read -r line; do case "$line" in
uci) echo id name Shell; echo option name Hash type spin default 1 min 1 max 9; echo uciok;;
isready) echo readyok;;
position*) at=$line;;
go*) ` + onGo + `; echo info depth 3 nodes 300 score cp 24; echo bestmove B;;
quit) exit;;
esac; done`}}
	return c
}

// boardsInOrder is a table of up to 33 positions; house A of the i-th has i seeds.
func boardsInOrder(t *testing.T, n int) string {
	t.Helper()
	var text strings.Builder
	for i := range n {
		south := (32 - i) / 2
		fmt.Fprintf(&text, "%d-2-2-2-2-2-1-1-1-1-1-1-%d-%d-S\n", i, south, 32-i-south)
	}
	return testkit.Must(sampleFrom(t, Config{Method: file}, "boards.txt", text.String()))(t)
}

// labelled returns the seeds in house A of the rows of a table of labels.
func labelled(t *testing.T, path string) (list []int) {
	t.Helper()
	_, rows, err := datasets.Read(oware.Descriptor(), path, datasets.Labels)
	testkit.NoError(t, err)
	for _, r := range rows {
		testkit.Equal(t, r.Label, 10, "label of %s, in points", r.Position)
		var seeds int
		fmt.Sscan(strings.SplitN(r.Position.String(), "-", 2)[0], &seeds)
		list = append(list, seeds)
	}
	return list
}

func TestRowsAtWhichAProgramFailsAreLeftOut(t *testing.T) {
	in, out := boardsInOrder(t, 6), filepath.Join(t.TempDir(), "labels.parquet")
	c := shell(`case "$at" in *" 1-2-2"*|*" 4-2-2"*|*" 5-2-2"*) exit 1;; esac`)
	failures := 0
	var boards []string
	c.OnFailure = func(error) { failures++ }
	c.OnSkipped = func(why string) {
		board, _ := strings.CutPrefix(why, "position ")
		first, _, _ := strings.Cut(board, "-")
		boards = append(boards, first)
		testkit.Contains(t, why, "failed 3 times")
	}
	meta := testkit.Must(Label(t.Context(), engine.Oware(), in, out, c, nil))(t)
	testkit.EqualSlices(t, labelled(t, out), []int{0, 2, 3}, "rows with labels")
	testkit.EqualSlices(t, boards, []string{"1", "4", "5"}, "boards reported, by their first house")
	testkit.Equal(t, failures, 3, "failures reported")
	testkit.Contains(t, meta.Note, "3 of the 6 positions are left out")
	made := testkit.Text(t, out)
	testkit.NoError(t, os.Remove(out))
	testkit.Must(Label(t.Context(), engine.Oware(), in, out, c, nil))(t)
	testkit.Equal(t, failures, 3, "failures after a second call: the journal has the failures, also the last ones")
	testkit.Equal(t, testkit.Text(t, out) == made, true, "the second call writes the same file")
}

// A program that fails at all rows makes no table, and is tried again by the next call.
func TestAProgramThatFailsAtEveryRowIsAnError(t *testing.T) {
	for _, n := range []int{1, 5, maxFailuresInARow + 5} {
		in, dir := boardsInOrder(t, n), t.TempDir()
		out, broken := filepath.Join(dir, "labels.parquet"), filepath.Join(dir, "broken")
		testkit.Write(t, broken, "")
		c := shell("[ -e " + broken + " ] && exit 1")
		_, err := Label(t.Context(), engine.Oware(), in, out, c, nil)
		if _, isFault := errors.AsType[*engine.Fault](err); !isFault {
			t.Errorf("%d rows: error %v: want the program's fault", n, err)
		}
		if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%d rows: a table without labels (%v)", n, err)
		}
		there := testkit.Must(journal.Inspect(journal.PathOf(out)))(t)
		testkit.Equal(t, there.Records, 0, "%d rows: records in the journal", n)
		testkit.NoError(t, os.Remove(broken))
		testkit.Must(Label(t.Context(), engine.Oware(), in, out, c, nil))(t)
		testkit.Equal(t, len(labelled(t, out)), n, "labels of a program that is repaired")
	}
}

// After many failures in a row the positions are not the cause.
func TestAProgramThatFailsAtManyRowsInARowIsAnError(t *testing.T) {
	in := boardsInOrder(t, maxFailuresInARow+2)
	for failing, want := range map[int]bool{maxFailuresInARow - 1: false, maxFailuresInARow: true} {
		c := shell(fmt.Sprintf("at=${at%%%%-2-2-2*}; [ ${at##* } -lt %d ] && exit 1", failing))
		c.Workers = 1
		failures := 0
		c.OnFailure = func(error) { failures++ }
		out := filepath.Join(t.TempDir(), "labels.parquet")
		_, err := Label(t.Context(), engine.Oware(), in, out, c, nil)
		if _, isFault := errors.AsType[*engine.Fault](err); isFault != want || (err != nil) != want {
			t.Errorf("failures at %d rows: error %v", failing, err)
		}
		testkit.Equal(t, failures, maxFailuresInARow-1, "failures passed over")
	}
}

// Failures with answers between them are the positions', however many there are.
func TestFailuresThatAreNotInARowAreLeftOut(t *testing.T) {
	const rows, answered = maxFailuresInARow + 10, 10 // the row that is answered
	in, out := boardsInOrder(t, rows), filepath.Join(t.TempDir(), "labels.parquet")
	c := shell(fmt.Sprintf("at=${at%%%%-2-2-2*}; [ ${at##* } -ne %d ] && exit 1", answered))
	c.Workers = 1
	meta := testkit.Must(Label(t.Context(), engine.Oware(), in, out, c, nil))(t)
	testkit.EqualSlices(t, labelled(t, out), []int{answered}, "rows with labels")
	testkit.Contains(t, meta.Note, fmt.Sprintf("%d of the %d positions are left out", rows-1, rows))
}

func TestDamagedLabelsOfAJournalAreRefused(t *testing.T) {
	failed := testkit.Must(recordCodec.Append(nil, journalRecord{fault: "it failed"}))(t)
	answered := testkit.Must(recordCodec.Append(nil, journalRecord{Answer: engine.Answer{Score: 25, Depth: 3, Nodes: 300}}))(t)
	for _, whole := range [][]byte{failed, answered} {
		again := testkit.Must(recordCodec.Append(nil, testkit.Must(recordCodec.Decode(whole))(t)))(t)
		testkit.Equal(t, string(again), string(whole), "a label decoded and encoded")
		for n := range len(whole) {
			if x, err := recordCodec.Decode(whole[:n]); err == nil {
				t.Errorf("%d of %d bytes are the label %+v: expected an error", n, len(whole), x)
			}
		}
		if x, err := recordCodec.Decode(append(whole, 0)); err == nil {
			t.Errorf("a byte too many is the label %+v: expected an error", x)
		}
	}
}

// Each read of the table fails in turn, while labels are searched and while they are taken from the journal.
func TestLabelReportsATableThatCannotBeRead(t *testing.T) {
	in, folder := samplePositions(t, 50), t.TempDir()
	done, whole := filepath.Join(folder, "done.parquet"), ""
	testkit.Must(Label(t.Context(), engine.Oware(), in, done, smallSearch, nil))(t)
	whole = testkit.Text(t, done)
	for _, hasJournal := range []bool{false, true} {
		for last := int64(1); ; last++ {
			out := filepath.Join(t.TempDir(), "labels.parquet")
			if hasJournal {
				testkit.Write(t, journal.PathOf(out), testkit.Read(t, journal.PathOf(done)))
			}
			var reads atomic.Int64
			vfs.Fail(func(call, path string) error {
				if call == "read" && path == in && reads.Add(1) >= last {
					return syscall.EIO
				}
				return nil
			})
			_, err := Label(t.Context(), engine.Oware(), in, out, smallSearch, nil)
			vfs.Fail(func(_, _ string) error { return nil })
			if reads.Load() < last {
				testkit.NoError(t, err)
				testkit.Equal(t, testkit.Text(t, out) == whole, true, "the same labels after %d reads", last-1)
				break
			}
			if !errors.Is(err, syscall.EIO) {
				t.Errorf("read %d fails: error %v", last, err)
			}
			if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("read %d fails: a table of labels (%v)", last, err)
			}
		}
	}
}

// A table reports a change at its end, after its last row.
func TestLabelReportsATableThatChanges(t *testing.T) {
	in, out := samplePositions(t, 50), filepath.Join(t.TempDir(), "labels.parquet")
	for _, from := range []int64{0, 50} { // with an empty journal, and with a whole one
		_, err := Label(t.Context(), engine.Oware(), in, out, smallSearch, func(done, _ int64, _ string) {
			if done == from {
				testkit.NoError(t, os.Chtimes(in, time.Time{}, time.Unix(1e9+from, 0)))
			}
		})
		testkit.ErrorContains(t, err, in, "changed while it was read")
		if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a table of labels (%v)", err)
		}
	}
}

// Rows are read once, whether their labels are searched or in the journal.
func TestLabelReadsItsRowsOnce(t *testing.T) {
	in, out := samplePositions(t, 50), filepath.Join(t.TempDir(), "labels.parquet")
	count := func(work func()) int64 {
		var reads atomic.Int64
		vfs.Fail(func(call, path string) error {
			if call == "read" && path == in {
				reads.Add(1)
			}
			return nil
		})
		defer vfs.Fail(func(_, _ string) error { return nil })
		work()
		return reads.Load()
	}
	once := count(func() {
		_, _, err := datasets.Read(oware.Descriptor(), in, datasets.Positions)
		testkit.NoError(t, err)
	})
	for _, state := range []string{"empty", "whole"} {
		reads := count(func() { testkit.Must(Label(t.Context(), engine.Oware(), in, out, smallSearch, nil))(t) })
		testkit.Equal(t, reads, once, "reads of the table with a journal that is %s", state)
	}
}
