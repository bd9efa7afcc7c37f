package oware

import (
	"fmt"
	"slices"

	"kroo/games"
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
	return fmt.Errorf("unknown rules %q: expected %s", name, games.OrList(rulesNames[:]))
}
