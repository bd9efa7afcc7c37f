package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// binaries are the programs of one side.
type binaries struct {
	train string // "" if it is not asked for
	tests string // of the benchmarks' package, "" likewise
	dir   string // where the benchmarks run
}

// build makes the binaries of a side in a folder of its own below temp. done
// removes the checkout of a commit.
func build(ctx context.Context, c config, side, temp string, number int) (b binaries, done func(), err error) {
	source, done, err := checkout(ctx, side, filepath.Join(temp, "source"+strconv.Itoa(number)))
	if err != nil {
		return b, nil, err
	}
	defer func() {
		if err != nil {
			done()
		}
	}()
	out := filepath.Join(temp, "built"+strconv.Itoa(number))
	if len(c.train) > 0 {
		b.train = filepath.Join(out, "train")
		if _, err := output(ctx, source, "go", "build", "-o", b.train, "./cmd/train"); err != nil {
			return b, done, err
		}
	}
	if c.bench != "" {
		b.tests, b.dir = filepath.Join(out, "tests"), filepath.Join(source, c.pkg)
		if _, err := output(ctx, source, "go", "test", "-c", "-o", b.tests, c.pkg); err != nil {
			return b, done, err
		}
	}
	return b, done, nil
}

// checkout gives the folder of a side: itself, or a worktree of the commit.
func checkout(ctx context.Context, side, at string) (dir string, done func(), err error) {
	if info, err := os.Stat(side); err == nil && info.IsDir() {
		dir, err := filepath.Abs(side)
		return dir, func() {}, err
	}
	commit, err := output(ctx, ".", "git", "rev-parse", "--verify", "--quiet", "--end-of-options", side+"^{commit}")
	if err != nil {
		return "", nil, fmt.Errorf("neither a folder nor a commit of this repository")
	}
	if _, err := output(ctx, ".", "git", "worktree", "add", "--quiet", "--detach", at, strings.TrimSpace(commit)); err != nil {
		return "", nil, err
	}
	return at, func() { // also after an interrupt
		output(context.Background(), ".", "git", "worktree", "remove", "--force", at)
	}, nil
}

// output runs a command and returns what it prints; its complaints are in the
// error.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, strings.TrimSpace(complaints.String()))
	}
	return string(out), nil
}
