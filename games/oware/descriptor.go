// Package oware implements the rules of the mancala game oware in five rule sets ([Rules]), with
// notation, ranking and perft. It imports only the standard library and package games.
//
// A [Position] is two machine words, seen from the side to move. Get one from [Start],
// [ParseBoard] or [Unrank]; list moves with [Position.Legal] or [Position.AppendMoves]; make
// them with [Position.Play]. [Position.Terminal] reports whether a position ends the game, and
// [Position.Repetition] what a repeated position is worth. [Descriptor] describes oware to code
// that works for any game, such as lines of play and game records ([games.Line],
// [games.Record]).
//
// Caveats: Play does not check its argument. A position has no history: games.Line and the
// search detect repetitions, Terminal does not.
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

// InSeeds converts points, the unit of labels, weights and books, to seeds.
func InSeeds[T int | int16 | float64](points T) float64 {
	return float64(points) * Half / games.MaxPoints
}

var descriptor = withoutSeparator(games.New(games.Game[Position]{
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

// withoutSeparator writes moves without a separator: each is a letter.
func withoutSeparator(g *games.Game[Position]) *games.Game[Position] {
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

// Exercise is a position of the lesson for newcomers: what it teaches, and the moves that show it.
type Exercise struct {
	Name  string `json:"name"`
	Board string `json:"board"` // South to move, abapa rules
	Rule  string `json:"rule"`
	Task  string `json:"task"`
	Moves string `json:"moves"` // that are right, by their letters
	Right string `json:"right"` // comment on such a move
	Wrong string `json:"wrong"` // comment on any other
}

// Lesson is the rules of oware in five positions to play.
func Lesson() []Exercise {
	return []Exercise{
		{
			Name: "Sow", Board: "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", Moves: "CDEF",
			Rule:  "You are South and own the houses A to F. A move empties one of them and puts its seeds one by one into the next houses, counter-clockwise: along your row, and on into North's.",
			Task:  "Sow a house whose last seed lands on North's side.",
			Right: "Right: the last of the four seeds lands on North's side.",
			Wrong: "All four seeds stay on your side. Count four houses on from the one that you choose.",
		}, {
			Name: "Capture", Board: "0-1-3-2-2-0-1-5-4-0-6-3-10-11-S", Moves: "E",
			Rule:  "If your last seed lands on North's side and makes two or three there, you capture them. The first side with more than 24 seeds wins.",
			Task:  "Capture North's seeds in a.",
			Right: "Right: your last seed makes two in a, and both are yours.",
			Wrong: "That captures nothing. Your last seed has to land in a, which has one seed.",
		}, {
			Name: "Chain", Board: "1-1-1-1-1-3-1-2-1-4-4-4-12-12-S", Moves: "F",
			Rule:  "After a capture, the house before counts too: if it also has two or three seeds, you take them, and so on backwards along North's row.",
			Task:  "Capture three houses with one move.",
			Right: "Right: two in c, three in b and two in a. All seven are yours.",
			Wrong: "That does not capture three houses. Look for a move that adds a seed to a, b and c.",
		}, {
			Name: "Feed", Board: "1-0-2-0-1-1-0-0-0-0-0-0-22-21-S", Moves: "F",
			Rule:  "If North has no seeds, you have to make a move that gives it some. If you could take all of North's seeds, you would take none.",
			Task:  "North's houses are empty. Make a move that is allowed.",
			Right: "Right: F is the only house whose seed reaches North.",
			Wrong: "That move leaves North without seeds, so it is not allowed.",
		}, {
			Name: "End", Board: "0-0-1-0-0-2-4-2-0-1-5-0-22-11-S", Moves: "F",
			Rule:  "A side with more than 24 seeds wins at once. The game also ends at 24–24, or when the side to move has no move, or when a position repeats; in the last two cases each side takes the seeds in its own houses.",
			Task:  "You have 22 seeds. Win the game with this move.",
			Right: "Right: three seeds make 25, more than half of 48. You have won.",
			Wrong: "The game continues. Three more seeds would be enough: where does North have two?",
		},
	}
}
