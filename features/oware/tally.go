package oware

import (
	"fmt"
	"math/bits"

	"kroo/games/oware"
)

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
