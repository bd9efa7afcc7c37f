//go:build !linux

package memory

// PreferHuge does nothing: this system has no huge pages on request.
func PreferHuge[T any]([]T) {}
