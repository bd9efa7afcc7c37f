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
	clocks match.Clocks
}

func (p *toldPlayer) SetClock(c match.Clocks) { p.clocks = c }

func TestBookPlayerPassesTheClockOn(t *testing.T) {
	told := &toldPlayer{}
	want := match.Clocks{Left: [2]time.Duration{time.Minute, time.Second}}
	if (&bookPlayer{Player: told}).SetClock(want); told.clocks != want {
		t.Errorf("told %+v", told.clocks)
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
