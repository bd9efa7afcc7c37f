package oware

import (
	"fmt"
	"math/bits"

	"kroo/games/oware"
)

// gains is the number of distinct capture sizes: 0 to 15, five houses of three seeds each. If the
// rules let a grand slam capture, a move can capture up to 18: more than 15 counts as 15.
const gains = 16

// Columns of the family gains: the capture of each house, the mover's and then the other side's,
// and the best captures of both sides together.
const (
	gainPairs   = houses * gains
	gainColumns = gainPairs + gains*gains
)

// Columns of the family trades, for the mover and then for the other side: the best capture
// together with the best reply to it, and the best trade.
const (
	tradeValues  = 2*gains - 1
	tradeSide    = gains*gains + tradeValues
	tradeColumns = 2 * tradeSide
)

// capturable returns each house's capture if its side were to move, and the best captures of both
// sides.
func capturable(dst []uint32, p oware.Position) []uint32 {
	q := p.Swap()
	dst = houseGains(dst, p, 0)
	dst = houseGains(dst, q, oware.Houses*gains)
	own, _ := bestGain(p)
	other, _ := bestGain(q)
	return append(dst, uint32(gainPairs+own*gains+other))
}

// houseGains appends the capture of each house of the side to move.
func houseGains(dst []uint32, p oware.Position, from int) []uint32 {
	for h := range oware.Houses {
		dst = append(dst, uint32(from+h*gains+gainOf(p, h)))
	}
	return dst
}

// gainOf returns a house's capture, at most gains-1; 0 without seeds. Here and below every house
// with seeds may be sown: rules that make moves illegal, such as feeding and grand slams, are
// ignored.
func gainOf(p oware.Position, h int) int {
	if p.House(h) == 0 {
		return 0
	}
	return min(p.Gain(oware.Move(h)), gains-1)
}

// bestGain returns the largest capture of the side to move, and the leftmost house that makes it.
func bestGain(p oware.Position) (best int, at oware.Move) {
	for h := range oware.Houses {
		if g := gainOf(p, h); g > best {
			best, at = g, oware.Move(h)
		}
	}
	return best, at
}

// trades returns, for either side if it were to move, the best capture and the best reply to it,
// and the best trade.
func trades(dst []uint32, p oware.Position) []uint32 {
	return sideTrades(sideTrades(dst, p, 0), p.Swap(), tradeSide)
}

func sideTrades(dst []uint32, p oware.Position, from int) []uint32 {
	best, at := bestGain(p)
	reply := 0
	if best > 0 {
		reply, _ = bestGain(p.Play(at))
	}
	return append(dst, uint32(from+best*gains+reply), uint32(from+gains*gains+bestTrade(p)+gains-1))
}

// bestTrade returns the largest capture of the side to move minus the best reply to it, -15 to 15;
// -15 if no house has seeds.
func bestTrade(p oware.Position) int {
	best := 1 - gains
	for h := range oware.Houses {
		if p.House(h) > 0 {
			reply, _ := bestGain(p.Play(oware.Move(h)))
			best = max(best, gainOf(p, h)-reply)
		}
	}
	return best
}

func gainLabel(i int) string {
	if i < gainPairs {
		return fmt.Sprintf("%c captures %d", houseNames[i/gains], i%gains)
	}
	i -= gainPairs
	return fmt.Sprintf("best captures %d against %d", i/gains, i%gains)
}

func tradeLabel(i int) string {
	side := [2]string{"own", "other"}[i/tradeSide]
	if i %= tradeSide; i < gains*gains {
		return fmt.Sprintf("%s best capture %d, reply %d", side, i/gains, i%gains)
	}
	return fmt.Sprintf("%s best trade %+d", side, i-gains*gains+1-gains)
}

// tallies is the number of values of a count of one side's houses: 0…6.
const tallies = oware.Houses + 1

func tallyLabel(names ...string) func(int) string {
	return func(i int) string { return fmt.Sprintf("%s %d", names[i/tallies], i%tallies) }
}

// mobility counts the legal moves of the mover, and those of the other side if it were to move.
func mobility(dst []uint32, p oware.Position) []uint32 {
	return append(dst, uint32(bits.OnesCount8(p.Legal())), tallies+uint32(bits.OnesCount8(p.Swap().Legal())))
}

// threats counts, for the mover and then against it, the houses with exactly one seed, and those
// with exactly two, in which a house of the other side ends its sowing.
func threats(dst []uint32, p oware.Position) []uint32 {
	own, opp := p.Words()
	ones, twos := targets(own, opp)
	ownOnes, ownTwos := targets(opp, own)
	return append(dst, ones, tallies+twos, 2*tallies+ownOnes, 3*tallies+ownTwos)
}

// targets counts the houses of to that houses of from attack directly, with too few seeds to go
// round the board.
func targets(from, to uint64) (ones, twos uint32) {
	var reached uint8
	for h := range oware.Houses {
		last := h + int(from>>(8*h)&63) - oware.Houses
		if last >= 0 && last < oware.Houses {
			reached |= 1 << last
		}
	}
	for h := range oware.Houses {
		if reached>>h&1 == 0 {
			continue
		}
		switch to >> (8 * h) & 63 {
		case 1:
			ones++
		case 2:
			twos++
		}
	}
	return ones, twos
}

// tempo counts, for the mover and then for the other side, the houses whose seeds all stay on their
// own side.
func tempo(dst []uint32, p oware.Position) []uint32 {
	own, opp := p.Words()
	return append(dst, waiting(own), tallies+waiting(opp))
}

func waiting(w uint64) (n uint32) {
	for h := range oware.Houses {
		if seeds := int(w >> (8 * h) & 63); seeds > 0 && h+seeds < oware.Houses {
			n++
		}
	}
	return n
}
