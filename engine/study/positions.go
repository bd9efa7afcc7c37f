package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"kroo/engine/search"
	"kroo/games"
)

const (
	playNodes          = 500  // of each move of the games
	maxGamesWithoutNew = 1000 // games in a row without a new position after which sampling stops
)

// Sample selects the positions of a study: those of the subject's recorded games
// ([Subject.WithRecords]), or else of generated ones.
type Sample struct {
	Rules     string // "" means the game's default
	Positions int    `name:"positions" range:"1..100000" help:"positions from generated games"`
	Seed      uint64 // of the games
	Workers   int    `name:"workers" range:"0..1024" group:"Search" help:"searches at a time (default one per processor)"`
}

// rules returns those of the recorded games, those requested, or else the game's default.
func (s Subject[P]) rules(asked string) string {
	if s.recorded != nil {
		return s.game.RulesOf(s.recorded[0])
	}
	return cmp.Or(asked, s.game.Rules[0])
}

// WithRecords returns the subject with all positions of recorded games instead of generated ones: each
// before a move, without its history, and as often as it occurs.
func (s Subject[P]) WithRecords(records []games.Record[P]) (Subject[P], error) {
	s.recorded = nil
	for i, rec := range records {
		l, err := s.game.Replay(rec)
		if err != nil {
			return s, fmt.Errorf("game %d: %w", i+1, err)
		}
		all := append(l.History(), l.Position())
		s.recorded = append(s.recorded, all[:l.Plies()]...)
		if rules := s.game.RulesOf(rec.Start); rules != s.game.RulesOf(records[0].Start) {
			return s, fmt.Errorf("game %d is under %s rules: expected those of the first game", i+1, rules)
		}
	}
	if len(s.recorded) == 0 {
		return s, errors.New("no game has a move: expected positions before moves")
	}
	return s, nil
}

// positions returns those of the recorded games, or else of games of the engine against itself: each
// situation once, without its history; fewer if the game has no more. They follow from the seed.
func positions[P search.Position[P]](ctx context.Context, s Subject[P], c Sample) ([]P, error) {
	if s.recorded != nil {
		if c.Rules != "" && c.Rules != s.rules("") {
			return nil, fmt.Errorf("the games are under %s rules: expected %s, as asked for", s.rules(""), c.Rules)
		}
		return s.recorded, nil
	}
	start, err := s.game.Start(s.rules(c.Rules))
	if err != nil {
		return nil, err
	}
	searcher := search.NewSearcher(s.eval.Knowledge(), search.Options{HashMB: 1})
	seen := map[int64]bool{}
	var found []P
	for game, lastNew := uint64(0), uint64(0); len(found) < c.Positions && game-lastNew <= maxGamesWithoutNew; game++ {
		positions, err := s.playGame(ctx, searcher, start, rand.New(rand.NewPCG(c.Seed, game)))
		if err != nil {
			return nil, err
		}
		for i, p := range positions {
			orbit := s.game.Orbit(p)
			if i%s.everyPlies != 0 || i < s.openingPlies || seen[orbit] {
				continue
			}
			seen[orbit] = true
			found = append(found, p)
			lastNew = game
		}
	}
	if len(found) == 0 && c.Positions > 0 {
		return nil, fmt.Errorf("no positions in the games of %s", s.game.Name)
	}
	return found[:min(c.Positions, len(found))], nil
}

// playGame plays a game and returns its positions except the last.
func (s Subject[P]) playGame(ctx context.Context, searcher *search.Searcher[P], start P, random *rand.Rand) ([]P, error) {
	l := s.game.NewLine(start)
	searcher.Clear()
	for {
		if _, _, over := l.Over(); over {
			return l.History(), nil
		}
		moves := l.Position().AppendMoves(nil)
		m := moves[random.IntN(len(moves))]
		if l.Plies() >= s.openingPlies {
			m = searcher.Search(ctx, l.Position(), l.History(), search.Limits{Nodes: playNodes}, search.Query{}).Best
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := l.Play(m); err != nil {
			return nil, err
		}
	}
}
