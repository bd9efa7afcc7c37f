// Package memory tells how much memory the machine has left, and asks for huge
// pages.
package memory

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// Free returns the number of bytes that the system can still give. known is false
// where the system does not tell.
func Free() (bytes int64, known bool) {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, found := strings.CutPrefix(lines.Text(), "MemAvailable:"); found {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kib << 10, err == nil
		}
	}
	return 0, false
}
