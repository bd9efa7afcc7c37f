package inspect

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"kroo/book"
	"kroo/datasets"
	"kroo/dropout"
	"kroo/endgame"
	"kroo/internal/journal"
	"kroo/internal/sheet"
	"kroo/internal/vfs"
	"kroo/report"
	"kroo/run"
)

// Sheet is what a file of Kroo's holds: a description for people and a
// value that marshals to JSON for scripts.
type Sheet struct {
	Text  string
	Value any
}

// File tells what kind of file it is by its content and sums it up:
// datasets, weights, books, game records, endgame tables, journals, and whatever else a
// run folder holds.
func File(ctx context.Context, path string, all Games) (Sheet, error) {
	head, err := headOf(path)
	if err != nil {
		return Sheet{}, err
	}
	switch kindOf(path, head) {
	case KindDataset:
		return all.dataset(ctx, path)
	case KindEmpty:
		return Sheet{}, fmt.Errorf("%s: the file is empty", path)
	case KindWeights:
		return inspectWeights(path, all)
	case KindManifest:
		return told(path, run.DescribeManifest)
	case KindGames:
		return all.records(path, head)
	case KindBook:
		return told(path, book.Describe)
	case KindTable:
		return told(path, endgame.Describe)
	case KindJournal:
		return told(path, journal.Describe)
	case KindLeaves:
		return told(path, dropout.DescribeLeaves)
	case KindConfig:
		return told(path, run.DescribeConfig)
	case KindRecord:
		return told(path, datasets.DescribeManifest)
	case KindPage:
		return told(path, report.DescribePage)
	case KindPicture:
		return told(path, report.DescribePicture)
	}
	return Sheet{}, fmt.Errorf("%s: not a file of Kroo's: expected a dataset (.parquet, .arrow, .csv, .arff), weights or a manifest (.json), a book (.bin), games (.ogn), an endgame table (.endgame) or a journal", path)
}

// told is a file as the package that knows it describes it.
func told(path string, describe func(path string) (*sheet.Sheet, error)) (Sheet, error) {
	s, err := describe(path)
	if err != nil {
		return Sheet{}, err
	}
	return Sheet{Value: s.Value, Text: s.Text(path)}, nil
}

func headOf(path string) ([]byte, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 4096))
}

// columns writes rows of cells in aligned columns.
func columns(write func(w io.Writer)) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	write(w)
	w.Flush()
	return b.String()
}

// IsDataset tells whether the content or the name of a file is that of a
// dataset.
func IsDataset(path string) (bool, error) {
	head, err := headOf(path)
	return isDataset(path, head), err
}

func isDataset(path string, head []byte) bool {
	text := strings.ReplaceAll(strings.TrimPrefix(string(head), "\ufeff"), `"`, "")
	return bytes.HasPrefix(head, []byte("PAR1")) || bytes.HasPrefix(head, []byte("ARROW1")) || strings.HasPrefix(text, "key,board,phase,") ||
		slices.Contains([]string{".parquet", ".arrow", ".arff"}, strings.ToLower(filepath.Ext(path)))
}

func inspectWeights(path string, all Games) (Sheet, error) {
	w, err := LoadWeights(path, all)
	if err != nil {
		return Sheet{}, err
	}
	i := w.Info()
	if w.Thesis != nil {
		return Sheet{Value: w.Thesis, Text: i.Text()}, nil
	}
	return Sheet{Value: i, Text: i.Text()}, nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
