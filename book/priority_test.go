package book

import (
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

// A proven reply counts as 24 seeds worse than a level one, not as 200.
func TestLossIsAtMost48Seeds(t *testing.T) {
	c := NewCosts(2)
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
		{header(), NewCosts(DefaultOmega)},
		{header(Field{FieldOmega, "8"}), NewCosts(8)},
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
