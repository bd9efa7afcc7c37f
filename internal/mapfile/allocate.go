package mapfile

import (
	"fmt"
	"unsafe"

	"github.com/edsrzf/mmap-go"
)

// Allocate returns n zero values outside Go's heap, for large tables that live long: in the heap,
// the garbage collector would wait until there is as much garbage as the tables take. The memory is
// used only where it was written. The collector does not see it, so T must not contain pointers.
// [Free] returns the memory to the system.
func Allocate[T any](n int) ([]T, error) {
	var value T
	bytes := n * int(unsafe.Sizeof(value))
	m, err := mmap.MapRegion(nil, bytes, mmap.RDWR, mmap.ANON, 0)
	if err != nil {
		return nil, fmt.Errorf("the system has no more memory (%d MiB asked for): %w", bytes>>20, err)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(m))), n), nil
}

// Free releases values of [Allocate], which must not be used afterwards.
func Free[T any](values []T) error {
	var value T
	bytes := len(values) * int(unsafe.Sizeof(value))
	m := mmap.MMap(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), bytes))
	return m.Unmap()
}
