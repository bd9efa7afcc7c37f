package dropout

import (
	"context"
	"fmt"
	"testing"
	"time"

	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/parallel"
)

// uneven sleeps as long as a search of ten milliseconds on average takes, from
// one to nineteen.
type uneven struct {
	fakePool
	workers int
}

func (p *uneven) Search(ctx context.Context, feed engine.Feed[oware.Position], done func(engine.Job[oware.Position], engine.Answer) error) error {
	return parallel.Collect(ctx, p.workers, feed, func(_ context.Context, _ int, j engine.Job[oware.Position]) (engine.Answer, error) {
		time.Sleep(time.Millisecond * time.Duration(1+j.Position.Key()%19))
		return p.search(j.Position), nil
	}, done)
}

// Two workers should be twice as fast as one, four four times.
func BenchmarkWorkers(b *testing.B) {
	for b.Loop() {
		var one time.Duration
		for _, workers := range []int{1, 2, 4} {
			pool := &uneven{fakePool: fakePool{noise: 300}, workers: workers}
			begin := time.Now()
			if _, _, err := Build(context.Background(), config(60), pool, nil); err != nil {
				b.Fatal(err)
			}
			if took := time.Since(begin); workers == 1 {
				one = took
			} else {
				b.ReportMetric(float64(one)/float64(took), fmt.Sprintf("times-%d-workers", workers))
			}
		}
	}
}
