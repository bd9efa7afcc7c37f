package oware

import (
	"math/bits"

	"kroo/games/oware"
)

// Captures evaluates an oware position by nothing but the seeds captured: 100
// centi-seeds a seed of difference between the stores. It is the evaluation
// that training labels are searched with (Sala Soler 2014).
//
// It can value the last ply without making its moves (search.LastPly).
type Captures struct{}

// Evaluate is within ±4800, far inside ±MaxHeuristic.
func (Captures) Evaluate(p oware.Position) int {
	return 100 * (p.Store() - p.OpponentStore())
}

// BestReply is 100 centi-seeds a seed of the largest capture above Evaluate.
// It is not sure where a move may end the game: by more than 24 seeds, or by
// leaving the opponent without a move.
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
	return now + 100*gain, moves, p.Store()+gain <= oware.Half && goesOn(p)
}

// The six houses of a word of a position, a one in each, its top bit.
const (
	houseMask  = 1<<48 - 1
	houseOnes  = 0x0101_0101_0101
	houseHighs = 0x80 * houseOnes
)

// goesOn tells that no move of p leaves the opponent without a legal move. It is a quick
// test that may be false although that is so.
//
// In abapa the opponent has a seed after any legal move, since a move that would capture
// all of them captures nothing. The opponent may sow it if the mover has a seed too: one
// is left if the mover has seeds in two houses. Under the other rules it suffices that a
// house of the opponent holds three seeds or more: a move that sows into it leaves too
// many there to be captured, and another does not reach it.
func goesOn(p oware.Position) bool {
	own, opp := p.Words()
	if p.Rules().LikeAbapa() {
		filled := (own&houseMask + 0x7f*houseOnes) & houseHighs
		return filled&(filled-1) != 0
	}
	return (opp&houseMask+0x7d*houseOnes)&houseHighs != 0
}
