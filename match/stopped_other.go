//go:build !unix

package match

import "sync/atomic"

// continued stays 0 where programs are not stopped and continued.
func continued() *atomic.Int64 { return new(atomic.Int64) }
