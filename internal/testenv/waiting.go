package testenv

import (
	"flag"
	"strconv"
)

// SideBySide has n parallel tests run at a time, whatever the number of processors. A
// TestMain calls it where tests wait for other programs more than they compute.
func SideBySide(n int) {
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
		panic(err)
	}
}
