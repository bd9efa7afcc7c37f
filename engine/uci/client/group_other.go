//go:build !unix

package client

import "os/exec"

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup ends the program; what it started continues.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
