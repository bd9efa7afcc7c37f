package othello

import (
	"math/bits"
	"math/rand/v2"

	"kroo/games"
)

// Reasons for the end of a game.
const (
	FullBoard games.Reason = "full board"
	NoDiscs   games.Reason = "a side without discs"
	NoMove    games.Reason = "no move for either side"
)

// Descriptor returns the description of Othello for code that works for any game. Positions have
// no keys. All callers share it: do not modify it.
func Descriptor() *games.Game[Position] { return descriptor }

var descriptor = games.New(games.Game[Position]{
	Info:       info,
	Start:      func(rules string) (Position, error) { return Start(rulesNamed(rules)), nil },
	Parse:      func(rules, text string) (Position, error) { return ParseBoard(rulesNamed(rules), text) },
	Print:      Position.String,
	RulesOf:    func(p Position) string { return p.rules.String() },
	SideToMove: func(p Position) int { return int(p.side) },
	MoveName:   func(p Position, m Move) string { return MoveName(p.rules, m) },
	ScanMove:   func(p Position, text string) (Move, int, error) { return scanMove(p.rules, text) },
	Tally: func(l *games.Line[Position]) (first, second float64) {
		dark, light := l.Position().bySide()
		return float64(bits.OnesCount64(dark)), float64(bits.OnesCount64(light))
	},
	Diagram: Position.diagram,
	Random: func(rng *rand.Rand, rules string) (Position, error) {
		// The number of discs is almost evenly distributed.
		start := Start(rulesNamed(rules))
		return games.RandomPlayout(rng, start, start.Empty()), nil
	},
	Orbit:     Position.orbit,
	Exchange:  Position.exchanged,
	Pass:      Position.passed,
	Phase:     Position.Progress,
	EndReason: endReason,
	Perft:     Position.perft,
})

// A win is worth 64 discs on both boards, so a disc is worth 1000/64 points on both.
var info = games.Info{
	Name:        "othello",
	Rules:       rulesNames[:],
	Sides:       [2]string{"Dark", "Light"}, // not Black and White: UCI's wtime is the first side's clock
	Unit:        "disc",
	UnitsPerWin: 64,
	MaxMoves:    64,
	PhaseName:   "discs",
	MaxPhase:    64,
	BoardText:   "the squares in reading order, X, O or a dot, then a dash and the side to move: ...-X; X moves first",
	MoveText:    moveText,
	Draws:       "random games cut at a random ply at which they are not over; not every position equally likely",
}

func endReason(p Position) games.Reason {
	switch {
	case p.Empty() == 0:
		return FullBoard
	case p.own == 0 || p.opp == 0:
		return NoDiscs
	}
	return NoMove
}
