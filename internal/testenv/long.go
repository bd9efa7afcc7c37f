package testenv

import "os"

// Long reports whether KROO_LONG is set: proofs by volume then run whole.
func Long() bool { return os.Getenv("KROO_LONG") != "" }

// Sample returns how much of a proof by volume runs: few, or all of it if KROO_LONG is set.
func Sample(few, all int) int {
	if Long() {
		return all
	}
	return few
}
