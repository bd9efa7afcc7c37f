package testenv

import "os"

// Long reports whether KROO_LONG is set: exhaustive tests then run in full.
func Long() bool { return os.Getenv("KROO_LONG") != "" }

// Sample returns the amount of work of an exhaustive test: few, or all if KROO_LONG is set.
func Sample(few, all int) int {
	if Long() {
		return all
	}
	return few
}
