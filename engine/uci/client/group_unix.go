//go:build unix

package client

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the program the leader of a process group of its own: Ctrl-C in the terminal then
// reaches only this program, and whatever it starts can be ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the program and everything that it started and is still in the group. An empty
// group is not an error.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
