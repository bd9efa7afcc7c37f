//go:build !unix

package match

import "sync/atomic"

// continued is always 0 on systems without suspending.
func continued() *atomic.Int64 { return new(atomic.Int64) }
