package main

import (
	"context"
	"fmt"
	"os"
)

// faults makes each call of a command on a file fail, one a run.
func (a *attack) faults(ctx context.Context, c command) (runs int, err error) {
	want, _, err := a.whole(ctx, c)
	if err != nil {
		return 0, err
	}
	// How many calls there are varies a little with the threads: the faults end with a
	// run in which none was made.
	for n := 1; ; n += a.step(c) {
		f := &fault{n: n}
		if err := a.oneFault(ctx, c, f, want); err != nil || f.call == "" {
			return runs, err
		}
		runs++
	}
}

// oneFault runs a command with a fault, judges what it did, and runs it again without.
func (a *attack) oneFault(ctx context.Context, c command, f *fault, want map[string][]byte) error {
	dir, err := a.fresh()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r, _, err := a.traced(ctx, dir, c, words(c.line), f)
	if err != nil || f.call == "" {
		return err
	}
	what := fmt.Sprintf("fault %d (%s)", f.n, f.call)
	switch {
	case panicked(r.complaint) || r.code < 0:
		a.fail(c, what, r, "it panics, or is killed")
	case r.code == 0:
		diff, err := differences(dir, want, refused)
		if err != nil {
			return err
		}
		if diff != "" {
			a.fail(c, what, r, "it claims a success, but %s", diff)
		}
	case r.complaint == "":
		a.fail(c, what, r, "it says nothing")
	}
	if r.code == 0 {
		return nil
	}
	return a.goesOn(ctx, c, dir, what, want)
}

// goesOn runs a command again in the folder of an earlier run. It must end with the
// files that it makes in one go.
func (a *attack) goesOn(ctx context.Context, c command, dir, what string, want map[string][]byte) error {
	r := a.execute(ctx, dir, c, c.goOn(dir))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r.code != 0 {
		a.fail(c, what, r, "it does not go on")
		return nil
	}
	diff, err := differences(dir, want, c.otherResults)
	if err == nil && diff != "" {
		a.fail(c, what, r, "it goes on, but %s", diff)
	}
	return err
}
