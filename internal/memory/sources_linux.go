package memory

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// sources return the number of bytes that each limit leaves.
var sources = []func() (int64, bool){
	machine,
	func() (int64, bool) { return controlGroups("/") },
	addressSpace,
}

// machine returns the memory available on the machine.
func machine() (int64, bool) {
	kib, ok := field("/proc/meminfo", "MemAvailable:")
	return kib << 10, ok
}

// addressSpace returns what the limit on the address space leaves (ulimit -v). The Go runtime
// takes address space in steps of 64 MiB, and some for its own tables.
func addressSpace() (int64, bool) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil || limit.Cur >= 1<<62 {
		return 0, false
	}
	const reserve = 128 << 20
	kib, ok := field("/proc/self/status", "VmSize:")
	return int64(limit.Cur) - kib<<10 - reserve, ok
}

// controlGroups returns the least that the process's control group (version 2) and its ancestors
// leave. root is "/", or another folder in tests.
func controlGroups(root string) (free int64, known bool) {
	list, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	for line := range strings.Lines(string(list)) {
		path, ours := strings.CutPrefix(strings.TrimSpace(line), "0::")
		for path = filepath.Clean("/" + path); ours; path = filepath.Dir(path) {
			if left, ok := leftIn(filepath.Join(root, "sys/fs/cgroup", path)); ok && (!known || left < free) {
				free, known = left, true
			}
			ours = path != "/"
		}
	}
	return free, known
}

// leftIn returns what the group in a folder leaves. Inactive file pages count as free, because the
// kernel drops them when it needs memory.
func leftIn(folder string) (int64, bool) {
	limit, limited := number(filepath.Join(folder, "memory.max"))
	used, ok := number(filepath.Join(folder, "memory.current"))
	cached, _ := field(filepath.Join(folder, "memory.stat"), "inactive_file")
	return limit - used + cached, limited && ok
}

// number reads a file that contains a number; ok is false for "max", which means no limit.
func number(path string) (int64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// field reads the number after a name at the beginning of a line.
func field(path, name string) (int64, bool) {
	f, err := os.Open(path)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 1 && words[0] == name {
			n, err := strconv.ParseInt(words[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
