package main

import (
	"path/filepath"
	"strings"
	"testing"

	"kroo/datasets"
)

const version1 = "../../datasets/testdata/version1/"

func TestEqualAndOtherRows(t *testing.T) {
	old := version1 + "labels.parquet"
	meta, rows, err := datasets.ReadLabels(old)
	if err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(t.TempDir(), "labels.parquet")
	for name, change := range map[string]func(){
		"":           func() {},
		"row 7":      func() { rows[7].Nodes++ },
		"and 39":     func() { rows = rows[1:] },
		"and labels": func() {},
	} {
		kept := rows
		rows = append([]datasets.LabelRow(nil), kept...)
		change()
		if err := datasets.WriteLabels(again, meta, rows); err != nil {
			t.Fatal(err)
		}
		rows = kept
		from := old
		if name == "and labels" {
			from = version1 + "positions.parquet"
		}
		n, err := compare(from, again)
		if name == "" && (n != 40 || err != nil) || name != "" && (err == nil || !strings.Contains(err.Error(), name)) {
			t.Errorf("%q: %d rows, error %v", name, n, err)
		}
	}
}
