package oware

import "kroo/games"

// The reasons for the end of a game, beside repetition.
const (
	Majority games.Reason = "majority" // a player has more than 24 seeds
	Drawn    games.Reason = "24-24"    // both players have 24
	NoMoves  games.Reason = "no moves" // the side to move has no legal move
)

// terminalReason tells why a terminal position ends the game.
func terminalReason(p Position) games.Reason {
	switch a, b := p.Store(), p.OpponentStore(); {
	case (a > Half || b > Half) && p.Rules() != SimpleToEnd:
		return Majority
	case a == Half && b == Half:
		return Drawn
	}
	return NoMoves
}

// stores is the number of seeds each side has. Once the game is over it is the final
// result: it includes each side's share of the seeds in play, which can be a half. After
// a majority, or at the limit of plies, nobody takes the seeds in play.
func stores(l *games.Line[Position]) (south, north float64) {
	diff, reason, over := l.Over()
	if over && reason != Majority && reason != games.PlyLimit {
		return float64(Seeds+diff) / 2, float64(Seeds-diff) / 2
	}
	w := l.Position().bySide()
	return float64(w[South] >> storeShift & 0xff), float64(w[North] >> storeShift & 0xff)
}
