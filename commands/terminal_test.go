package commands

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/engine/play"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// The board keeps its colours; control characters of other text are replaced.
func TestABoardInColourReachesTheTerminal(t *testing.T) {
	kit := engine.Oware()
	e := testkit.Must(engine.Open(t.Context(), kit, engine.Spec{Weights: engine.CapturesName, Search: engine.Config{Depth: 2, HashMB: 1}}, kit.Game.Rules[0]))(t)
	defer e.Close()
	start := testkit.Must(kit.Game.Start(e.Rules))(t)
	var screen bytes.Buffer
	out := &results{to: &screen}
	game := play.New(e, start, 0)
	testkit.NoError(t, game.Move("F"))
	shown := &terminal[oware.Position]{engine: e, game: game, start: start, out: out, screen: true, colour: true}
	shown.draw()
	shown.clearLine()
	if text := screen.String(); !strings.HasPrefix(text, redraw+"You play South, the engine (at its best) plays North.\n") || !strings.Contains(text, bold+"b"+unstyle) || !strings.Contains(text, bold+"a"+unstyle+"\n") || !strings.Contains(text, unstyle) || !strings.HasSuffix(text, "\r\x1b[K") || strings.ContainsRune(text, '\uFFFD') {
		t.Errorf("drawn: %q", text)
	}
	screen.Reset()
	shown.colour = false // NO_COLOR: drawn in place all the same
	shown.draw()
	if text := screen.String(); !strings.HasPrefix(text, redraw) || strings.Contains(strings.TrimPrefix(text, redraw), "\x1b") {
		t.Errorf("drawn without colours: %q", text)
	}
	screen.Reset()
	if out.Write([]byte("\x1b[1m")); screen.String() != "\uFFFD[1m" {
		t.Errorf("written: %q", screen.String())
	}
}

func TestAFailedDrawingIsRemembered(t *testing.T) {
	out := &results{to: full{}}
	if _, err := (drawing{out}).Write([]byte("x")); !errors.Is(err, errFull) || !errors.Is(out.err, errFull) {
		t.Errorf("error %v, remembered %v", err, out.err)
	}
}

var errFull = errors.New("no space left")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
