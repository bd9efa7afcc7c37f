package chess

import "math/bits"

// forward is the offset of a pawn's step for each side, in squares.
var forward = [2]int{White: -8, Black: 8}

// Squares that pieces attack on an empty board, by square.
var (
	knightAttacks = stepAttacks(-17, -15, -10, -6, 6, 10, 15, 17)
	kingAttacks   = stepAttacks(-9, -8, -7, -1, 1, 7, 8, 9)
	pawnAttacks   = [2][Squares]uint64{White: stepAttacks(-9, -7), Black: stepAttacks(7, 9)}
)

// stepAttacks returns, for each square, the squares one of the steps away. No step is longer
// than two files.
func stepAttacks(steps ...int) (attacks [Squares]uint64) {
	for from := range attacks {
		for _, step := range steps {
			to := from + step
			if to >= 0 && to < Squares && distance(from&7, to&7) <= 2 {
				attacks[from] |= 1 << to
			}
		}
	}
	return attacks
}

func distance(a, b int) int { return max(a-b, b-a) }

// The lines through each square, without the square itself.
var (
	files     = lines(func(a, b int) bool { return a&7 == b&7 })
	diagonals = lines(func(a, b int) bool { return a>>3-a&7 == b>>3-b&7 })
	antis     = lines(func(a, b int) bool { return a>>3+a&7 == b>>3+b&7 })
)

func lines(same func(a, b int) bool) (m [Squares]uint64) {
	for a := range m {
		for b := range m {
			if a != b && same(a, b) {
				m[a] |= 1 << b
			}
		}
	}
	return m
}

// rowAttacks is a bit mask of the files that a rook attacks in its row, by its file and the
// occupation of the six files between a and h, which do not matter.
var rowAttacks = makeRowAttacks()

func makeRowAttacks() (attacks [8][64]uint8) {
	for file := range 8 {
		for inner := range 64 {
			occupied := inner << 1
			for _, step := range []int{-1, 1} {
				for to := file + step; to >= 0 && to < 8; to += step {
					attacks[file][inner] |= 1 << to
					if occupied>>to&1 != 0 {
						break
					}
				}
			}
		}
	}
	return attacks
}

func rookAttacks(square int, occupied uint64) uint64 {
	row := square &^ 7
	along := uint64(rowAttacks[square&7][occupied>>(row+1)&63]) << row
	return along | lineAttacks(square, occupied, files[square])
}

func bishopAttacks(square int, occupied uint64) uint64 {
	return lineAttacks(square, occupied, diagonals[square]) | lineAttacks(square, occupied, antis[square])
}

// lineAttacks returns the squares of a line that a slider on it attacks. Subtracting the
// slider's bit twice from the pieces on the line flips the bits above it up to the first piece.
// The same on the reversed board flips those below (hyperbola quintessence, G. Isenberg and A.
// Urmston 2007).
func lineAttacks(square int, occupied, line uint64) uint64 {
	occupied &= line
	slider := uint64(1) << square
	above := occupied - 2*slider
	below := bits.ReverseBytes64(bits.ReverseBytes64(occupied) - 2*bits.ReverseBytes64(slider))
	return (above ^ below) & line
}

// between[a][b] are the squares between a and b, through[a][b] the whole line with both. They
// are empty unless a row, file or diagonal contains both a and b.
var between, through = makeLines()

func makeLines() (between, through [Squares][Squares]uint64) {
	for a := range Squares {
		for b := range Squares {
			both := uint64(1)<<a | 1<<b
			for _, attacks := range []func(int, uint64) uint64{rookAttacks, bishopAttacks} {
				if a == b || attacks(a, 0)>>b&1 == 0 {
					continue
				}
				between[a][b] = attacks(a, both) & attacks(b, both)
				through[a][b] = attacks(a, 0)&attacks(b, 0) | both
			}
		}
	}
	return between, through
}

// attackers returns the subset of the pieces some, all of the given side, that attack a square,
// given the occupied squares.
func (p *Position) attackers(square int, occupied, some uint64, side uint8) uint64 {
	k := &p.kinds
	return some & (pawnAttacks[side^1][square]&k[Pawn] |
		knightAttacks[square]&k[Knight] |
		kingAttacks[square]&k[King] |
		bishopAttacks(square, occupied)&(k[Bishop]|k[Queen]) |
		rookAttacks(square, occupied)&(k[Rook]|k[Queen]))
}

// attacks returns the squares that a piece of the side to move attacks from a square.
func (p *Position) attacks(kind, from int, occupied uint64) uint64 {
	switch kind {
	case Pawn:
		return pawnAttacks[p.side][from]
	case Knight:
		return knightAttacks[from]
	case Bishop:
		return bishopAttacks(from, occupied)
	case Rook:
		return rookAttacks(from, occupied)
	case Queen:
		return bishopAttacks(from, occupied) | rookAttacks(from, occupied)
	}
	return kingAttacks[from]
}
