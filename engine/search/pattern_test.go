package search

import (
	"math/rand/v2"

	"kroo/games/oware"
)

// patterns is an evaluator as slow as fitted pattern tables: six tables of 512 KiB, one per
// pair of triples of houses, with three bits per house, and the store difference. Its values
// are made up: they count occupied and weak houses, plus noise.
type patterns struct{ tables [6][1 << 18]int16 }

func newPatterns() *patterns {
	rng := rand.New(rand.NewPCG(30, 0))
	e := new(patterns)
	for t := range e.tables {
		for i := range e.tables[t] {
			v := rng.IntN(13) - 6
			for h := range 6 {
				n, sign := i>>(3*h)&7, 1
				if (t >= 1 && h >= 3) || t == 5 { // mostly the opponent's
					sign = -1
				}
				v += sign * [8]int{-4, -5, -3, 2, 2, 2, 2, 3}[n]
			}
			e.tables[t][i] = int16(v)
		}
	}
	return e
}

// triples packs six houses, a byte each, into two triples of three bits per house: at most
// seven seeds.
func triples(w uint64) (low, high uint64) {
	const houses, ones = 1<<48 - 1, 0x0101_0101_0101
	w &= houses
	w = (w | (w+0x78*ones)>>7&ones*7) & (7 * ones)
	low = w&7 | w>>5&0x38 | w>>10&0x1c0
	w >>= 24
	return low, w&7 | w>>5&0x38 | w>>10&0x1c0
}

func (e *patterns) Evaluate(p oware.Position) int {
	own, opp := p.Words()
	a, b := triples(own)
	c, d := triples(opp)
	return 100*(p.Store()-p.OpponentStore()) +
		int(e.tables[0][a<<9|b]) + int(e.tables[1][a<<9|c]) + int(e.tables[2][a<<9|d]) +
		int(e.tables[3][b<<9|c]) + int(e.tables[4][b<<9|d]) + int(e.tables[5][c<<9|d])
}
