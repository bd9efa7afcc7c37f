package match

import (
	"context"
	"errors"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/uci/client"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// clockedPlayer records its clock and plays the first legal move, after a while by the test's fake
// time.
type clockedPlayer struct {
	oddPlayer
	told client.Clock
}

func (p *clockedPlayer) Move(ctx context.Context, l *owareLine, c client.Clock) (engine.Answer, error) {
	p.told = c
	return p.oddPlayer.Move(ctx, l, c)
}

// timedGame is a game of two clocked players in a time of its own.
type timedGame struct {
	clock   *clock
	game    *owareLine
	player  *clockedPlayer
	thinks  time.Duration // for the next move
	elapsed time.Duration
}

func newTimedGame(tc engine.TimeControl, margin time.Duration) *timedGame {
	tb := &timedGame{clock: newClock([2]engine.TimeControl{tc, tc}, margin), game: oware.Descriptor().NewLine(oware.Start(oware.Abapa)), player: &clockedPlayer{}}
	tb.clock.now = func() time.Time { return time.Unix(0, 0).Add(tb.elapsed) }
	tb.player.oddPlayer.move = func(_ context.Context, g *owareLine) (engine.Answer, error) {
		tb.elapsed += tb.thinks
		return engine.Answer{Move: g.Position().AppendMoves(nil)[0], Time: time.Hour}, nil
	}
	return tb
}

func (tb *timedGame) move(thinks time.Duration) (engine.Answer, error) {
	tb.thinks = thinks
	return (&seat[oware.Position]{player: tb.player}).timed(context.Background(), tb.clock, int(tb.game.Position().ToMove()), tb.game)
}

func TestClocksRunForEachSide(t *testing.T) {
	const s = time.Second
	tb := newTimedGame(engine.TimeControl{Base: 100 * s, Inc: 3 * s}, 2*s)
	for ply, c := range []struct{ thinks, remaining time.Duration }{
		{10 * s, 100 * s}, {50 * s, 100 * s}, {1 * s, 93 * s}, {53 * s, 53 * s}, // North uses all
		{97 * s, 95 * s}, {5 * s, 3 * s}, // both overrun within the margin
		{0, 3 * s}, {0, 3 * s}, {0, 6 * s},
	} {
		choice, err := tb.move(c.thinks)
		if err != nil || choice.Time != c.thinks {
			t.Fatalf("ply %d: %v, measured %s, thought %s", ply, err, choice.Time, c.thinks)
		}
		side := oware.Side(ply % 2)
		if told := tb.player.told; told.Left[side] != c.remaining || told.Inc != [2]time.Duration{3 * s, 3 * s} {
			t.Errorf("ply %d: told %+v, want %s", ply, told, c.remaining)
		}
	}
	if _, err := tb.move(8*s + 1); err != errFlag { // North had 6, and 2 of margin
		t.Errorf("an overrun beyond the margin: %v", err)
	}
}

func TestFlagFallLosesTheGame(t *testing.T) {
	t.Parallel()
	s := &seat[oware.Position]{player: &oddPlayer{nil, func(ctx context.Context, _ *owareLine) (engine.Answer, error) {
		<-ctx.Done()
		return engine.Answer{}, ctx.Err()
	}}}
	l := oware.Descriptor().NewLine(oware.Start(oware.Abapa))
	tc := engine.TimeControl{Base: time.Millisecond}
	k := newClock([2]engine.TimeControl{tc, tc}, time.Millisecond)
	if _, err := s.timed(context.Background(), k, 0, l); err != errFlag {
		t.Errorf("a player who never moves: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.timed(ctx, k, 0, l); !errors.Is(err, context.Canceled) {
		t.Errorf("a match that is stopped: %v", err)
	}
}

func TestNoTimesWithoutClock(t *testing.T) {
	tb := newTimedGame(engine.TimeControl{}, 0)
	if choice, err := tb.move(100 * time.Hour); err != nil || choice.Time != 100*time.Hour || tb.player.told != (client.Clock{}) {
		t.Errorf("%v, time %s, told %+v", err, choice.Time, tb.player.told)
	}
}

func TestParseTimeControl(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]engine.TimeControl{
		"10s+100ms": {Base: 10 * time.Second, Inc: 100 * time.Millisecond},
		"1m":        {Base: time.Minute},
		"1m0s+0s":   {Base: time.Minute},
	} {
		var tc engine.TimeControl
		testkit.NoError(t, tc.UnmarshalText([]byte(text)))
		testkit.Equal(t, tc, want, "%s", text)
	}
	for _, text := range []string{"", "10", "10+0.1", "+1s", "0s+1s", "-1s", "1s+-1s", "25h", "1s+25h", "1s+", "1s+1s+1s", "x\ny"} {
		testkit.Refused(t, new(engine.TimeControl).UnmarshalText([]byte(text)), "BASE+INCREMENT")
	}
	for want, tc := range map[string]engine.TimeControl{"": {}, "1m0s": {Base: time.Minute}, "10s+100ms": {Base: 10 * time.Second, Inc: 100 * time.Millisecond}} {
		testkit.Equal(t, tc.String(), want, "%#v", tc)
	}
	for _, tc := range []engine.TimeControl{{Inc: 1}, {Base: -1}, {Base: 1, Inc: -1}, {Base: 1, Inc: 25 * time.Hour}} {
		if tc.Check() == nil {
			t.Errorf("%#v was taken", tc)
		}
	}
}
