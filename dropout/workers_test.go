package dropout

import (
	"context"
	"fmt"
	"testing"
	"time"

	"kroo/farm"
	"kroo/games/oware"
)

// uneven sleeps as long as a search of ten milliseconds on average takes, from
// one to nineteen.
type uneven struct {
	fakePool
	workers int
}

func (p *uneven) Workers() int { return p.workers }

func (p *uneven) Run(ctx context.Context, jobs []farm.Job[oware.Position], done func(farm.Result) error) error {
	for i := range jobs {
		time.Sleep(time.Millisecond * time.Duration(1+jobs[i].Position.Key()%19))
		if err := done(farm.Result{Index: i, Search: p.search(jobs[i].Position)}); err != nil {
			return err
		}
	}
	return ctx.Err()
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
