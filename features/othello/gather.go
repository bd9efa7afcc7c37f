package othello

import (
	"math/bits"

	"kroo/games/othello"
)

// view is a side's discs in the images of the board from which patterns are read.
type view [5]uint64

// The images in a view.
const (
	asIs       = iota
	transposed // rows and columns exchanged
	mirrored   // left and right exchanged
	flipped    // top and bottom exchanged
	turnedOver // both
)

func viewOf(discs uint64) view {
	r := bits.Reverse64(discs)
	return view{asIs: discs, transposed: othello.Transpose(discs), mirrored: bits.ReverseBytes64(r), flipped: bits.ReverseBytes64(discs), turnedOver: r}
}

// gather reads the squares of one pattern into the low bits of a word: a multiplication moves the
// masked squares next to each other into the high bits, and a shift moves them down. The multiplier
// is chosen so that its copies of the squares never overlap, so nothing is carried.
type gather struct {
	image int
	mask  uint64
	mul   uint64
	shift uint
}

func (g *gather) bits(v *view) uint64 { return v[g.image] & g.mask * g.mul >> g.shift }

// maxCells is the maximum number of squares of a pattern.
const maxCells = 9

// ternary converts bits to base-3 digits.
var ternary = func() (t [1 << maxCells]uint16) {
	for i := range t {
		for k, power := 0, uint16(1); k < maxCells; k, power = k+1, power*3 {
			if i>>k&1 != 0 {
				t[i] += power
			}
		}
	}
	return t
}()

// index returns the number of a pattern's content: one base-3 digit per square, 1 for a disc of the
// side to move and 2 for one of the other side.
func (g *gather) index(own, opp *view) int {
	return int(ternary[g.bits(own)&(1<<maxCells-1)]) + 2*int(ternary[g.bits(opp)&(1<<maxCells-1)])
}

// kind is a pattern at all its places on the board, which share weights. Contents that a symmetry
// of the pattern maps onto each other share them too.
type kind struct {
	name   string
	cells  []othello.Move // the squares of the first place, by digit
	mirror []int          // the digit that the symmetry maps to each digit
	places []gather
	column []uint32 // of each content
	first  []int    // smallest content of each column
}

// number assigns a column to each content.
func (k *kind) number() *kind {
	size := 1
	for range k.cells {
		size *= 3
	}
	k.column = make([]uint32, size)
	for i := range k.column {
		if m := k.mirrored(i); m < i {
			k.column[i] = k.column[m]
			continue
		}
		k.column[i] = uint32(len(k.first))
		k.first = append(k.first, i)
	}
	return k
}

// mirrored returns the content's image under the symmetry.
func (k *kind) mirrored(content int) (m int) {
	digits := digitsOf(content, len(k.cells))
	for i := len(digits) - 1; i >= 0; i-- {
		m = 3*m + digits[k.mirror[i]]
	}
	return m
}

func digitsOf(content, n int) []int {
	digits := make([]int, n)
	for i := range digits {
		digits[i] = content % 3
		content /= 3
	}
	return digits
}

// label formats a content, square by square: X for own discs, O for the other side's.
func (k *kind) label(column int) string {
	b := []byte(k.name + " ")
	for _, d := range digitsOf(k.first[column], len(k.cells)) {
		b = append(b, ".XO"[d])
	}
	return string(b)
}

func reversal(n int) (perm []int) {
	for i := range n {
		perm = append(perm, n-1-i)
	}
	return perm
}

// rowKinds returns the rows and columns of a board, from the edge to the middle.
func rowKinds(r othello.Rules) (all []*kind) {
	n, from := r.Size(), int(r)
	for row := range n / 2 {
		k := &kind{name: "row " + string(rune('1'+row)), mirror: reversal(n)}
		for column := range n {
			k.cells = append(k.cells, othello.Move(8*(row+from)+column+from))
		}
		for _, image := range []int{asIs, transposed} {
			for _, at := range []int{row, n - 1 - row} {
				shift := 8*(at+from) + from
				k.places = append(k.places, gather{image, (1<<n - 1) << shift, 1, uint(shift)})
			}
		}
		all = append(all, k.number())
	}
	return all
}

// diagonalKinds returns the diagonals of a board, from the longest to those of four squares. A
// diagonal has at most one square per column, so the sum of all rows collects it in one row.
func diagonalKinds(r othello.Rules) (all []*kind) {
	const sumOfRows, lastRow = 0x0101010101010101, 56
	n, from := r.Size(), int(r)
	for length := n; length >= 4; length-- {
		k := &kind{name: "diagonal of " + string(rune('0'+length)), mirror: reversal(length)}
		off := n - length // from the corner
		var right, left uint64
		for i := range length {
			square := othello.Move(8*(i+from) + i + off + from)
			k.cells = append(k.cells, square)
			right |= 1 << square
			left |= 1 << (8*(length-1-i+from) + i + from)
		}
		add := func(mask uint64, column int) {
			k.places = append(k.places, gather{asIs, mask, sumOfRows, uint(lastRow + column)})
		}
		add(right, from+off)
		add(left, from)
		if off > 0 { // and below, or to the right of, the main diagonal
			add(othello.Transpose(right), from)
			add(othello.Symmetry(1, othello.Symmetry(2, left)), from+off)
		}
		all = append(all, k.number())
	}
	return all
}

// cornerKinds returns the blocks of three by three squares in the corners.
func cornerKinds(r othello.Rules) []*kind {
	from := uint(r)
	k := &kind{name: "corner 3x3"}
	for i := range 9 { // the multiplication moves the third row to the lowest digits
		k.cells = append(k.cells, othello.Move((2-i/3+int(from))*8+i%3+int(from)))
		k.mirror = append(k.mirror, 3*(2-i%3)+(2-i/3))
	}
	for _, image := range []int{asIs, mirrored, flipped, turnedOver} {
		k.places = append(k.places, gather{image, 0x070707 << (9 * from), (1<<61 | 1<<50 | 1<<39) >> (9 * from), 55})
	}
	return []*kind{k.number()}
}
