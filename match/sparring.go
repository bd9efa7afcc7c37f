package match

import (
	"context"
	"errors"
	"slices"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/internal/parallel"
	"kroo/match/elo"
)

// Sparring plays pairs of games of a program against itself, with different options for each side.
type Sparring[P search.Position[P]] struct {
	opened  *opened[P]
	referee referee[P]
	players [][2]sparrer[P]
}

// sparrer is a program whose options can be changed.
type sparrer[P search.Position[P]] interface {
	engine.Mover[P]
	Configure(context.Context, []client.Option)
}

// Bout is a pair of games, numbered from 0, with the options of its sides.
type Bout struct {
	Pair  int
	Sides [2][]client.Option
}

// NewSparring prepares games of a program, and an opening for each of c.Pairs. Close it after the
// games.
func NewSparring[P search.Position[P]](ctx context.Context, k engine.Kit[P], c Config, p engine.Spec) (s *Sparring[P], err error) {
	if p.Program.Path == "" {
		return nil, errors.New("the player is not a program: expected cmd=PROGRAM")
	}
	m, err := prepared(k, c)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.close())
		}
	}()
	if m.A, err = open(ctx, k, p, c); err != nil {
		return nil, err
	}
	m.B = m.A
	s = &Sparring[P]{opened: m, referee: referee[P]{match: m.match}}
	if s.referee.rules, err = s.referee.prepare(); err != nil {
		return nil, err
	}
	if s.referee.openings, err = s.referee.match.openings(s.referee.rules); err != nil {
		return nil, err
	}
	for range min(parallel.Workers(c.Concurrency), c.Pairs) {
		s.players = append(s.players, [2]sparrer[P]{m.A.New().(sparrer[P]), m.A.New().(sparrer[P])})
	}
	return s, nil
}

// Settings returns what the games depend on besides the options, for a journal's header.
func (s *Sparring[P]) Settings() any { return s.referee.header() }

// Options returns the options that the program announces.
func (s *Sparring[P]) Options() []client.Spec { return s.opened.A.program().Offers }

// Play plays the bouts of a feed. It calls done with each outcome as seen by the first side, which
// begins the first game; never concurrently.
func (s *Sparring[P]) Play(ctx context.Context, feed parallel.Feed[Bout], done func(Bout, [2]elo.Outcome) error) error {
	return parallel.Collect(ctx, len(s.players), feed, s.play, done)
}

// play plays a bout on one worker.
func (s *Sparring[P]) play(ctx context.Context, worker int, bout Bout) ([2]elo.Outcome, error) {
	var b board[P]
	for i, p := range s.players[worker] {
		p.Configure(ctx, slices.Concat(s.opened.A.program().Fixed, bout.Sides[i]))
		b[i] = &seat[P]{func() engine.Mover[P] { return p }, p}
	}
	played, err := s.referee.playPair(ctx, bout.Pair, s.referee.openings[bout.Pair], b)
	if err != nil {
		return [2]elo.Outcome{}, err
	}
	finished, err := s.referee.finish(played)
	return finished.outcomes, err
}

// Close ends the programs. No pair may be in play.
func (s *Sparring[P]) Close() error {
	for _, pair := range s.players {
		for _, p := range pair {
			p.Close()
		}
	}
	return s.opened.close()
}
