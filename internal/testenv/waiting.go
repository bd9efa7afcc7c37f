package testenv

import (
	"flag"
	"strconv"
)

// SideBySide has n parallel tests run at a time, whatever the number of processors. A
// TestMain calls it where tests wait for other programs more than they compute. Fuzzing
// computes: its workers stay as many as there are processors.
func SideBySide(n int) {
	if fuzzing() {
		return
	}
	if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
		panic(err)
	}
}

// fuzzing reports whether a fuzz target is to run, and nothing else.
func fuzzing() bool {
	flag.Parse()
	return flag.Lookup("test.fuzz").Value.String() != ""
}
