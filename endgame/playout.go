package endgame

import (
	"fmt"

	"kroo/games"
	"kroo/games/oware"
)

// Opponent returns a legal move in a game that is not over.
type Opponent func(g *games.Line[oware.Position]) oware.Move

// playOut plays a game from start by the real rules. One player, who moves first unless
// second is true, follows the strategy; opponent chooses the other player's moves. The
// error is a *Fault if the player gets less than their guarantee.
func (s *strategy) playOut(start oware.Position, second bool, opponent Opponent) error {
	player := start.ToMove()
	if second {
		player = player.Other()
	}
	guarantee := s.guarantee(start, second)
	g := oware.Descriptor().NewLine(start)
	for {
		if _, _, over := g.Over(); over {
			break
		}
		p := g.Position()
		m := oware.Move(0)
		if p.ToMove() == player {
			var err error
			if m, err = s.move(p); err != nil {
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
// a guarantee. A majority ends a game early and leaves seeds in play: they count as the
// player's, who could still have taken them.
func (s *strategy) achieved(start oware.Position, g *games.Line[oware.Position], player oware.Side) int {
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
		taken = float64(n) - lost
	}
	if s.rules == oware.Abapa {
		return int(taken)
	}
	return max(0, int(taken-lost))
}
