//go:build !linux

package client

import "os/exec"

// startCommand starts a program. It survives if this process is killed.
func startCommand(cmd *exec.Cmd) error { return cmd.Start() }
