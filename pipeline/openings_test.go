package pipeline

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kroo/engine"
	"kroo/games/oware"
	"kroo/match"
)

// toldPlayer keeps what it is told of the clock.
type toldPlayer struct {
	match.Player
	remaining, increment time.Duration
}

func (p *toldPlayer) SetClock(remaining, increment time.Duration) {
	p.remaining, p.increment = remaining, increment
}

func TestBookPlayerPassesTheClockOn(t *testing.T) {
	told := &toldPlayer{}
	(&bookPlayer{Player: told}).SetClock(time.Minute, time.Second)
	if told.remaining != time.Minute || told.increment != time.Second {
		t.Errorf("told %s and %s", told.remaining, told.increment)
	}
}

func TestMakeOpeningsIsReproducible(t *testing.T) {
	path := filepath.Join(t.TempDir(), "openings.ogn")
	var want []byte
	for workers := range 4 {
		req := OpeningsRequest{
			SuiteConfig:  match.SuiteConfig{Plies: 4, Bound: 100, N: 20, Seed: 3, Workers: workers},
			SearchConfig: SearchConfig{Depth: 4, HashMB: 1},
			Eval:         Captures(),
		}
		n, err := MakeOpenings(context.Background(), req, path, func(int64, int64) {})
		if err != nil || n != 20 {
			t.Fatal(n, err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = text
		}
		if !bytes.Equal(text, want) {
			t.Errorf("%d workers write another file", workers)
		}
	}
	openings, err := match.ReadOpenings(path, oware.Abapa, 0)
	if err != nil || len(openings) != 20 {
		t.Fatal(len(openings), err)
	}
	for _, o := range openings {
		g, err := o.Game()
		if err != nil {
			t.Fatal(err)
		}
		if score, _ := engine.Negascout(g.Position(), nil, 4, engine.Captures); score < -100 || score > 100 {
			t.Errorf("%s is worth %d", g.Position(), score)
		}
	}
}
