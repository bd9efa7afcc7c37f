package oware

import (
	"math/bits"

	"kroo/games/oware"
)

// Captures evaluates a position by captured seeds only: 100 centi-seeds per seed of difference
// between the stores. Training labels are searched with this evaluation (Sala Soler 2014).
//
// It implements search.LastPly, which values the last ply without making its moves.
type Captures struct{}

// Evaluate is within ±4800, well inside ±MaxHeuristic.
func (Captures) Evaluate(p oware.Position) int {
	return 100 * (p.Store() - p.OpponentStore())
}

// BestReply returns Evaluate plus 100 centi-seeds per seed of the largest capture. It is not sure
// if a move may end the game: with more than 24 seeds captured, or by leaving the opponent without
// a move.
func (Captures) BestReply(p oware.Position, enough int) (score, moves int, sure bool) {
	now := 100 * (p.Store() - p.OpponentStore())
	gain := 0
	for set := p.Legal(); set != 0; set &= set - 1 {
		moves++
		gain = max(gain, p.Gain(oware.Move(bits.TrailingZeros8(set))))
		if now+100*gain >= enough {
			break
		}
	}
	return now + 100*gain, moves, p.Store()+gain <= oware.Half && opponentCanMove(p)
}

// The six houses in a position's word: all bits, the lowest and the highest bit of each.
const (
	houseMask  = 1<<48 - 1
	houseOnes  = 0x0101_0101_0101
	houseHighs = 0x80 * houseOnes
)

// opponentCanMove is a quick test that no move of p leaves the opponent without a legal move. It may return
// false although this is the case.
//
// In abapa the opponent has a seed after any legal move, since a move that would capture all of
// them captures nothing. The opponent can move if the mover has a seed too, and one remains if the
// mover has seeds in two houses. Under the other rules it suffices that a house of the opponent has
// three seeds or more: a move that sows into it leaves too many to be captured, and another does
// not reach it.
func opponentCanMove(p oware.Position) bool {
	own, opp := p.Words()
	if p.Rules().LikeAbapa() {
		filled := (own&houseMask + 0x7f*houseOnes) & houseHighs
		return filled&(filled-1) != 0
	}
	return (opp&houseMask+0x7d*houseOnes)&houseHighs != 0
}
