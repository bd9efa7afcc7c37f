package tictactoe

import (
	"math/rand/v2"

	"kroo/games"
)

// Reasons for the end of a game.
const (
	ThreeInRow games.Reason = "three in a row"
	FullBoard  games.Reason = "full board"
)

// Descriptor returns the description of tic-tac-toe for code that works for any game. Its keys
// are ranks. All callers share it: do not modify it.
func Descriptor() *games.Game[Position] { return descriptor }

var descriptor = games.New(games.Game[Position]{
	Info:       info,
	Start:      func(string) (Position, error) { return Start(), nil },
	Parse:      func(_, text string) (Position, error) { return ParseBoard(text) },
	Print:      Position.String,
	SideToMove: Position.sideToMove,
	MoveName:   func(_ Position, m Move) string { return moveName(m) },
	ScanMove: func(_ Position, text string) (Move, int, error) {
		m, err := parseMove(text)
		return m, 2, err
	},
	Diagram: Position.diagram,
	Random: func(rng *rand.Rand, _ string) (Position, error) {
		return games.RandomPlayout(rng, Start(), squares), nil
	},
	Key:       func(p Position) (int64, bool) { return p.rank(), true },
	FromKey:   func(_ string, key int64) (Position, error) { return unrank(key) },
	Orbit:     Position.orbit,
	Phase:     Position.Progress,
	EndReason: endReason,
})

var info = games.Info{
	Name:        "tictactoe",
	Rules:       []string{"standard"},
	Sides:       sides,
	Unit:        "win",
	UnitsPerWin: 1,
	MaxMoves:    squares,
	PhaseName:   "stones",
	MaxPhase:    squares,
	BoardText:   "nine squares in reading order, X, O or a dot: XO.......; X moves first",
	MoveText:    moveText,
	Draws:       "random games cut at a random ply, 0 to 8, in which the game is not over; not every position equally likely",
}

func endReason(p Position) games.Reason {
	if diff, _ := p.Terminal(); diff != 0 {
		return ThreeInRow
	}
	return FullBoard
}
