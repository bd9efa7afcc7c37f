package main

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// timing is what one command or benchmark took, by side and run, in seconds.
type timing struct {
	name    string
	seconds [2][]float64
	answer  [2]string // what the command printed: should not differ
}

// timings are in the order in which they were first seen.
type timings []*timing

func (t *timings) add(name string, side int, seconds float64, answer string) {
	for _, old := range *t {
		if old.name == name {
			old.seconds[side] = append(old.seconds[side], seconds)
			old.answer[side] = answer
			return
		}
	}
	fresh := &timing{name: name}
	fresh.seconds[side], fresh.answer[side] = []float64{seconds}, answer
	*t = append(*t, fresh)
}

// measure runs everything so many times. The sides take turns, and take turns
// at being first.
func (c config) measure(ctx context.Context, sides [2]binaries) (all timings, err error) {
	for run := range c.runs {
		for _, line := range c.train {
			for k := range 2 {
				side := (run + k) % 2
				seconds, answer, err := timeCommand(ctx, sides[side].train, line)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", c.sides[side], err)
				}
				all.add("train "+line, side, seconds, answer)
			}
		}
		for k := range 2 {
			if side := (run + k) % 2; c.bench != "" {
				if err := c.runBenchmarks(ctx, sides[side], side, &all); err != nil {
					return nil, fmt.Errorf("%s: %w", c.sides[side], err)
				}
			}
		}
	}
	return all, nil
}

// timeCommand gives the processor time of a command and what it prints.
func timeCommand(ctx context.Context, program, line string) (seconds float64, answer string, err error) {
	cmd := exec.CommandContext(ctx, program, strings.Fields(line)...)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return 0, "", ctx.Err()
	}
	if err != nil {
		return 0, "", fmt.Errorf("train %s: %w\n%s", line, err, strings.TrimSpace(complaints.String()))
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), string(out), nil
}

func (c config) runBenchmarks(ctx context.Context, b binaries, side int, all *timings) error {
	out, err := output(ctx, b.dir, b.tests, "-test.run", "^$", "-test.bench", c.bench, "-test.benchtime", c.benchTime)
	if err != nil {
		return err
	}
	found := 0
	for line := range strings.Lines(out) {
		if name, seconds, ok := parseBenchmark(line); ok {
			all.add(name, side, seconds, "")
			found++
		}
	}
	if found == 0 {
		return fmt.Errorf("no benchmark of %s matches %q", c.pkg, c.bench)
	}
	return nil
}

// parseBenchmark reads a line as testing prints it: a name, a count, and pairs
// of value and unit.
func parseBenchmark(line string) (name string, seconds float64, ok bool) {
	f := strings.Fields(line)
	if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") {
		return "", 0, false
	}
	for i := 2; i+1 < len(f); i += 2 {
		if f[i+1] == "ns/op" {
			ns, err := strconv.ParseFloat(f[i], 64)
			return f[0], ns / 1e9, err == nil
		}
	}
	return "", 0, false
}
