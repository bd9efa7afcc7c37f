package endgame

import (
	"kroo/games/oware"
)

// The number of a position is Σ C(S(i)+i, i+1) over the twelve houses, the mover's
// first, where S(i) is the number of seeds in houses 0 to i (Sala Soler 2014).
// Positions with fewer seeds have lower numbers. Within a level of n seeds the last
// term is constant.

// MaxSeeds is the highest level that a table can have.
const MaxSeeds = 24

const (
	houses    = 2 * oware.Houses
	houseOnes = uint64(0x0000_0101_0101_0101)
	houseMask = uint64(1)<<48 - 1
)

// binomials[i][s] is C(s+i, i+1).
var binomials = makeBinomials()

func makeBinomials() (t [houses][64]uint32) {
	for i := range t {
		for s := range t[i] {
			if s > MaxSeeds+1 {
				break
			}
			c := uint64(1)
			for j := uint64(1); j <= uint64(i)+1; j++ { // C(s+i, i+1) = Π (s-1+j)/j
				c = c * (uint64(s) - 1 + j) / j
			}
			t[i][s] = uint32(c)
		}
	}
	return t
}

// Positions returns the number of positions with exactly n seeds in play, C(n+11,
// 11), for n from 0 to MaxSeeds.
func Positions(n int) int { return int(binomials[houses-1][n+1] - binomials[houses-1][n]) }

// within returns the number of a position within its level. own and opp have a byte per
// house, as in [oware.Position.Words].
func within(own, opp uint64) uint32 {
	a := own & houseMask * houseOnes // byte i: the seeds in houses 0 to i
	b := opp&houseMask*houseOnes + a>>40&0xff*houseOnes
	return binomials[0][a&63] + binomials[1][a>>8&63] + binomials[2][a>>16&63] +
		binomials[3][a>>24&63] + binomials[4][a>>32&63] + binomials[5][a>>40&63] +
		binomials[6][b&63] + binomials[7][b>>8&63] + binomials[8][b>>16&63] +
		binomials[9][b>>24&63] + binomials[10][b>>32&63]
}

// board is a position of a level, a byte per house. next enumerates a level in the
// order of the numbers.
type board struct{ own, opp uint64 }

// unrank is the inverse of within for the level of n seeds.
func unrank(n int, index uint32) board {
	var counts [houses]uint64
	left := uint64(n) // seeds in houses 0 to i
	for i := houses - 2; i >= 0; i-- {
		s := left
		for binomials[i][s] > index {
			s--
		}
		index -= binomials[i][s]
		counts[i+1] = left - s
		left = s
	}
	counts[0] = left
	var b board
	for i := range oware.Houses {
		b.own |= counts[i] << (8 * i)
		b.opp |= counts[i+oware.Houses] << (8 * i)
	}
	return b
}

// house returns the number of seeds in house i.
func (b *board) house(i int) uint64 {
	if i < oware.Houses {
		return b.own >> (8 * i) & 0xff
	}
	return b.opp >> (8 * (i - oware.Houses)) & 0xff
}

func (b *board) add(i int, n uint64) {
	if i < oware.Houses {
		b.own += n << (8 * i)
	} else {
		b.opp += n << (8 * (i - oware.Houses))
	}
}

// next advances to the position with the next number: one seed moves down a house, from
// the lowest house above 0 that has one, and all seeds of house 0 join it. The last
// position of the level stays unchanged.
func (b *board) next() {
	i := 1
	for b.house(i) == 0 {
		i++
		if i == houses {
			return
		}
	}
	below := b.house(0)
	b.add(i, ^uint64(0)) // minus one
	b.add(0, -below)
	b.add(i-1, below+1)
}

// position returns the board as a position of the game. The other seeds are split between
// the stores as evenly as possible: they do not affect the values.
func (b board) position(r oware.Rules, n int) oware.Position {
	rest := uint64(oware.Seeds - n)
	return oware.FromWords(r, b.own|(rest/2)<<48, b.opp|(rest-rest/2)<<48)
}

// PositionAt returns position i of the level of n seeds, for i from 0 to Positions(n)-1,
// with South to move. The other seeds are split between the stores as evenly as possible.
func PositionAt(r oware.Rules, n, i int) oware.Position {
	return unrank(n, uint32(i)).position(r, n)
}
