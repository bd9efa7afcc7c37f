package dropout

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"kroo/internal/testkit"
)

// killed is the expansion that is killed.
func killed(log string) Config {
	cfg := config(400)
	cfg.Engine, cfg.Log = "fake", log
	return cfg
}

// TestMain is the process to be killed if the environment names a log, or the folder of a
// second pass.
func TestMain(m *testing.M) {
	if dir := os.Getenv("KROO_DROPOUT_DEEPEN"); dir != "" {
		if _, err := deepenKilled(dir, 2*time.Millisecond); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	log := os.Getenv("KROO_DROPOUT_LOG")
	if log == "" {
		os.Exit(m.Run())
	}
	pool := newFakePool(1)
	pool.workers, pool.delay = 3, 300*time.Microsecond
	if _, _, err := Build(context.Background(), killed(log), pool, nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A job killed at random moments (KROO_KILLS of them) goes on every time and
// ends with the graph of an uninterrupted one.
func TestKilledJobGoesOn(t *testing.T) {
	kills, err := strconv.Atoi(os.Getenv("KROO_KILLS"))
	if err != nil {
		kills = 4
	}
	whole := killed("")
	want := build(t, whole)
	r := rand.New(rand.NewPCG(7, 7))
	mid := 0
	log := filepath.Join(t.TempDir(), "0.log")
	for i := range kills {
		job := exec.Command(os.Args[0])
		job.Env = append(os.Environ(), "KROO_DROPOUT_LOG="+log)
		job.Stderr = os.Stderr
		testkit.NoError(t, job.Start())
		time.Sleep(time.Duration(r.IntN(60)) * time.Millisecond)
		job.Process.Kill()
		job.Wait()
		if _, err := os.Stat(log); err != nil {
			continue
		}
		full, err := killed(log).normal()
		testkit.NoError(t, err)
		b, err := open(full)
		if err != nil {
			t.Fatalf("after kill %d: %v", i+1, err)
		}
		records := len(b.results)
		testkit.NoError(t, b.log.Close())
		if records > 0 && records < want.searched {
			mid++
		}
		if records >= want.searched { // finished: from the beginning
			finish(t, log, dump(want))
			log = filepath.Join(t.TempDir(), fmt.Sprint(i+1, ".log"))
		}
	}
	finish(t, log, dump(want))
	t.Logf("%d kills, %d of them in the middle", kills, mid)
	if kills >= 50 && mid < kills/4 {
		t.Errorf("%d of %d kills in the middle: the test tests too little", mid, kills)
	}
}

// finish goes on from a log to the end. No position may be in the log twice,
// which opening it checks: so a kill costs the searches in hand only.
func finish(t *testing.T, log, want string) {
	t.Helper()
	g, _, err := Build(context.Background(), killed(log), newFakePool(1), nil)
	if err != nil || dump(g) != want {
		t.Fatalf("another graph than without kills (%v)", err)
	}
}
