package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// cutJournal cuts the journal of finished work at every byte, as a crash may.
func (a *attack) cutJournal(ctx context.Context, c command) (runs int, err error) {
	if c.journal == "" {
		return 0, nil
	}
	want, _, err := a.whole(ctx, c)
	if err != nil {
		return 0, err
	}
	journal, err := a.journalOf(ctx, c)
	if err != nil {
		return 0, err
	}
	for size := 0; size <= len(journal); size += a.step(c) {
		if err := a.oneCut(ctx, c, journal[:size], want); err != nil {
			return runs, err
		}
		runs++
	}
	return runs, nil
}

// journalOf is the longest journal that a fault in some call leaves behind.
func (a *attack) journalOf(ctx context.Context, c command) (longest []byte, err error) {
	for n := 1; ; n++ {
		f := &fault{n: n}
		dir, err := a.fresh()
		if err != nil {
			return nil, err
		}
		_, _, err = a.traced(ctx, dir, c, words(c.line), f)
		data, missing := os.ReadFile(filepath.Join(dir, c.journal))
		os.RemoveAll(dir)
		switch {
		case err != nil:
			return nil, err
		case missing == nil && len(data) > len(longest):
			longest = data
		case missing != nil && !errors.Is(missing, fs.ErrNotExist):
			return nil, missing
		}
		if f.call == "" {
			return longest, nil
		}
	}
}

func (a *attack) oneCut(ctx context.Context, c command, journal []byte, want map[string][]byte) error {
	dir, err := a.fresh()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, c.journal)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(path, journal, 0o666); err != nil {
		return err
	}
	return a.goesOn(ctx, c, dir, fmt.Sprintf("its journal cut to %d bytes", len(journal)), want)
}
