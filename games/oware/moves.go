package oware

import "fmt"

const houseLetters = "ABCDEFabcdef" // in sowing order, South's first

func houseName(i int) string { return houseLetters[i : i+1] }

// MoveName returns the letter of the house that the side s sows: "A"…"F" for South,
// "a"…"f" for North, "?" if the move is not 0…5.
func MoveName(m Move, s Side) string {
	if m >= Houses || s > North {
		return "?"
	}
	return houseName(int(s)*Houses + int(m))
}

// ParseMove is the inverse of [MoveName].
func ParseMove(letter byte) (m Move, s Side, err error) {
	switch {
	case letter >= 'A' && letter <= 'F':
		return Move(letter - 'A'), South, nil
	case letter >= 'a' && letter <= 'f':
		return Move(letter - 'a'), North, nil
	}
	return 0, South, fmt.Errorf("%q is no move: expected A to F for South, a to f for North", letter)
}
