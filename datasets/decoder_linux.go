package datasets

import "syscall"

// limitMemory sets the system's limit on memory.
func limitMemory(most int64) error {
	return syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: uint64(most), Max: uint64(most)})
}
