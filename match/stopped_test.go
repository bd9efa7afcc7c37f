//go:build unix

package match

import (
	"context"
	"syscall"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/uci/client"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// stopsOnce is stopped and continued in its first game, each time for a while.
type stopsOnce struct {
	engine.Mover[oware.Position]
	games *int
	while time.Duration
}

func (p stopsOnce) NewGame(ctx context.Context, seed uint64) error {
	*p.games++
	return p.Mover.NewGame(ctx, seed)
}

func (p stopsOnce) Move(ctx context.Context, l *games.Line[oware.Position], c client.Clock) (engine.Answer, error) {
	if *p.games == 1 {
		syscall.Kill(syscall.Getpid(), syscall.SIGCONT)
		time.Sleep(p.while)
	}
	return p.Mover.Move(ctx, l, c)
}

// A clock runs on while the program is stopped. The game is replayed.
func TestGameIsReplayedAfterSuspend(t *testing.T) {
	played, while := 0, 100*time.Millisecond // too long for the clock
	a, b := newRandom("a", 1), newRandom("b", 2)
	inner := a.New
	a.New = func() engine.Mover[oware.Position] { return stopsOnce{inner(), &played, while} }
	tc := engine.TimeControl{Base: 60 * time.Millisecond, Inc: time.Second}
	r := mustPlay(t, Config{Pairs: 1, OpeningPlies: 2, Seed: 1, Concurrency: 1, TimeControl: tc}, a, b)
	if r.Score.Forfeits != [2]int{} || played != 3 || r.Again != 1 {
		t.Errorf("forfeits %v, %d games begun, %d again: want none, 3 and 1", r.Score.Forfeits, played, r.Again)
	}
	testkit.Contains(t, r.Doc("seed").Text(""), "replayed:        1 game")
	played, while = 0, 0
	r = mustPlay(t, Config{Pairs: 1, OpeningPlies: 2, Seed: 1, Concurrency: 1}, a, b)
	if played != 2 || r.Again != 0 {
		t.Errorf("without a clock: %d games begun, %d again", played, r.Again)
	}
}
