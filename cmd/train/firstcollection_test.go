package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// gcPercent is the setting in force.
func gcPercent() int {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return int(s[0].Value.Uint64())
}

func TestOnlyTheFirstCollectionIsDelayed(t *testing.T) {
	t.Setenv("GOGC", "")
	usual := gcPercent()
	t.Cleanup(func() { debug.SetGCPercent(usual) })
	delayFirstCollection()
	runtime.GC()
	for range 1000 { // cleanups run on a goroutine of their own
		if gcPercent() == usual {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("after a collection the setting is %d: want %d", gcPercent(), usual)
}

func TestGOGCOfTheUserCounts(t *testing.T) {
	t.Setenv("GOGC", "50")
	before := gcPercent()
	delayFirstCollection()
	if got := gcPercent(); got != before {
		t.Errorf("the setting is %d: want %d", got, before)
	}
}
