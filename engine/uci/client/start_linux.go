package client

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// startCommand starts a program that the system ends when this one ends, even by
// kill -9: a program that searches would not notice, and continue at full speed. (What
// the program itself starts is not covered: the package comment says what to do.)
//
// The system watches the thread that starts the program. So all are started by one
// thread that lives as long as this program.
func startCommand(cmd *exec.Cmd) error {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	s := starting{cmd, make(chan error)}
	starter() <- s
	return <-s.result
}

// starting is a program for the starter.
type starting struct {
	cmd    *exec.Cmd
	result chan error
}

// starter returns the queue of the thread that starts programs.
var starter = sync.OnceValue(func() chan<- starting {
	queue := make(chan starting)
	go func() {
		runtime.LockOSThread()
		for s := range queue {
			s.result <- s.cmd.Start()
		}
	}()
	return queue
})
