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

// SelfMatch plays pairs of games of a program against itself, with different options for each side.
type SelfMatch[P search.Position[P]] struct {
	*referee[P]
	players [][2]player[P]
}

// player is a program whose options can be changed.
type player[P search.Position[P]] interface {
	engine.Mover[P]
	Configure(context.Context, []client.Option)
}

// Pairing is a pair of games, numbered from 0, with the options of its sides.
type Pairing struct {
	Pair  int
	Sides [2][]client.Option
}

// NewSelfMatch prepares games of a program, and an opening for each of c.Pairs. Close it after the
// games.
func NewSelfMatch[P search.Position[P]](ctx context.Context, k engine.Kit[P], c Config,
	p engine.Spec) (s *SelfMatch[P], err error) {
	if p.Program.Path == "" {
		return nil, errors.New("the player is not a program: expected cmd=PROGRAM")
	}
	m, err := openMatch(ctx, k, c)
	defer func() {
		if err != nil {
			err = errors.Join(err, m.A.Close(), m.closeAdjudicator())
		}
	}()
	if err != nil {
		return nil, err
	}
	m.A, err = openContestant(ctx, k, p, c)
	if err != nil {
		return nil, err
	}
	m.B = m.A
	s = &SelfMatch[P]{}
	s.referee, err = newReferee(m)
	if err != nil {
		return nil, err
	}
	for range min(parallel.Workers(c.Concurrency), c.Pairs) {
		s.players = append(s.players, [2]player[P]{m.A.New().(player[P]), m.A.New().(player[P])})
	}
	return s, nil
}

// Settings returns what the games depend on besides the options, for a journal's header.
func (s *SelfMatch[P]) Settings() any { return s.header() }

// Options returns the options that the program announces.
func (s *SelfMatch[P]) Options() []client.Spec { return s.A.engine.Program().Offers }

// Play plays the pairings of a feed. It calls done with each outcome as seen by the first side, which
// begins the first game; never concurrently.
func (s *SelfMatch[P]) Play(ctx context.Context, feed parallel.Feed[Pairing], done func(Pairing, [2]elo.Outcome) error) error {
	return parallel.Collect(ctx, len(s.players), feed, s.playPairing, done)
}

// playPairing plays a pairing on one worker.
func (s *SelfMatch[P]) playPairing(ctx context.Context, worker int, b Pairing) ([2]elo.Outcome, error) {
	var slots slotPair[P]
	for i, p := range s.players[worker] {
		p.Configure(ctx, slices.Concat(s.A.engine.Program().Fixed, b.Sides[i]))
		slots[i] = &slot[P]{func() engine.Mover[P] { return p }, p}
	}
	played, err := s.playPair(ctx, b.Pair, s.openings[b.Pair], slots)
	if err != nil {
		return [2]elo.Outcome{}, err
	}
	finished, err := s.finish(played)
	return finished.outcomes, err
}

// Close ends the programs. No pair may be in play.
func (s *SelfMatch[P]) Close() error {
	for _, pair := range s.players {
		for _, p := range pair {
			p.Close()
		}
	}
	return errors.Join(s.A.Close(), s.closeAdjudicator()) // B is A
}
