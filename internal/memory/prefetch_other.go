//go:build !amd64 && !arm64

package memory

// Prefetch does nothing on processors that it is not written for.
func Prefetch[T any](*T) {}
