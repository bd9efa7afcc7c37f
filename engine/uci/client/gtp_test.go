package client

import (
	"strings"
	"testing"
	"time"

	"kroo/games"
	"kroo/games/othello"
)

func gtpCommand(how string) Command {
	c := fakeCommand("gtp " + how)
	c.Protocol = GTP
	return c
}

func startGTP(t *testing.T, c Command) (*Client[othello.Position], error) {
	t.Helper()
	p, err := Start(t.Context(), othello.Descriptor(), c)
	if err == nil {
		t.Cleanup(p.Close)
	}
	return p, err
}

func othelloGame(t *testing.T, moves string) *games.Line[othello.Position] {
	t.Helper()
	l := othello.Descriptor().NewLine(othello.Start(othello.Large))
	if err := l.PlayText(moves); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestAGameByGTP: the program is told the moves that it has not made, and begins anew
// where the game is another.
func TestAGameByGTP(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"", "no numbers"} {
		p, err := startGTP(t, gtpCommand(how))
		if err != nil {
			t.Fatal(err)
		}
		if p.Name() != "Fake 1" {
			t.Errorf("name %q", p.Name())
		}
		ask := func(moves string, lim Limits, want, told string) {
			a, err := p.Search(t.Context(), othelloGame(t, moves), lim, nil)
			if err != nil || othello.MoveName(othello.Large, a.Move) != want || a.Scored {
				t.Fatalf("%s, %s: %+v, %v, expected %s", how, moves, a, err, want)
			}
			var sent []string
			for _, line := range p.Transcript() {
				if text, ok := strings.CutPrefix(line, "> "); ok {
					_, command, _ := strings.Cut(text, " ")
					sent = append(sent, strings.TrimSpace(command))
				}
			}
			if got := strings.Join(sent, "; "); !strings.HasSuffix(got, told) {
				t.Errorf("%s: sent %s\nexpected %s", how, got, told)
			}
		}
		minute := &Clock{Left: [2]time.Duration{time.Minute, 90 * time.Second}}
		none := &Clock{Left: [2]time.Duration{time.Minute, time.Millisecond}}
		ask("", Limits{}, "c4", "boardsize 8; clear_board; genmove black")
		ask("c4 c3", Limits{}, "c2", "genmove black; play white C3; genmove black")
		ask("f5", Limits{Clock: minute}, "d6", "time_settings 90 0 0; play black F5; time_left white 90 0; genmove white")
		ask("f5 d6 c3", Limits{Clock: none}, "d3", "genmove white; play black C3; time_left white 1 0; genmove white")
		if err := p.NewGame(t.Context()); err != nil {
			t.Error(err)
		}
		if ok, err := p.Knows(t.Context(), "time_left"); !ok || err != nil {
			t.Errorf("time_left: %t, %v", ok, err)
		}
	}
}

// TestForcedPassesAreNotAskedFor: and a program that refuses to be told of one goes on.
func TestForcedPassesAreNotAskedFor(t *testing.T) {
	t.Parallel()
	p, err := startGTP(t, gtpCommand("refuses passes"))
	if err != nil {
		t.Fatal(err)
	}
	l := othelloGame(t, "d3 c3 b3 b2 f5 a3 a1 c1") // Dark has no move
	if a, err := p.Search(t.Context(), l, Limits{}, nil); err != nil || a.Move != othello.Pass {
		t.Fatalf("%+v, %v", a, err)
	}
	if err := l.Play(othello.Pass); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Search(t.Context(), l, Limits{}, nil); err != nil {
		t.Error(err)
	}
}

// TestFaultsByGTP: each loses by its name.
func TestFaultsByGTP(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]string{
		"small board":  `garbage: refuses boardsize 8: "unacceptable size"`,
		"babbles":      `garbage: "I THINK D3" for a move: expected`,
		"no move":      `garbage: "" for a move: expected`,
		"illegal":      "illegal: move a1 in ",
		"resigns":      "illegal: it resigns",
		"refuses":      `garbage: refuses genmove: "no"`,
		"refuses play": `garbage: refuses play black F5: "illegal move"`,
		"dies":         "crashed: exit status 4",
		"floods":       "garbage: more than 100 lines like",
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			p, err := startGTP(t, gtpCommand(how))
			if err == nil {
				_, err = p.Search(t.Context(), othelloGame(t, "f5"), Limits{}, nil)
			}
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
	c := gtpCommand("hangs")
	c.Hang = 50 * time.Millisecond
	p, err := startGTP(t, c)
	if err == nil {
		_, err = p.Search(t.Context(), othelloGame(t, ""), Limits{}, nil)
	}
	if err == nil || !strings.HasPrefix(err.Error(), "hung: ") {
		t.Errorf("hangs: %v", err)
	}
}

func TestWhatGTPCannotBeTold(t *testing.T) {
	t.Parallel()
	p, err := startGTP(t, gtpCommand(""))
	if err != nil {
		t.Fatal(err)
	}
	for _, lim := range []Limits{{Depth: 1}, {Nodes: 5}, {MoveTime: time.Second}} {
		if _, err := p.Search(t.Context(), othelloGame(t, ""), lim, nil); err == nil || !strings.Contains(err.Error(), "protocol=gtp") {
			t.Errorf("%+v: %v", lim, err)
		}
	}
	later := othello.Descriptor().NewLine(othelloGame(t, "f5").Position())
	if _, err := p.Search(t.Context(), later, Limits{}, nil); err == nil || !strings.Contains(err.Error(), "from the start alone") {
		t.Errorf("from a board: %v", err)
	}
	for _, err := range []error{GTP.Check(nil, "othello", "6x6"), GTP.Check(nil, "chess", "full"), GTP.Check([]Option{{"a", "b"}}, "othello", "8x8")} {
		if err == nil || !strings.Contains(err.Error(), "protocol=gtp") {
			t.Errorf("error %v", err)
		}
	}
	if GTP.Check(nil, "othello", "8x8") != nil || GTP.Scores() || CG.Scores() || !NBoard.Scores() || !UCI.Scores() {
		t.Error("gtp plays othello 8x8, and tells no scores")
	}
}
