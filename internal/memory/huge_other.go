//go:build !linux

package memory

// PreferHuge does nothing where the system has no such advice.
func PreferHuge[T any]([]T) {}
