package dropout

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// instant answers at once and remembers nothing.
type instant struct{ fakePool }

func (p *instant) Search(ctx context.Context, feed engine.Feed[oware.Position], done func(engine.Job[oware.Position], engine.Answer) error) error {
	return feed(ctx, func(j engine.Job[oware.Position]) error { return done(j, p.search(j.Position)) })
}

// peakMemory is the most memory that this process had, in megabytes.
func peakMemory(b *testing.B) float64 {
	text := testkit.Read(b, "/proc/self/status")
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb := testkit.Must(strconv.ParseFloat(strings.Fields(rest)[0], 64))(b)
			return kb / 1000
		}
	}
	b.Fatal("no VmHWM in /proc/self/status")
	return 0
}

// processor is the time that this process had a processor, all threads
// together: what the wall clock shows on an idle machine, at most.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	testkit.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A book of KROO_NODES nodes (100 000 if unset) with a log and an instant
// evaluator, and continuing from it: bookkeeping, memory, time to resume. With
// -benchtime 1x.
func BenchmarkLarge(b *testing.B) {
	nodes := 100_000
	if n, err := strconv.Atoi(os.Getenv("KROO_NODES")); err == nil {
		nodes = n
	}
	for b.Loop() {
		cfg := config(0)
		cfg.Stop.Evaluations, cfg.log = nodes, filepath.Join(b.TempDir(), "large.log")
		pool := &instant{fakePool{noise: 300}}
		begin, cpuStart := time.Now(), processor(b)
		g, _, err := cfg.by(pool)
		testkit.NoError(b, err)
		b.ReportMetric(float64(time.Since(begin).Microseconds())/float64(nodes), "µs/node")
		b.ReportMetric(float64((processor(b)-cpuStart).Microseconds())/float64(nodes), "cpu-µs/node")
		n, entries := len(g.nodes), len(g.entries())
		g = nil
		runtime.GC()
		resume := func(what string) {
			begin, cpuStart := time.Now(), processor(b)
			g, _, err := cfg.by(pool)
			if err != nil || len(g.nodes) != n || len(g.entries()) != entries {
				b.Fatalf("going on %s: another graph (%v)", what, err)
			}
			b.ReportMetric(time.Since(begin).Seconds(), "s-"+what)
			b.ReportMetric((processor(b) - cpuStart).Seconds(), "cpu-s-"+what)
			b.ReportMetric(peakMemory(b), "MB-"+what)
		}
		b.ReportMetric(peakMemory(b), "MB")
		resume("resumed")
	}
}
