package oware

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kroo/games"
	"kroo/internal/wording"
)

// Rules selects one of the rule sets. The zero value is [Abapa].
type Rules uint8

// The rule sets.
const (
	// Abapa is the tournament rules: a capture that would empty the opponent's side is void; a
	// repetition ends the game, and each side takes the seeds in its own houses (Sala Soler
	// 2014, annex A, where players may agree to end a game that repeats; that the second
	// appearance ends it is Kroo's choice).
	Abapa Rules = iota
	// Awari is the rules of the solved game: a move may not leave the opponent without seeds
	// unless every move does; a repetition splits the seeds in play equally (Romein and Bal
	// 2003; Lincke 2002, app. A).
	Awari
	// Simple has no restriction on captures; the third appearance of a
	// position splits the seeds in play equally (Ferrando, Bonanno, Repetto).
	Simple
	// SimpleToEnd is Simple, but a game continues after a side has more than half of the seeds,
	// like the games of Ferrando, Bonanno and Repetto: it ends only when a side has no legal
	// move, or by repetition. The winner is the same as in Simple, the final difference is not.
	SimpleToEnd
	// Arena is Abapa as played in CodinGame's arena: repetitions do not end a game, but 200
	// plies do, and each side then keeps what it has captured.
	Arena
)

// arenaPlies is the length of a game of [Arena]. The statement there says "If the game exceeds
// 200 turns, the winner is the player with the most seeds". According to players, a turn is a
// ply, and seeds in the houses do not count. That the 200th ply is the last, and that a terminal
// position takes precedence, is Kroo's reading.
const arenaPlies = 200

// LikeAbapa reports whether moves, captures and the end of a game without legal moves are those
// of [Abapa].
func (r Rules) LikeAbapa() bool { return r == Abapa || r == Arena }

var rulesNames = [...]string{"abapa", "awari", "simple", "simple-to-end", "arena"}

// String returns the name that command lines and files use.
func (r Rules) String() string {
	if int(r) < len(rulesNames) {
		return rulesNames[r]
	}
	return fmt.Sprintf("rules(%d)", uint8(r))
}

// ParseRules is the inverse of [Rules.String].
func ParseRules(name string) (Rules, error) {
	if r := rulesNamed(name); r.Check() == nil {
		return r, nil
	}
	return 0, unknownRules(name)
}

// rulesNamed finds rules that exist by their name.
func rulesNamed(name string) Rules { return Rules(slices.Index(rulesNames[:], name)) }

// RuleSets lists the rule sets, [Abapa] first.
func RuleSets() (all []Rules) {
	for r := range rulesNames {
		all = append(all, Rules(r))
	}
	return all
}

// Check returns an error unless r is one of the rule sets.
func (r Rules) Check() error {
	if int(r) < len(rulesNames) {
		return nil
	}
	return unknownRules(r.String())
}

func unknownRules(name string) error {
	return fmt.Errorf("unknown rules %q: %s", name, wording.Expect(name, rulesNames[:]))
}

// boardFields is the number of fields of the board notation: twelve houses,
// two stores and the side to move.
const boardFields = 2*Houses + 3

// ParseBoard reads the board notation "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S": houses A…F, houses a…f,
// South's store, North's store, side to move (S or N). Errors contain the number of the field,
// from 1.
func ParseBoard(r Rules, s string) (Position, error) {
	fields := strings.SplitN(s, "-", boardFields+1)
	if len(fields) != boardFields {
		return Position{}, fmt.Errorf("board %s has %d fields: expected %d, as in %s",
			games.Quote(s), strings.Count(s, "-")+1, boardFields, Start(r))
	}
	var houses [2 * Houses]int
	var stores [2]int
	for i, f := range fields[:boardFields-1] {
		n, ok := parseCount(f)
		if !ok {
			return Position{}, fmt.Errorf("board field %d (%s) is %s: expected 0 to %d",
				i+1, fieldName(i), games.Quote(f), Seeds)
		}
		if i < len(houses) {
			houses[i] = n
		} else {
			stores[i-len(houses)] = n
		}
	}
	var toMove Side
	switch f := fields[boardFields-1]; f {
	case "S":
		toMove = South
	case "N":
		toMove = North
	default:
		return Position{}, fmt.Errorf("board field %d (side to move) is %s: expected S or N", boardFields, games.Quote(f))
	}
	return New(r, houses, stores, toMove)
}

// parseCount reads a number up to 48 of one or two digits, without sign or blanks.
func parseCount(s string) (n int, ok bool) {
	if len(s) == 0 || len(s) > 2 {
		return 0, false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, n <= Seeds
}

func fieldName(i int) string {
	switch i {
	case 2 * Houses:
		return "South's store"
	case 2*Houses + 1:
		return "North's store"
	}
	return "house " + houseName(i)
}

// bySide returns South's word and North's word.
func (p Position) bySide() [2]uint64 {
	if p.ToMove() == South {
		return [2]uint64{p.own, p.opp}
	}
	return [2]uint64{p.opp, p.own}
}

// String returns the position in the notation of [ParseBoard], which does not include the rules.
func (p Position) String() string {
	b := make([]byte, 0, 3*boardFields)
	words := p.bySide()
	for _, w := range words {
		for h := range Houses {
			b = strconv.AppendUint(b, w>>(8*h)&0xff, 10)
			b = append(b, '-')
		}
	}
	for _, w := range words {
		b = strconv.AppendUint(b, w>>storeShift&0xff, 10)
		b = append(b, '-')
	}
	return string(append(b, p.ToMove().String()...))
}

// Diagram draws the board for a terminal of 40 columns or more, with South at the bottom:
// North's houses from f to a, South's from A to F, and the stores.
//
//	   f    e    d    c    b    a
//	+----+----+----+----+----+----+
//	|  4 |  4 |  4 |  4 |  4 |  4 |
//	+----+----+----+----+----+----+
//	|  4 |  4 |  4 |  4 |  4 |  4 |
//	+----+----+----+----+----+----+
//	   A    B    C    D    E    F
//	North 0, South 0, S to move
func (p Position) Diagram() string {
	words := p.bySide()
	rule := "+" + strings.Repeat("----+", Houses)
	var northNames, southNames []string
	northRow, southRow := "|", "|"
	for i := range Houses {
		h := Houses - 1 - i // North's houses run from right to left
		northNames = append(northNames, MoveName(Move(h), North))
		northRow += fmt.Sprintf(" %2d |", words[North]>>(8*h)&0xff)
		southRow += fmt.Sprintf(" %2d |", words[South]>>(8*i)&0xff)
		southNames = append(southNames, MoveName(Move(i), South))
	}
	const gap = "    "
	return fmt.Sprintf("   %s\n%s\n%s\n%s\n%s\n%s\n   %s\nNorth %d, South %d, %s to move\n",
		strings.Join(northNames, gap), rule, northRow, rule, southRow, rule, strings.Join(southNames, gap),
		words[North]>>storeShift&0xff, words[South]>>storeShift&0xff, p.ToMove())
}

const houseLetters = "ABCDEFabcdef" // in sowing order, South's first

func houseName(i int) string { return houseLetters[i : i+1] }

// MoveName returns the letter of the house that side s sows: "A"…"F" for South, "a"…"f" for
// North. It returns "?" unless the move is 0…5.
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
	return 0, South, fmt.Errorf("%q is not a move: expected A to F for South, a to f for North", letter)
}
