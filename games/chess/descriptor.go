package chess

import (
	"math/rand/v2"
	"slices"

	"kroo/games"
)

// Reasons for the end of a game other than repetition and lack of progress.
const (
	Checkmate    games.Reason = "checkmate"
	Stalemate    games.Reason = "stalemate"
	DeadPosition games.Reason = "insufficient material"
	KingCaptured games.Reason = "king captured"
	NoMove       games.Reason = "no move"
)

// MaxMoves exceeds the legal moves of any position: the known maximum is 218.
const MaxMoves = 256

// Descriptor returns the description of chess for code that works for any game. Positions have
// no keys. All callers share it: do not modify it.
func Descriptor() *games.Game[Position] { return descriptor }

var descriptor = games.New(games.Game[Position]{
	Info:       info,
	Start:      func(rules string) (Position, error) { return Start(rulesNamed(rules)), nil },
	Parse:      func(rules, text string) (Position, error) { return ParseBoard(rulesNamed(rules), text) },
	Print:      Position.String,
	RulesOf:    func(p Position) string { return p.rules.String() },
	SideToMove: Position.SideToMove,
	MoveName:   func(_ Position, m Move) string { return MoveName(m) },
	ScanMove:   Position.ScanMove,
	Diagram:    Position.diagram,
	Random: func(rng *rand.Rand, rules string) (Position, error) {
		return games.RandomPlayout(rng, Start(rulesNamed(rules)), longestDraw), nil
	},
	Orbit:     Position.orbit,
	Exchange:  Position.exchanged,
	Pass:      Position.passed,
	Phase:     Position.pieces,
	EndReason: endReason,
	Perft:     Position.perft,
})

// longestDraw exceeds the plies of the random games that Random cuts.
const longestDraw = 100

var info = games.Info{
	Name:        "chess",
	Rules:       []string{Full: "full", LaMoSca: "lamosca"},
	Sides:       sides,
	Mates:       true,
	Unit:        "pawn",
	UnitsPerWin: UnitsPerWin,
	Endless:     []string{"lamosca"},
	Claimed:     true,
	MaxMoves:    MaxMoves,
	PhaseName:   "pieces",
	MaxPhase:    32,
	BoardText:   "a board in Forsyth-Edwards notation: " + startBoards[Full],
	MoveText:    moveText,
	Draws:       "random games cut at a random ply, 0 to 99, in which the game is not over; not every position equally likely",
}

// rulesNamed finds rules that exist by their name.
func rulesNamed(name string) Rules { return Rules(slices.Index(info.Rules, name)) }

// String returns the name of the rule set.
func (r Rules) String() string { return info.Rules[r] }

func endReason(p Position) games.Reason {
	switch {
	case p.kingless():
		return KingCaptured
	case p.lacksMaterial():
		return DeadPosition
	case p.rules == LaMoSca:
		return NoMove
	case p.InCheck():
		return Checkmate
	}
	return Stalemate
}
