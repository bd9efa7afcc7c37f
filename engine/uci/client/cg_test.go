package client

import (
	"context"
	"strings"
	"testing"
	"time"

	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// arenaGame is a game of the arena at its beginning.
func arenaGame() *games.Line[oware.Position] {
	return oware.Descriptor().NewLine(oware.Start(oware.Arena))
}

func cgCommand(how string) Command {
	c := fakeCommand("cg " + how)
	c.Protocol = CG
	return c
}

// TestAGameOfTheArena: a process plays one game, and gets its own houses first.
func TestAGameOfTheArena(t *testing.T) {
	t.Parallel()
	c := cgCommand("counts")
	c.Margin = time.Minute
	p := New(oware.Descriptor(), c)
	defer p.Close()
	lim := Limits{MoveTime: time.Millisecond}
	for range 2 { // games: the fake plays house 0 in its first turn, 1 in its second
		testkit.NoError(t, p.NewGame(t.Context()))
		l := arenaGame()
		for turn := range 2 {
			a, err := p.Search(t.Context(), l, lim, nil)
			if err != nil || int(a.Best) != turn || a.Scored || a.Time <= 0 {
				t.Fatalf("turn %d: %+v, %v", turn, a, err)
			}
			for range 2 {
				testkit.NoError(t, l.Play(a.Best))
			}
		}
	}
	if p.Name() != "" || len(p.Options()) != 0 {
		t.Errorf("name %q, options %v", p.Name(), p.Options())
	}
}

func TestHousesLineHasOwnHousesFirst(t *testing.T) {
	l := arenaGame()
	testkit.Equal(t, housesLine(l.Position().String(), 0), "4 4 4 4 4 4 4 4 4 4 4 4\n", "housesLine")
	testkit.Equal(t, housesLine("0-1-2-3-4-5-6-7-8-9-1-2-0-0-N", 1), "6 7 8 9 1 2 0 1 2 3 4 5\n", "North")
}

// TestFaultsOfABot: each loses by its name.
func TestFaultsOfABot(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]string{
		"babbles":      `garbage: "I think 3": expected a house, 0 to 5`,
		"far":          `garbage: "6": expected`,
		"binary":       "garbage: ",
		"empty house":  "illegal: house 5 in ",
		"dies":         "crashed: exit status 4",
		"hangs":        "late: ",
		"talks early":  `garbage: "2" before its turn`,
		"endless line": "garbage: ",
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			c := cgCommand(how)
			if how != "hangs" {
				c.Margin = 20 * time.Second
			}
			p := start(t, c)
			l := arenaGame()
			var err error
			for range 2 {
				if how == "empty house" {
					l = oware.Descriptor().NewLine(board(t, "1-0-0-0-0-0-1-0-0-0-0-1-24-21-S"))
				}
				if _, err = p.Search(t.Context(), l, Limits{MoveTime: time.Millisecond}, nil); err != nil {
					break
				}
				time.Sleep(100 * time.Millisecond) // for those that talk early
			}
			if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
}

func board(t *testing.T, text string) oware.Position {
	t.Helper()
	return testkit.Must(oware.ParseBoard(oware.Arena, text))(t)
}

// TestBotsHaveASecondForTheirFirstMove: later moves have less.
func TestBotsHaveASecondForTheirFirstMove(t *testing.T) {
	t.Parallel()
	c := cgCommand("hangs")
	p := start(t, c)
	begin := time.Now()
	_, err := p.Search(context.Background(), arenaGame(), Limits{MoveTime: time.Millisecond}, nil)
	if took := time.Since(begin); err == nil || took < FirstTurn {
		t.Errorf("after %s: %v", took, err)
	}
}

func TestUnsupportedSettingsOfBot(t *testing.T) {
	t.Parallel()
	p := start(t, cgCommand("counts"))
	for _, lim := range []Limits{{}, {Depth: 1}, {Nodes: 5, MoveTime: 1}, {MoveTime: 1, Clock: &Clock{}}} {
		_, err := p.Search(t.Context(), arenaGame(), lim, nil)
		testkit.Refused(t, err, "protocol=cg")
	}
	for _, tt := range []struct {
		options     []Option
		game, rules string
		fits        bool
	}{
		{nil, "oware", "arena", true},
		{nil, "oware", "abapa", true},
		{nil, "oware", "awari", false},
		{nil, "chess", "arena", false},
		{[]Option{{"Hash", "1"}}, "oware", "arena", false},
	} {
		if err := CG.Check(tt.options, tt.game, tt.rules); (err == nil) != tt.fits {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}

func FuzzHouse(f *testing.F) {
	f.Add("3")
	f.Add("-1")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parseHouse(Line{Text: text})
		if (err == nil) != (len(text) == 1 && text >= "0" && text <= "5") || err == nil && m > 5 {
			t.Errorf("%q: %d, %v", text, m, err)
		}
	})
}
