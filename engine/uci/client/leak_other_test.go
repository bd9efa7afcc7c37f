//go:build !linux

package client

import "testing"

// Elsewhere than on Linux there is no easy way to look.
func openFiles(*testing.T) int { return 0 }

func runs(int) bool { return false }
