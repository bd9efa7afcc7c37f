//go:build unix

package client

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the program the head of a process group of its own: Ctrl-C in
// the terminal then reaches only us, and what it starts can be ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the program and all that it started, as far as it is still in
// the group. There being nobody left is no error.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
