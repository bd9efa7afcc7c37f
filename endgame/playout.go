package endgame

import (
	"fmt"

	"kroo/games/oware"
)

// Opponent chooses a legal move in a game that is not over.
type Opponent func(g *oware.Game) oware.Move

// PlayOut plays a position out by the real rules. One player, who moves first
// or second there, plays by the strategy; the other as the opponent likes. The
// error is a *Fault if the player does not get what he is sure of.
func (s *Strategy) PlayOut(start oware.Position, second bool, opponent Opponent) error {
	player := start.ToMove()
	if second {
		player = player.Other()
	}
	promise := s.Promise(start, second)
	g := oware.NewGame(start)
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
			return fmt.Errorf("endgame: playing %s out: %w", start, err)
		}
	}
	if got := s.achieved(start, g, player); got < promise {
		return &Fault{start, fmt.Sprintf("%s is sure of %d and gets %d after %d plies", player, promise, got, g.Plies())}
	}
	return nil
}

// achieved is what the player has of the seeds that were in play, in the units
// of a promise; or the most that he could still have where a majority ended
// the game before the last seed.
func (s *Strategy) achieved(start oware.Position, g *oware.Game, player oware.Side) int {
	n := start.SeedsInPlay()
	stores := [2]int{start.Store(), start.OpponentStore()}
	if start.ToMove() == oware.North {
		stores[0], stores[1] = stores[1], stores[0]
	}
	south, north := g.Stores()
	final := [2]float64{south, north}
	taken := final[player] - float64(stores[player])
	lost := final[player.Other()] - float64(stores[player.Other()])
	if _, reason, _ := g.Over(); reason == oware.Majority {
		// The rest is not played for. He could have had it all.
		taken = float64(n) - captured(g, player.Other(), stores[player.Other()])
		lost = float64(n) - taken
	}
	if s.rules == oware.Abapa {
		return int(taken)
	}
	return max(0, int(taken-lost))
}

// captured is what a side has taken before a majority ended the game.
func captured(g *oware.Game, side oware.Side, before int) float64 {
	p := g.Position()
	store := p.Store()
	if p.ToMove() != side {
		store = p.OpponentStore()
	}
	return float64(store - before)
}
