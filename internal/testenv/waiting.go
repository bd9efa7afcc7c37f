package testenv

import (
	"flag"
	"strconv"
)

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
