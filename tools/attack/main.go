// Attack runs the commands of train on a system that fails, and tells which of them lose
// work, print nonsense, or claim a success that is none:
//
//	go run ./tools/attack                    a fault in every call to the file system, one a run
//	go run ./tools/attack -cut               journals cut at every byte
//	go run ./tools/attack -soak 1h           kills at random moments
//	go run ./tools/attack -only label -every 10 -train ./train
//
// A fault is an error in the place of one call on a file of the work: open, read, write,
// sync, rename, unlink, truncate, lock, map, make a folder. After each it checks:
//
//   - there is no trace of a panic;
//   - a command that ends with 0 has written what it writes without the fault;
//   - one that ends otherwise says something, and ends with the same files when it runs
//     again without a fault.
//
// It needs Linux on amd64. It prints a line for every failure and a table at the end, and
// exits with 1 if there was a failure. Commands to attack are in commands.go.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// attack is what the flags say.
type attack struct {
	train  string // the program
	only   string // one command, "" for all
	every  int    // of the faults, or of the bytes
	seed   uint64
	limit  time.Duration // of all
	work   string        // folder for the work, emptied at the end
	setup  string        // folder that a command begins with
	failed int
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
		os.Exit(1)
	}
}

func run() (err error) {
	var a attack
	var cut bool
	var soak time.Duration
	flag.StringVar(&a.train, "train", "", "the program (default: built from this source)")
	flag.StringVar(&a.only, "only", "", "attack the command of this name alone")
	flag.IntVar(&a.every, "every", 1, "make one fault, or cut, of so many")
	flag.Uint64Var(&a.seed, "seed", 1, "of the soak")
	flag.DurationVar(&a.limit, "limit", time.Hour, "end after this time")
	flag.BoolVar(&cut, "cut", false, "cut journals at every byte")
	flag.DurationVar(&soak, "soak", 0, "kill commands at random moments for so long")
	flag.Parse()
	if flag.NArg() > 0 || a.every < 1 {
		return errors.New("see -help")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if a.work, err = os.MkdirTemp("", "attack"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(a.work)) }()
	if err := a.prepare(ctx); err != nil {
		return err
	}
	switch {
	case soak > 0:
		err = a.soak(ctx, soak)
	case cut:
		err = a.eachCommand(ctx, a.cutJournal)
	default:
		err = a.eachCommand(ctx, a.faults)
	}
	if err == nil && a.failed > 0 {
		err = fmt.Errorf("%d failures", a.failed)
	}
	return err
}

// prepare builds the program and makes the files that commands begin with.
func (a *attack) prepare(ctx context.Context) error {
	program := filepath.Join(a.work, "train")
	if a.train != "" { // a copy: somebody may build it anew meanwhile
		data, err := os.ReadFile(a.train)
		if err == nil {
			err = os.WriteFile(program, data, 0o777)
		}
		if err != nil {
			return err
		}
	} else {
		build := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/train")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building train: %w", err)
		}
	}
	a.train = program
	a.setup = filepath.Join(a.work, "setup")
	if err := os.Mkdir(a.setup, 0o777); err != nil {
		return err
	}
	for _, line := range setupLines {
		if r := a.execute(ctx, a.setup, command{}, words(line)); r.code != 0 {
			return fmt.Errorf("train %s: exit %d: %s", line, r.code, r.complaint)
		}
	}
	for _, name := range removed {
		if err := os.Remove(filepath.Join(a.setup, name)); err != nil {
			return err
		}
	}
	return nil
}

// eachCommand attacks the commands one after the other, within the limit of time, and
// prints a table.
func (a *attack) eachCommand(ctx context.Context, attack func(context.Context, command) (runs int, err error)) error {
	ctx, cancel := context.WithTimeout(ctx, a.limit)
	defer cancel()
	table := ""
	for _, c := range commands {
		if a.only != "" && a.only != c.name {
			continue
		}
		before, begin := a.failed, time.Now()
		runs, err := attack(ctx, c)
		row := fmt.Sprintf("%-12s %6d runs %4d failures %8s", c.name, runs, a.failed-before, time.Since(begin).Round(time.Second))
		fmt.Println(row)
		table += row + "\n"
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			fmt.Println("the time is over")
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	fmt.Print("\n", table)
	return nil
}

// fail prints a failure.
func (a *attack) fail(c command, what string, r result, format string, args ...any) {
	a.failed++
	fmt.Printf("FAIL %s, %s: %s\n    exit %d: %.300q\n", c.name, what, fmt.Sprintf(format, args...), r.code, r.complaint)
}
