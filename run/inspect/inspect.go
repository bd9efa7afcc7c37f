// Package inspect detects the kind of a file by its content ([KindOf]) and describes the file
// with the package of that kind ([File]).
package inspect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"kroo/book"
	"kroo/datasets"
	"kroo/dropout"
	"kroo/endgame"
	patterns "kroo/features/oware"
	"kroo/internal/doc"
	"kroo/internal/journal"
	"kroo/internal/vfs"
	"kroo/match/tune"
	"kroo/report"
	"kroo/run"
)

// File detects the kind of a file by its content and describes it: datasets, weights, books,
// game records, endgame tables, journals, and all other files of a run folder; or a run folder;
// or an embedded default, by its name.
func File(ctx context.Context, path string, all Games) (*doc.Doc, error) {
	if path == book.DefaultName {
		return ownDoc(all)
	}
	info, err := vfs.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && slices.Contains(patterns.Names(), path):
		return all.describeWeights(path)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w; the known names are %s", err, strings.Join(patterns.Names(), ", "))
	case err != nil:
		return nil, err
	case info.IsDir():
		return run.DescribeFolder(path)
	}
	head, err := headOf(path)
	if err != nil {
		return nil, err
	}
	switch kindOf(path, head) {
	case KindDataset:
		return all.dataset(ctx, path)
	case KindEmpty:
		return nil, fmt.Errorf("%s: the file is empty", path)
	case KindWeights:
		return all.describeWeights(path)
	case KindManifest:
		return run.DescribeManifest(path)
	case KindTimes:
		return run.DescribeTimes(path)
	case KindGames:
		return all.records(path, head)
	case KindBook:
		return book.Describe(path)
	case KindTable:
		return endgame.Describe(path)
	case KindJournal:
		return journal.Describe(path)
	case KindLeaves:
		return dropout.DescribeLeaves(path)
	case KindConfig:
		return run.DescribeConfig(path)
	case KindRecord:
		return datasets.DescribeManifest(path)
	case KindPage:
		return report.DescribePage(path)
	case KindTuning:
		return tune.Describe(path)
	case KindPicture:
		return report.DescribePicture(path)
	}
	return nil, fmt.Errorf("%s: not a Kroo file: expected a dataset (.parquet, .arrow, .csv), weights or a manifest (.json), a book (.bin), games (.ogn), an endgame table (.endgame) or a journal", path)
}
