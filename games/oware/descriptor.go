package oware

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"unicode/utf8"

	"kroo/games"
)

// Descriptor returns the description of oware for code that works for any game. Its keys are
// book keys. All callers share it: do not modify it.
func Descriptor() *games.Game[Position] { return descriptor }

var descriptor = joined(games.New(games.Game[Position]{
	Info: games.Info{
		Name:        "oware",
		Rules:       rulesNames[:],
		Sides:       [2]string{"South", "North"},
		Unit:        "seed",
		UnitsPerWin: Half,
		MaxMoves:    Houses,
		PhaseName:   "seeds in play",
		MaxPhase:    Seeds,
		BoardText:   "the seeds of houses A to F, a to f, the stores of South and North, S or N to move: 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
		MoveText:    "A to F for South, a to f for North",
		Draws:       "every board equally likely, South to move, game not over, no store of exactly one seed",
	},
	Start:      func(rules string) (Position, error) { return Start(rulesNamed(rules)), nil },
	Parse:      func(rules, text string) (Position, error) { return ParseBoard(rulesNamed(rules), text) },
	Print:      Position.String,
	RulesOf:    func(p Position) string { return p.Rules().String() },
	SideToMove: func(p Position) int { return int(p.ToMove()) },
	MoveName:   func(p Position, m Move) string { return MoveName(m, p.ToMove()) },
	ScanMove:   scanMove,
	Gain:       Position.Gain,
	Tally:      stores,
	Diagram:    Position.Diagram,
	Random:     randomBoard,
	Key:        func(p Position) (int64, bool) { return p.BookKey(), true },
	FromKey:    func(rules string, key int64) (Position, error) { return FromBookKey(rulesNamed(rules), key) },
	Orbit:      Position.Orbit,
	Exchange:   Position.Mirror,
	Pass:       Position.Swap,
	Phase:      Position.SeedsInPlay,
	EndReason:  terminalReason,
	Perft:      Position.Perft,
}))

// joined writes moves without a separator: each is a letter.
func joined(g *games.Game[Position]) *games.Game[Position] {
	g.Separator = ""
	return g
}

// scanMove reads the letter of a house, which must belong to the side to move.
func scanMove(p Position, text string) (m Move, length int, err error) {
	if text == "" {
		return 0, 0, errors.New("no move: expected A to F for South, a to f for North")
	}
	if r, size := utf8.DecodeRuneInString(text); size > 1 || r == utf8.RuneError { // not ASCII, or invalid
		return 0, 0, fmt.Errorf("%q is not a move: expected A to F for South, a to f for North", text[:size])
	}
	m, side, err := ParseMove(text[0])
	if err != nil {
		return 0, 0, err
	}
	if side != p.ToMove() {
		return 0, 0, fmt.Errorf("move %s, but it is %s to move", MoveName(m, side), p.ToMove())
	}
	return m, 1, nil
}

// randomBoard draws ranks until one is a reachable board on which the game is not over. All such
// boards are equally likely.
func randomBoard(rng *rand.Rand, rules string) (Position, error) {
	for {
		p, err := Unrank(rulesNamed(rules), rng.Int64N(Ranks), South)
		if err != nil {
			return p, err
		}
		if _, over := p.Terminal(); !over && p.Reachable() {
			return p, nil
		}
	}
}

// Reasons for the end of a game other than repetition.
const (
	Majority games.Reason = "majority" // a player has more than 24 seeds
	Drawn    games.Reason = "24-24"    // both players have 24
	NoMoves  games.Reason = "no moves" // the side to move has no legal move
)

// terminalReason returns the reason why a terminal position ends the game.
func terminalReason(p Position) games.Reason {
	switch a, b := p.Store(), p.OpponentStore(); {
	case (a > Half || b > Half) && p.Rules() != SimpleToEnd:
		return Majority
	case a == Half && b == Half:
		return Drawn
	}
	return NoMoves
}

// stores returns the seeds of each side. Once the game is over it is the final result, which
// includes each side's share of the seeds in play, possibly a half. After a majority, and at the
// ply limit, nobody gets the seeds in play.
func stores(l *games.Line[Position]) (south, north float64) {
	diff, reason, over := l.Over()
	if over && reason != Majority && reason != games.PlyLimit {
		return float64(Seeds+diff) / 2, float64(Seeds-diff) / 2
	}
	w := l.Position().bySide()
	return float64(w[South] >> storeShift & 0xff), float64(w[North] >> storeShift & 0xff)
}
