package mapfile

import (
	"fmt"

	"github.com/edsrzf/mmap-go"
)

// Allocate returns zeroed memory outside Go's heap, for large tables that live long: in the heap,
// the garbage collector would wait until there is as much garbage as the tables take. The memory is
// used only where it was written. [Free] returns it to the system.
func Allocate(bytes int) ([]byte, error) {
	m, err := mmap.MapRegion(nil, bytes, mmap.RDWR, mmap.ANON, 0)
	if err != nil {
		return nil, fmt.Errorf("the system has no more memory (%d MiB asked for): %w", bytes>>20, err)
	}
	return m, nil
}

// Free releases memory of [Allocate], which must not be used afterwards.
func Free(memory []byte) error {
	m := mmap.MMap(memory)
	return m.Unmap()
}
