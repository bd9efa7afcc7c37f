package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
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
	fmt.Printf("%s has %d bytes\n", c.journal, len(journal))
	for size := 0; size <= len(journal); size += a.step(c) {
		if err := a.oneCut(ctx, c, journal[:size], want); err != nil {
			return runs, err
		}
		runs++
	}
	return runs, nil
}

// journalOf is the longest journal that a command has on its way: the one that stays, or that
// the last fault before its end leaves behind.
func (a *attack) journalOf(ctx context.Context, c command) ([]byte, error) {
	const none = math.MaxInt
	journal, calls, err := a.journalAfter(ctx, c, none)
	for n := calls; err == nil && journal == nil; n-- {
		if n == 0 {
			return nil, fmt.Errorf("no fault leaves %s behind", c.journal)
		}
		journal, _, err = a.journalAfter(ctx, c, n)
	}
	return journal, err
}

// journalAfter is the journal that a command leaves behind whose n-th call fails, nil for
// none, and how many calls it has made.
func (a *attack) journalAfter(ctx context.Context, c command, n int) (journal []byte, calls int, err error) {
	dir, err := a.fresh()
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(dir)
	if _, calls, err = a.traced(ctx, dir, c, words(c.line), &fault{n: n}); err != nil {
		return nil, 0, err
	}
	journal, err = os.ReadFile(filepath.Join(dir, c.journal))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, calls, nil
	}
	return journal, calls, err
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
