// Package testenv sets up the environment of tests. A test file imports it to have temporary
// folders in memory: Kroo syncs files before renaming them, and waiting for a disk would
// dominate tests that write thousands of small files. It changes nothing if TMPDIR is set, or if
// the system has no such folder with enough space.
package testenv

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// FarmServer builds the farm's server program and adds it to PATH. Call remove at the end. It
// does nothing while fuzzing, where every worker would build it.
func FarmServer() (remove func(), err error) {
	if fuzzing() {
		return func() {}, nil
	}
	dir, err := os.MkdirTemp("", "kroo-test-")
	if err != nil {
		return nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	if out, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator),
		"kroo/cmd/kroo-farm").CombinedOutput(); err != nil {
		remove()
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	return remove, os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// Long reports whether KROO_LONG is set: exhaustive tests then run in full.
func Long() bool { return os.Getenv("KROO_LONG") != "" }

// Sample returns the amount of work of an exhaustive test: few, or all if KROO_LONG is set.
func Sample(few, all int) int {
	if Long() {
		return all
	}
	return few
}

// SideBySide runs n parallel tests at a time, regardless of the number of processors. Call it
// from TestMain if tests wait for other programs rather than compute. It does not affect
// fuzzing, which computes.
func SideBySide(n int) {
	if fuzzing() {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
		panic(err)
	}
}

// fuzzing reports whether only a fuzz target will run.
func fuzzing() bool {
	flag.Parse()
	return flag.Lookup("test.fuzz").Value.String() != ""
}
