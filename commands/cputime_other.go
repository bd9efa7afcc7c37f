//go:build !unix

package commands

// whenTimeIsUp does nothing where the system limits no processor time.
func whenTimeIsUp(func()) {}
