package endgame

import (
	"fmt"

	"kroo/games"
	"kroo/games/oware"
)

// Opponent returns a legal move in a game that is not over.
type Opponent func(g *games.Line[oware.Position]) oware.Move

// PlayOut plays a game from start by the real rules. One player follows the
// strategy and moves second if second is true; opponent chooses the other's moves.
// The error is a *Fault if the player gets less than their guarantee.
func (s *Strategy) PlayOut(start oware.Position, second bool, opponent Opponent) error {
	player := start.ToMove()
	if second {
		player = player.Other()
	}
	guarantee := s.Guarantee(start, second)
	g := oware.Descriptor().NewLine(start)
	for {
		if _, _, over := g.Over(); over {
			break
		}
		p := g.Position()
		m := oware.Move(0)
		if p.ToMove() == player {
			var err error
			if m, err = s.Move(p); err != nil {
				return err
			}
		} else {
			m = opponent(g)
		}
		if err := g.Play(m); err != nil {
			return fmt.Errorf("playing %s out: %w", start, err)
		}
	}
	if got := s.achieved(start, g, player); got < guarantee {
		return &Fault{start, fmt.Sprintf("%s is sure of %d and gets %d after %d plies", player, guarantee, got, g.Plies())}
	}
	return nil
}

// achieved is what the player took of the seeds that were in play, in the units of
// a guarantee. Where a majority ended the game early, it is the most that the
// player could still have taken.
func (s *Strategy) achieved(start oware.Position, g *games.Line[oware.Position], player oware.Side) int {
	n := start.SeedsInPlay()
	stores := [2]int{start.Store(), start.OpponentStore()}
	if start.ToMove() == oware.North {
		stores[0], stores[1] = stores[1], stores[0]
	}
	south, north := oware.Descriptor().Tally(g)
	final := [2]float64{south, north}
	taken := final[player] - float64(stores[player])
	lost := final[player.Other()] - float64(stores[player.Other()])
	if _, reason, _ := g.Over(); reason == oware.Majority {
		// The game does not go on. The player could have taken all the rest.
		taken = float64(n) - takenBy(g, player.Other(), stores[player.Other()])
		lost = float64(n) - taken
	}
	if s.rules == oware.Abapa {
		return int(taken)
	}
	return max(0, int(taken-lost))
}

// takenBy is what a side took after start, before a majority ended the game. before
// is its store at start.
func takenBy(g *games.Line[oware.Position], side oware.Side, before int) float64 {
	p := g.Position()
	store := p.Store()
	if p.ToMove() != side {
		store = p.OpponentStore()
	}
	return float64(store - before)
}
