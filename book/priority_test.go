package book

import (
	"math"
	"testing"

	"kroo/internal/testkit"
)

// leaves are moves of these values, in centi-seeds, to positions that are not in the book.
func leaves(values ...int32) (moves []Choice) {
	for _, v := range values {
		moves = append(moves, Choice{Value: v})
	}
	return moves
}

// With one sensible move a position counts half a ply, with three a whole one.
func TestFractionalIncrement(t *testing.T) {
	fractional, fixed := NewCosts(2, true), NewCosts(2, false)
	for k, want := range []float64{1: 0.5, 3: 1, 6: 1.404} {
		if want == 0 {
			continue
		}
		values := make([]int32, 6)
		for i := range values {
			values[i] = -101 - 100*int32(i)
			if i < k {
				values[i] = -100 * int32(i%2)
			}
		}
		if _, got := fractional.Next(leaves(values...), BookPlayer); math.Abs(float64(got)/Ply-want) > 0.001 {
			t.Errorf("%d sensible moves: %v plies, expected %v", k, float64(got)/Ply, want)
		}
		if _, got := fixed.Next(leaves(values...), BookPlayer); got != Ply {
			t.Errorf("fixed: %d parts of a ply, expected %d", got, Ply)
		}
	}
}

// A proven reply counts as 24 seeds worse than a level one, not as 200.
func TestLossIsAtMost48Seeds(t *testing.T) {
	c := NewCosts(2, false)
	for value, want := range map[int32]int32{19_999: 0, -19_999: 48, 0: 24, 2300: 1, 2400: 0} {
		moves := leaves(19_999, value)
		moves[0].Behind = [Roles]int32{Never, Never}
		if next, got := c.Next(moves, Opponent); next != 1 || got != (1+2*want)*Ply {
			t.Errorf("value %d: move %d, %d parts of a ply, expected %d", value, next, got, (1+2*want)*Ply)
		}
	}
}

func TestCostsOfAHeader(t *testing.T) {
	header := func(fields ...Field) Header { return Header{Fields: fields} }
	for _, c := range []struct {
		Header
		want Costs
	}{
		{header(), NewCosts(DefaultOmega, false)},
		{header(Field{FieldOmega, "8"}), NewCosts(8, false)},
		{header(Field{FieldOmega, "0"}, Field{FieldIncrement, Fractional}), NewCosts(0, true)},
	} {
		if got, err := c.costs(); err != nil || got != c.want {
			t.Errorf("%+v: %+v, %v: expected %+v", c.Header, got, err, c.want)
		}
	}
	for _, text := range []string{"", "x", "-1", "NaN", "+Inf", "2 plies"} {
		_, err := header(Field{FieldOmega, text}).costs()
		testkit.Refused(t, err, FieldOmega)
	}
}
