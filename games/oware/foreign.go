package oware

import (
	"fmt"
	"strings"

	"kroo/games"
)

// parseAnyBoard reads a board in Kroo's notation ([ParseBoard]) or in that of two other
// programs. In both, the side that moves first is at the bottom, like South:
//
//	0 | 5 2 | 0 11 3 2 1 8 1 1 1 0 0 13
//	5S,7S,7S,8S,1S,2S/1S,6S,5S,2,6S 0 0 N 3
//
// The first is the text of an OpenSpiel observation: the side to move (0 for South), the stores
// of South and North, and houses A…F, a…f. The second is PlayStrategy's FEN: the rows from left
// to right, that is houses f…a and A…F, with nS for a house of n seeds and n for n empty houses;
// the stores of South and North, the side to move and, optionally, the move number. Errors
// contain the offending field.
func parseAnyBoard(r Rules, s string) (Position, error) {
	switch {
	case strings.Contains(s, "|"):
		return parseOpenSpiel(r, s)
	case strings.Contains(s, "/") && !strings.Contains(s, "-"): // chess boards contain both
		return parsePlayStrategy(r, s)
	}
	return ParseBoard(r, s)
}

func parseOpenSpiel(r Rules, s string) (Position, error) {
	parts := strings.Split(s, "|")
	var counts [3][]int
	for i, part := range parts[:min(len(parts), len(counts))] {
		for _, word := range strings.Fields(part) {
			n, ok := parseCount(word)
			if !ok {
				return Position{}, fmt.Errorf("board %s: %s: expected 0 to %d", games.Quote(s), games.Quote(word), Seeds)
			}
			counts[i] = append(counts[i], n)
		}
	}
	if len(parts) != 3 || len(counts[0]) != 1 || len(counts[1]) != 2 || len(counts[2]) != 2*Houses || counts[0][0] > 1 {
		return Position{}, fmt.Errorf("board %s: expected the side to move (0 or 1), two stores and twelve houses, as in 0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4", games.Quote(s))
	}
	return New(r, [2 * Houses]int(counts[2]), [2]int(counts[1]), Side(counts[0][0]))
}

func parsePlayStrategy(r Rules, s string) (Position, error) {
	bad := func(what string, text string) (Position, error) {
		return Position{}, fmt.Errorf("board %s: %s is %s: expected a board such as 4S,4S,4S,4S,4S,4S/4S,4S,4S,1,8S 0 0 S 1", games.Quote(s), what, games.Quote(text))
	}
	words := strings.Fields(s)
	if len(words) != 4 && len(words) != 5 {
		return bad("a board of other than 4 or 5 words", s)
	}
	rows := strings.Split(words[0], "/")
	if len(rows) != 2 {
		return bad("what should be two rows", words[0])
	}
	var houses [2 * Houses]int
	for i, row := range rows {
		seeds, ok := parseRow(row)
		if !ok {
			return bad("a row", row)
		}
		for column, n := range seeds {
			if i == 0 {
				houses[2*Houses-1-column] = n
			} else {
				houses[column] = n
			}
		}
	}
	var stores [2]int
	for i := range stores {
		n, ok := parseCount(words[1+i])
		if !ok {
			return bad("a store", words[1+i])
		}
		stores[i] = n
	}
	side := strings.Index("SN", words[3])
	if side < 0 || len(words[3]) != 1 {
		return bad("the side to move", words[3])
	}
	return New(r, houses, stores, Side(side))
}

// parseRow reads a row of PlayStrategy's FEN, from left to right.
func parseRow(text string) (seeds [Houses]int, ok bool) {
	at := 0
	for field := range strings.SplitSeq(text, ",") {
		number, some := strings.CutSuffix(field, "S")
		n, ok := parseCount(number)
		if !ok || n == 0 || at >= Houses {
			return seeds, false
		}
		if some {
			seeds[at] = n
			n = 1
		}
		at += n
	}
	return seeds, at == Houses
}
