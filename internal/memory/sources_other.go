//go:build !linux

package memory

// sources are empty: these systems have no such files.
var sources []func() (int64, bool)
