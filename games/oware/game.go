package oware

import "kroo/games"

// Reason tells why a game is over.
type Reason = games.Reason

// The reasons. A game in progress has the empty Reason.
const (
	Majority Reason = "majority"     // a player has more than 24 seeds
	Drawn    Reason = "24-24"        // both players have 24
	NoMoves  Reason = "no moves"     // the side to move has no legal move
	Repeated        = games.Repeated // the position has recurred as often as the rules allow
)

// Game is a line of play with its history. It applies all the rules, repetition
// included, and knows its stores. Differences are in seeds, South minus North. A
// Game is not safe for concurrent use.
type Game struct{ games.Line[Position] }

// NewGame starts a game at the given position. That counts as the position's first
// appearance.
func NewGame(start Position) *Game { return &Game{*descriptor.NewLine(start)} }

// Clone returns an independent copy of the game.
func (g *Game) Clone() *Game { return &Game{*g.Line.Clone()} }

// terminalReason tells why a terminal position ends the game.
func terminalReason(p Position) Reason {
	switch a, b := p.Store(), p.OpponentStore(); {
	case (a > Half || b > Half) && p.Rules() != SimpleToEnd:
		return Majority
	case a == Half && b == Half:
		return Drawn
	}
	return NoMoves
}

// Stores returns the number of seeds each side has. Once the game is over it is the
// final result: it includes each side's share of the seeds in play, which can be a
// half, except after a majority, when nobody takes them.
func (g *Game) Stores() (south, north float64) { return stores(&g.Line) }

func stores(g *games.Line[Position]) (south, north float64) {
	diff, reason, over := g.Over()
	if over && reason != Majority {
		return float64(Seeds+diff) / 2, float64(Seeds-diff) / 2
	}
	w := g.Position().bySide()
	return float64(w[South] >> storeShift & 0xff), float64(w[North] >> storeShift & 0xff)
}
