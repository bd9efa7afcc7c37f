package main

import (
	"strings"
	"testing"
)

// A flag that the kind of fit does not know would be forgotten without a word.
func TestFitRefusesFlagsOfTheOtherKind(t *testing.T) {
	dir := t.TempDir()
	for _, line := range []string{
		"sample --n 40 -o p.parquet", "label p.parquet --nodes 50 -o l.parquet", "features l.parquet -o f.parquet --set thesis",
	} {
		if _, errs, code := train(t, dir, strings.Fields(line)...); code != exitDone {
			t.Fatalf("train %s: exit %d, %q", line, code, errs)
		}
	}
	for line, want := range map[string]string{
		"fit l.parquet -o w.weights --select backward": "--select does nothing with datasets of labels",
		"fit l.parquet -o w.weights --tolerance 0.1":   "--tolerance does nothing with datasets of labels",
		"fit f.parquet -o w.json --set thesis4":        "--set does nothing with a dataset of features",
		"fit f.parquet -o w.json --loss chances":       "--loss does nothing with a dataset of features",
	} {
		if out, errs, code := train(t, dir, strings.Fields(line)...); code != exitUsage || out != "" || !strings.Contains(errs, want) {
			t.Errorf("train %s: exit %d, printed %q and %q: want exit 2 and %q", line, code, out, errs, want)
		}
	}
}
