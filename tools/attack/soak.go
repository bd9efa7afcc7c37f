package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"
)

// soak kills commands at random moments, again and again, until each has ended, and
// compares what it has written with what it writes in one go.
func (a *attack) soak(ctx context.Context, length time.Duration) error {
	random := rand.New(rand.NewPCG(a.seed, 0))
	end := time.Now().Add(length)
	var jobs []soakJob
	for _, c := range commands {
		if a.only == "" || a.only == c.name {
			files, r, err := a.whole(ctx, c)
			if err != nil {
				return err
			}
			jobs = append(jobs, soakJob{command: c, want: files, took: r.took})
		}
	}
	defer func() { // after an interruption too
		for _, j := range jobs {
			fmt.Printf("%-12s %5d times, %6d kills\n", j.name, j.ended, j.kills)
		}
	}()
	for time.Now().Before(end) {
		if err := a.soakOnce(ctx, &jobs[random.IntN(len(jobs))], random); err != nil {
			return err
		}
	}
	return nil
}

// soakJob is a command under the soak.
type soakJob struct {
	command
	want         map[string][]byte
	took         time.Duration // in one go
	ended, kills int
}

// soakOnce runs a command to its end through kills. The time to the next kill grows, so
// that it gets there.
func (a *attack) soakOnce(ctx context.Context, j *soakJob, random *rand.Rand) error {
	dir, err := a.fresh()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	args := words(j.line)
	for tries := time.Duration(1); ; tries++ {
		killed, cancel := context.WithTimeout(ctx, time.Duration(random.Int64N(int64(j.took+tries*j.took/4))))
		r := a.execute(killed, dir, j.command, args)
		over := killed.Err() == nil || r.code == 0
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if over {
			j.ended++
			return a.judge(j, dir, r)
		}
		j.kills++
		args = j.goOn(dir)
	}
}

// judge compares what a command has written through kills.
func (a *attack) judge(j *soakJob, dir string, r result) error {
	what := fmt.Sprintf("soak %d", j.ended)
	if r.code != 0 {
		a.fail(j.command, what, r, "it ends with an error")
		return nil
	}
	diff, err := differences(dir, j.want, j.otherResults)
	if err == nil && diff != "" {
		a.fail(j.command, what, r, "%s", diff)
	}
	return err
}
