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

// controlGroups returns the least that the process's control groups and their ancestors leave.
// root is "/", or another folder in tests.
func controlGroups(root string) (free int64, known bool) {
	f, err := os.Open(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		parts := strings.SplitN(lines.Text(), ":", 3) // number, controllers, path
		if len(parts) != 3 {
			continue
		}
		kind, mount := version2, filepath.Join(root, "sys/fs/cgroup")
		if parts[1] == "memory" {
			kind, mount = version1, filepath.Join(mount, "memory")
		} else if parts[1] != "" {
			continue
		}
		for path := filepath.Clean("/" + parts[2]); ; path = filepath.Dir(path) {
			if left, ok := kind.left(filepath.Join(mount, path)); ok && (!known || left < free) {
				free, known = left, true
			}
			if path == "/" {
				break
			}
		}
	}
	return free, known
}

// groupFiles are file and field names of a version of control groups.
type groupFiles struct{ limit, used, reclaimable string }

var (
	version1 = groupFiles{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}
	version2 = groupFiles{"memory.max", "memory.current", "inactive_file"}
)

// left returns what the group in a folder leaves. Inactive file pages count as free, because the
// kernel drops them when it needs memory.
func (g groupFiles) left(folder string) (int64, bool) {
	limit, limited := number(filepath.Join(folder, g.limit))
	used, ok := number(filepath.Join(folder, g.used))
	if !limited || !ok {
		return 0, false
	}
	cached, _ := field(filepath.Join(folder, "memory.stat"), g.reclaimable)
	return limit - used + cached, true
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
