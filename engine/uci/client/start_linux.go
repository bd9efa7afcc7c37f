package client

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// startCommand starts a program that the system ends when this one ends, even by kill -9: a
// searching program would not notice, and would continue at full speed. (This does not cover what
// the program itself starts: see the package comment.)
//
// The system watches the thread that starts the program. So all programs are started by one thread
// that lives as long as this process.
func startCommand(cmd *exec.Cmd) error {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	s := starting{cmd, make(chan error)}
	starter() <- s
	return <-s.result
}

// starting is a request to start a program.
type starting struct {
	cmd    *exec.Cmd
	result chan error
}

// starter returns the request queue of the thread that starts programs.
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
