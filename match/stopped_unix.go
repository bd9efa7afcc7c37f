//go:build unix

package match

import (
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
)

// continued counts how often this program was suspended, by Ctrl-Z for example, and resumed, since
// the first call.
var continued = sync.OnceValue(func() *atomic.Int64 {
	count := new(atomic.Int64)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGCONT)
	go func() {
		for range signals {
			count.Add(1)
		}
	}()
	return count
})
