package inspect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"kroo/book"
	owarefeatures "kroo/features/oware"
	"kroo/internal/outline"
	"kroo/internal/parallel"
	"kroo/internal/vfs"
)

// CompareOptions are how to compare two files.
type CompareOptions struct {
	On       string // dataset whose positions weights evaluate; "" draws some
	Where    string // filter of its rows
	Progress parallel.Progress
}

// Comparable returns the kind that two files have in common, [KindWeights] or [KindBook]. They can also
// be names of what comes with the program. Other files are an error.
func Comparable(a, b string) (Kind, error) {
	kindsOfA, err := kindsOf(a)
	if err != nil {
		return "", err
	}
	kindsOfB, err := kindsOf(b)
	if err != nil {
		return "", err
	}
	for _, kind := range []Kind{KindWeights, KindBook} {
		if slices.Contains(kindsOfA, kind) && slices.Contains(kindsOfB, kind) {
			return kind, nil
		}
	}
	return "", fmt.Errorf("%s is %s and %s is %s: expected two datasets, two files of weights, two books, or runs to compare",
		a, kindsOfA[0], b, kindsOfB[0])
}

// kindsOf returns the kinds of a file or of what a name of the program means: weights and books have the
// name default.
func kindsOf(name string) ([]Kind, error) {
	_, err := vfs.Stat(name)
	if errors.Is(err, fs.ErrNotExist) && slices.Contains(owarefeatures.Names(), name) {
		return []Kind{KindWeights, KindBook}, nil
	}
	kind, err := KindOf(name)
	return []Kind{kind}, err
}

// CompareFiles compares two files of weights or two books. For runs there is [run.CompareRuns], for
// datasets package profile.
func CompareFiles(ctx context.Context, a, b string, all Games, o CompareOptions) (*outline.Doc, error) {
	kind, err := Comparable(a, b)
	if err != nil {
		return nil, err
	}
	if kind == KindWeights {
		return all.compareWeights(ctx, [2]string{a, b}, o)
	}
	c, err := book.Compare(ctx, a, b)
	if err != nil {
		return nil, err
	}
	return c.Doc(), nil
}
