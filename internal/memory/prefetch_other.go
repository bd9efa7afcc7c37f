//go:build !amd64 && !arm64

package memory

// Prefetch does nothing: it is not implemented for this processor.
func Prefetch[T any](*T) {}
