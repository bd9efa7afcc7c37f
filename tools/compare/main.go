// Compare tells which of two versions of this program is faster.
//
//	go run ./tools/compare OLD NEW
//
// OLD and NEW are commits, or folders with a checkout ("." for the working
// tree). Compare builds both, runs the same commands of either in turn, and
// prints for each the median of the ratios of neighbouring runs, new time to old,
// with an interval that holds the true median in 95 of 100 cases (95 %, or as
// near above as the number of runs allows). Below 1, NEW is faster.
//
// What it times is the processor time of a command, which other programs on the
// machine disturb less than the wall clock, and the ns/op of Go benchmarks,
// which are of the wall clock. Interleaving takes out what drifts; it does not
// take out a machine that is busy: look at the width of the interval.
//
//	go run ./tools/compare -runs 20 HEAD~1 .
//	go run ./tools/compare -train 'bench --full-width --depth 21 --hash 256' 803cf08 HEAD
//	go run ./tools/compare -train '' -bench Play -pkg ./games/oware HEAD .
//
// With -limit 1.03 it exits with 1 if a median is above 1.03.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// config is the command line.
type config struct {
	runs      int
	limit     float64  // 0 for none
	train     []string // command lines of the program
	bench     string   // Go benchmarks, "" for none
	pkg       string
	benchTime string
	sides     [2]string // OLD and NEW
}

var defaultTrain = []string{"bench", "perft --depth 10", "perft --depth 8 --no-bulk"}

func parse(args []string) (c config, err error) {
	f := flag.NewFlagSet("compare", flag.ContinueOnError)
	f.Usage = func() {
		fmt.Fprintln(f.Output(), "usage: go run ./tools/compare [flags] OLD NEW   (commits, or folders with a checkout)")
		f.PrintDefaults()
	}
	f.IntVar(&c.runs, "runs", 10, "`times` that each side runs; 6 or more for an interval of 95 %")
	f.Float64Var(&c.limit, "limit", 0, "exit with 1 if a median ratio is above this `ratio`, as 1.03")
	f.StringVar(&c.bench, "bench", "", "also run the Go benchmarks that match this `regexp`")
	f.StringVar(&c.pkg, "pkg", "./engine", "`package` of the benchmarks")
	f.StringVar(&c.benchTime, "benchtime", "200ms", "`time` of a run of a benchmark, as for go test")
	given := false
	f.Func("train", "`command` of the program to time instead of bench and perft; may be repeated; '' for none", func(s string) error {
		if given = true; s != "" {
			c.train = append(c.train, s)
		}
		return nil
	})
	if err := f.Parse(args); err != nil {
		return c, err
	}
	if !given {
		c.train = defaultTrain
	}
	switch {
	case f.NArg() != 2:
		return c, fmt.Errorf("%d arguments: expected two commits or folders, OLD and NEW", f.NArg())
	case c.runs < 1:
		return c, fmt.Errorf("-runs %d: expected 1 or more", c.runs)
	case c.limit < 0:
		return c, fmt.Errorf("-limit %g: expected a ratio above 0", c.limit)
	case len(c.train) == 0 && c.bench == "":
		return c, fmt.Errorf("nothing to time: give -train or -bench")
	}
	c.sides = [2]string{f.Arg(0), f.Arg(1)}
	return c, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c, err := parse(os.Args[1:])
	switch {
	case err == flag.ErrHelp:
		return
	case err != nil:
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(2)
	}
	within, err := c.compare(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
	if !within {
		os.Exit(1)
	}
}

// compare builds, times and prints. It tells whether all medians are within the
// limit.
func (c config) compare(ctx context.Context) (within bool, err error) {
	temp, err := os.MkdirTemp("", "compare")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(temp)
	var built [2]binaries
	for i, side := range c.sides {
		var done func()
		if built[i], done, err = build(ctx, c, side, temp, i); err != nil {
			return false, fmt.Errorf("%s: %w", side, err)
		}
		defer done()
	}
	times, err := c.measure(ctx, built)
	if err != nil {
		return false, err
	}
	return c.print(os.Stdout, times)
}
