package kalah

import (
	"testing"

	"kroo/games/gametest"
)

func TestDescription(t *testing.T) { gametest.Run(t, Game) }

func TestMoves(t *testing.T) {
	for _, c := range []struct{ name, from, moves, to string }{
		{"the third house ends in the store, and the opponent passes", "4-4-4-4-4-4-0-4-4-4-4-4-4-0-S", "C pass", "4-4-0-5-5-5-1-4-4-4-4-4-4-0-S"},
		{"a sowing passes the own store and goes on behind it", "4-4-4-4-4-4-0-4-4-4-4-4-4-0-S", "F", "4-4-4-4-4-0-1-5-5-5-4-4-4-0-N"},
		{"the last seed in an own empty house captures what is opposite", "1-0-4-4-4-4-3-4-4-4-4-4-4-4-S", "A", "0-0-4-4-4-4-8-4-4-4-4-0-4-4-N"},
		{"nothing opposite, nothing captured", "1-0-4-4-4-4-3-4-4-4-4-0-4-8-S", "A", "0-1-4-4-4-4-3-4-4-4-4-0-4-8-N"},
		{"thirteen seeds end where they began, and capture", "13-0-0-0-0-0-9-0-0-0-0-0-1-25-S", "A", "0-1-1-1-1-1-13-1-1-1-1-1-0-25-N"},
		{"the opponent's store gets none", "0-1-0-0-0-9-7-1-1-1-1-1-1-25-S", "F", "1-2-0-0-0-0-8-2-2-2-2-2-2-25-N"},
	} {
		p, err := parse("", c.from)
		if err != nil {
			t.Fatal(err)
		}
		l := Game.NewLine(p)
		if err := l.PlayText(c.moves); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := l.Position().String(); got != c.to {
			t.Errorf("%s: %s, want %s", c.name, got, c.to)
		}
	}
}

func TestEnd(t *testing.T) {
	for text, want := range map[string]int{"0-0-0-0-0-0-20-1-1-1-0-0-0-25-S": -8, "0-0-0-0-0-0-20-1-1-1-0-0-0-25-N": 8, "1-0-0-0-0-0-30-0-0-0-0-0-0-17-Sp": 14} {
		p, err := parse("", text)
		if diff, over := p.Terminal(); err != nil || !over || diff != want {
			t.Errorf("%s: %d, %v, %v, want %d", text, diff, over, err, want)
		}
	}
}
