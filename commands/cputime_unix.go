//go:build unix

package commands

import (
	"os"
	"os/signal"
	"syscall"
)

// whenTimeIsUp calls stop at the limit of processor time, of ulimit -t for example. The system
// repeats the signal each second until the hard limit: the repetitions do not end the program,
// which is about to end.
func whenTimeIsUp(stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGXCPU)
	go func() {
		for range signals {
			stop()
		}
	}()
}
