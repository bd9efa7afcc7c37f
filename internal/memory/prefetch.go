//go:build amd64 || arm64

package memory

import "unsafe"

// Prefetch asks the processor to load the cache line at the beginning of a value, without
// waiting for it. Go has no such function outside its runtime. Any pointer is allowed, including
// nil.
func Prefetch[T any](to *T) { prefetch(unsafe.Pointer(to)) }

//go:noescape
func prefetch(address unsafe.Pointer)
