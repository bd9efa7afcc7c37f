package tictactoe

import "fmt"

// boards is the number of ways to fill nine squares with X, O or nothing, whether or not turns
// alternate: ranks are 0 … boards-1.
const boards = 19683

// rank returns the number of the position: its digits in base 3 are the squares, lowest digit
// first, 0 for empty, 1 for X and 2 for O. Some numbers below [boards] are not ranks of a
// position.
func (p Position) rank() int64 { return p.rankBy(&symmetries[0]) }

// rankBy returns the rank of the board whose square i is square from[i] of p.
func (p Position) rankBy(from *[squares]uint8) (rank int64) {
	x, o := p.stones()
	for i := squares - 1; i >= 0; i-- {
		rank = 3*rank + int64(x>>from[i]&1) + 2*int64(o>>from[i]&1)
	}
	return rank
}

// unrank is the inverse of [Position.rank]. It returns an error for numbers that are not ranks.
func unrank(rank int64) (Position, error) {
	if rank < 0 || rank >= boards {
		return Position{}, fmt.Errorf("rank %d out of range: expected 0 to %d", rank, boards-1)
	}
	var x, o uint16
	for i := range squares {
		switch rank % 3 {
		case 1:
			x |= 1 << i
		case 2:
			o |= 1 << i
		}
		rank /= 3
	}
	return fromStones(x, o)
}

// orbit numbers the classes of positions under rotation and reflection: it is the least rank in
// the class.
func (p Position) orbit() int64 {
	least := p.rank()
	for i := range symmetries {
		least = min(least, p.rankBy(&symmetries[i]))
	}
	return least
}

// symmetries are the eight symmetries of the square as permutations of the
// board's squares, the identity first.
var symmetries = makeSymmetries()

func makeSymmetries() (s [8][squares]uint8) {
	for k := range s {
		for i := range squares {
			row, column := i/3, i%3
			if k&1 != 0 {
				row = 2 - row
			}
			if k&2 != 0 {
				column = 2 - column
			}
			if k&4 != 0 {
				row, column = column, row
			}
			s[k][i] = uint8(3*row + column)
		}
	}
	return s
}
