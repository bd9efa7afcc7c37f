package datasets

import (
	"cmp"
	"math/bits"
)

// wholeNumber is a whole number of 128 bits in two's complement: the value of a column of 64 bits, or
// a sum of a few, which a float64 would round.
type wholeNumber struct {
	high int64
	low  uint64
}

func wholeOf(v int64) wholeNumber { return wholeNumber{v >> 63, uint64(v)} }

func (a wholeNumber) plus(b wholeNumber) wholeNumber {
	low, carry := bits.Add64(a.low, b.low, 0)
	return wholeNumber{a.high + b.high + int64(carry), low}
}

func (a wholeNumber) minus(b wholeNumber) wholeNumber {
	low, borrow := bits.Sub64(a.low, b.low, 0)
	return wholeNumber{a.high - b.high - int64(borrow), low}
}

// compare returns -1, 0 or 1 as a is less than, equal to or greater than b.
func (a wholeNumber) compare(b wholeNumber) int {
	return cmp.Or(cmp.Compare(a.high, b.high), cmp.Compare(a.low, b.low))
}
