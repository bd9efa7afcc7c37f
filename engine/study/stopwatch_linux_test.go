package study

import (
	"testing"
	"time"
)

func TestMeasuredTimeIsThatOfTheProcessor(t *testing.T) {
	if took := seconds(func() { time.Sleep(100 * time.Millisecond) }); took < 0 || took > 0.05 {
		t.Errorf("sleeping for 0.1 s takes %f s of the processor", took)
	}
	sum := uint64(0)
	work := func(n uint64) func() {
		return func() {
			for i := range n {
				sum += i * i
			}
		}
	}
	least := func(f func()) float64 { // of several: whatever interrupts some adds to them
		took := seconds(f)
		for range 9 {
			took = min(took, seconds(f))
		}
		return took
	}
	if less, more := least(work(1e5)), least(work(1e7)); less <= 0 || more < 10*less {
		t.Errorf("a hundred times the work takes %f s instead of %f s (%d)", more, less, sum)
	}
}

func seconds(f func()) float64 {
	s := plain("", func(int, int) cost { f(); return cost{} })
	return s.timeSearch(0, 0).seconds
}
