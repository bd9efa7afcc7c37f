//go:build amd64 || arm64

package memory

import "unsafe"

// Prefetch asks the processor for the cache line where a value begins, and does not wait
// for it. Code that reads the value a little later waits less. Go has no such function
// outside of its runtime. The pointer may be any, also nil.
func Prefetch[T any](to *T) { prefetch(unsafe.Pointer(to)) }

//go:noescape
func prefetch(address unsafe.Pointer)
