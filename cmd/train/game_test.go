package main

import (
	"errors"
	"strings"
	"testing"
)

func TestGameThatACommandDoesNotServe(t *testing.T) {
	two := perGame[func() int]{oware: func() int { return 1 }, othello: func() int { return 2 }}
	for name, want := range map[string]int{"oware": 1, "othello": 2} {
		if f, err := two.of(name); err != nil || f() != want {
			t.Errorf("%s: error %v, want what is done for it", name, err)
		}
	}
	for name, want := range map[string]string{
		"tictactoe": "tictactoe is a game that this command does not serve: expected oware or othello",
		"go":        `--game is "go": expected oware or othello`,
	} {
		_, err := two.of(name)
		var usage usageError
		if !errors.As(err, &usage) || err.Error() != want {
			t.Errorf("%s: error %v, want the wrong use %q", name, err, want)
		}
	}
}

func TestEveryGameStandsInTheHelp(t *testing.T) {
	help := good(t, t.TempDir(), "perft", "--help")
	for _, name := range known.names() {
		if !strings.Contains(help, name) {
			t.Errorf("help does not name %s:\n%s", name, help)
		}
	}
}
