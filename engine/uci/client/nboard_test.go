package client

import (
	"errors"
	"strings"
	"testing"
	"time"

	"kroo/engine/search"
	"kroo/games/othello"
)

// TestPutsOfAProgram: NBoard's answers as programs write them.
func TestPutsOfAProgram(t *testing.T) {
	p := othello.Start(othello.Large)
	for text, want := range map[string]Answer{
		"d3 -1.00 0.0":   {Score: -100, Scored: true}, // as Edax
		"D3/1.50/0.3":    {Score: 150, Scored: true},
		"D3":             {},
		"D3//0.2":        {},
		"D3/x/y":         {},
		"d3/-99999999/1": {Score: -search.MaxHeuristic, Scored: true},
	} {
		var a Answer
		err := parsePut(&a, othello.Descriptor(), p, text)
		name := othello.MoveName(othello.Large, a.Move)
		if err != nil || name != "d3" || a.Score != want.Score || a.Scored != want.Scored {
			t.Errorf("%s: %s, %+v, %v", text, name, a, err)
		}
	}
	for text, want := range map[string]string{"": "garbage: ", "PA": "illegal: move pass", "a1/0/0": "illegal: move a1", "z9": "garbage: "} {
		if err := parsePut(new(Answer), othello.Descriptor(), p, text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	var a Answer
	for _, line := range []string{"nodestats 35805 0.00", "search F5d6C3 2.25 0 12 pv", "nodestats x", "search F5", "status"} {
		a.noteNBoard(line)
	}
	if a.Nodes != 35805 || a.Depth != 12 || a.Score != 225 || !a.Scored {
		t.Errorf("%+v", a)
	}
}

// TestFaultsOfAProgramForOthello: one that does not answer a ping hangs, one that is asked
// for what the protocol has no words for is not.
func TestFaultsOfAProgramForOthello(t *testing.T) {
	t.Parallel()
	c := fakeCommand("says nothing")
	c.Protocol, c.StartUp = NBoard, 100*time.Millisecond
	_, err := Start(t.Context(), othello.Descriptor(), c)
	if f, ok := errors.AsType[*misdeed](err); !ok || f.Kind != kindHung {
		t.Errorf("error %v", err)
	}
	if err := NBoard.Check(nil, "othello", "8x8"); err != nil {
		t.Error(err)
	}
	for _, err := range []error{NBoard.Check(nil, "othello", "6x6"), NBoard.Check(nil, "oware", "arena"), NBoard.Check([]Option{{"a", "b"}}, "othello", "8x8")} {
		if err == nil {
			t.Error("no error")
		}
	}
}

func FuzzPut(f *testing.F) {
	f.Add("=== d3/1/2")
	f.Add("search F5d6 1.5,2 0 100%W x")
	f.Fuzz(func(t *testing.T, text string) {
		var a Answer
		a.noteNBoard(text)
		p := othello.Start(othello.Large)
		if err := parsePut(&a, othello.Descriptor(), p, text); err == nil && p.Play(a.Move) == p {
			t.Errorf("%q: %+v", text, a)
		}
	})
}
