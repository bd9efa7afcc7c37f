package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// refused is a command that must end with this code, in one line with these words, and
// leave all files as they are.
func refused(t *testing.T, dir, line string, want int, words string) {
	t.Helper()
	before := folder(t, dir)
	out, errs, code := train(t, dir, strings.Fields(line)...)
	if code != want || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, words) {
		t.Errorf("train %s: exit %d, printed %q and %q: want exit %d and one line with %q", line, code, out, errs, want, words)
	}
	sameFiles(t, folder(t, dir), before)
}

func TestOutputOverInputIsRefused(t *testing.T) {
	t.Parallel()
	dir := stageFiles(t)
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Symlink("positions.parquet", filepath.Join(dir, "symbolic.parquet")))
	must(os.Link(filepath.Join(dir, "positions.parquet"), filepath.Join(dir, "hard.parquet")))
	for _, line := range []string{
		"label positions.parquet -o positions.parquet --nodes 100",
		"label positions.parquet -o ./positions.parquet --nodes 100 --force",
		"label positions.parquet -o symbolic.parquet --nodes 100",
		"label positions.parquet -o hard.parquet --nodes 100",
		"label positions.parquet -o weights.json --weights weights.json --nodes 100",
		"features labels.parquet -o labels.parquet",
		"fit features.parquet -o features.parquet",
		"fit features.parquet -o awari-features.parquet --validate awari-features.parquet",
		"sample --method file --from positions.parquet -o positions.parquet",
		"match --a weights.json --pairs 1 --nodes 10 -o weights.json",
		"match --b book=book.bin --pairs 1 --nodes 10 -o book.bin",
		"match --openings match.ogn --openings-plies 4 --pairs 1 --nodes 10 -o match.ogn",
		"match tournament weights.json captures --pairs 1 --nodes 10 -o weights.json",
		"match openings --weights weights.json -o weights.json",
		"book expand --weights weights.json --nodes 10 -o weights.json",
		"weights export weights.json -o weights.json",
		"inspect labels.parquet --html labels.parquet",
	} {
		refused(t, dir, line, exitUsage, "is the input")
	}
}

func TestOutputOfAnotherKindIsRefused(t *testing.T) {
	t.Parallel()
	dir := stageFiles(t)
	for line, words := range map[string]string{
		"fit features.parquet -o labels.parquet":                        "labels.parquet holds a dataset, not weights",
		"fit features.parquet -o book.bin":                              "book.bin holds a book, not weights",
		"match --pairs 1 --nodes 10 -o features.parquet":                "holds a dataset, not games",
		"match tournament captures thesis4 --pairs 1 -o book.bin":       "holds a book, not games",
		"match openings --nodes 10 -o weights.json":                     "holds weights, not games",
		"book expand --weights captures --nodes 10 -o match.ogn":        "holds games, not a book",
		"weights export thesis4 --format csv -o book.bin":               "holds a book",
		"inspect labels.parquet --html weights.json":                    "holds weights",
		"sample --n 150 --split 0.5 -o labels.json":                     "expected .parquet, .arrow, .csv or .arff",
		"label positions.parquet -o labels.parquet/x.parquet --nodes 1": "not a directory",
	} {
		refused(t, dir, line, exitFailed, words)
	}
	good(t, dir, "match", "--pairs", "1", "--nodes", "10", "-o", "awari-weights.json", "--force")
	for range 2 { // an output of the same kind is replaced
		good(t, dir, "weights", "export", "thesis4", "-o", "w.json")
		good(t, dir, "weights", "export", "quick4", "-o", "q.json")
		good(t, dir, "weights", "export", "thesis4", "--format", "csv", "-o", "w.csv")
		good(t, dir, "inspect", "labels.parquet", "--html", "page.html")
		good(t, dir, "match", "--pairs", "1", "--nodes", "10", "-o", "m.ogn")
	}
}

// Each of these would take hours if it began.
func TestOutputNamesAreCheckedBeforeTheWork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good(t, dir, "sample", "--n", "60", "-o", "p.parquet")
	if err := os.MkdirAll(filepath.Join(dir, "f", "abapa.endgame"), 0o777); err != nil {
		t.Fatal(err)
	}
	for line, words := range map[string]string{
		"label p.parquet --nodes 99000000000 -o l.txt":               "expected .parquet, .arrow, .csv or .arff",
		"label p.parquet --nodes 99000000000 -o f":                   "expected .parquet, .arrow, .csv or .arff",
		"label p.parquet --nodes 99000000000 -o f/abapa.endgame":     "expected .parquet",
		"label p.parquet --nodes 99000000000 -o none/l.parquet":      "none/l.parquet",
		"sample --method games --nodes 1000000000 -o g":              "expected .parquet, .arrow, .csv or .arff",
		"match --nodes 99000000000 -o f":                             "it is a folder",
		"match --nodes 99000000000 -o none/m.ogn":                    "none/m.ogn",
		"match tournament captures thesis4 --nodes 99000000000 -o f": "it is a folder",
		"match openings --nodes 99000000000 -o f":                    "it is a folder",
		"book expand --nodes 99000000000 -o f":                       "it is a folder",
		"book expand --nodes 99000000000 -o /dev/null":               "no regular file",
	} {
		refused(t, dir, line, exitFailed, words)
	}
}

// An output that cannot be written after all leaves the work in the journal.
func TestOutputThatFailsAtTheEndSaysWhereTheWorkIs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good(t, dir, "sample", "--n", "60", "-o", "p.parquet")
	line := strings.Fields("label p.parquet --nodes 60000 --hash 1 --workers 1 --tables none -o l.parquet")
	cmd := command(dir, line...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for begun := false; !begun; time.Sleep(time.Millisecond) {
		_, err := os.Stat(filepath.Join(dir, "l.parquet.journal"))
		begun = err == nil
	}
	inTheWay := filepath.Join(dir, "l.parquet")
	if err := os.Mkdir(inTheWay, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // the exit code tells
	if code := cmd.ProcessState.ExitCode(); code != exitFailed || !strings.Contains(errs.String(), "kept in l.parquet.journal") ||
		!strings.Contains(errs.String(), "  train label p.parquet") {
		t.Fatalf("exit %d, printed %q: want exit 1, the journal, and the command that goes on", code, errs.String())
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	good(t, dir, line...)
	t.Logf("written from the journal in %v", time.Since(begin))
}
