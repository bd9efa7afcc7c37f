//go:build !linux

package client

import "os/exec"

// startCommand starts a program. It outlives this one if that is killed.
func startCommand(cmd *exec.Cmd) error { return cmd.Start() }
