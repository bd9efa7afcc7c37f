package farm

import (
	"math"
	"testing"
	"time"

	"kroo/engine"
)

func TestDeadlinesAreLongerThanSearches(t *testing.T) {
	const day = 24 * time.Hour
	timed := func(d time.Duration) engine.Config { return engine.Config{MoveTime: engine.Duration{Duration: d}} }
	for _, c := range []struct {
		config engine.Config
		want   time.Duration
	}{
		{timed(time.Second), 2*time.Second + DeadlineGrace},
		{timed(20 * day), 30*day + DeadlineGrace},
		{timed(math.MaxInt64), 30*day + DeadlineGrace},
		{engine.Config{Nodes: 20_000}, time.Second + DeadlineGrace},
		{engine.Config{Nodes: 1 << 40}, day + DeadlineGrace},
		{engine.Config{Nodes: math.MaxInt64}, day + DeadlineGrace},
		{engine.Config{Depth: 10}, time.Hour},
	} {
		if got := DeadlineOf(c.config); got != c.want {
			t.Errorf("%s: a deadline of %s, want %s", c.config, got, c.want)
		}
	}
}
