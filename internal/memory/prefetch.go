//go:build amd64 || arm64

package memory

import "unsafe"

// Prefetch asks the processor for the cache line where a value begins, and does not wait
// for it. Who reads the value a little later waits less. Go has no such function of its
// own. It is a wish, and any pointer will do.
func Prefetch[T any](to *T) { prefetch(unsafe.Pointer(to)) }

//go:noescape
func prefetch(address unsafe.Pointer)
