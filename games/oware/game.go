package oware

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Reason tells why a game is over.
type Reason string

// The reasons. The empty Reason is that of a game in progress.
const (
	Majority Reason = "majority"   // a player has more than 24 seeds
	Drawn    Reason = "24-24"      // both players have 24
	NoMoves  Reason = "no moves"   // the player to move has no legal move
	Repeated Reason = "repetition" // the position has recurred as often as the rules allow
)

// Game is a position with its history. It applies all the rules, repetition
// included. It is not safe for concurrent use.
type Game struct {
	current Position
	history []Position       // before current, oldest first
	moves   []Move           // moves[i] was played in history[i]
	seen    map[Position]int // how often each position is in history; nil until a move is played
}

// NewGame begins a game at the given position, which counts as its first
// appearance.
func NewGame(start Position) *Game {
	return &Game{current: start}
}

// Position is the current position.
func (g *Game) Position() Position { return g.current }

// Plies is the number of moves played.
func (g *Game) Plies() int { return len(g.moves) }

// Moves returns a copy of the moves played.
func (g *Game) Moves() []Move { return slices.Clone(g.moves) }

// History returns a copy of the positions before the current one, oldest first.
func (g *Game) History() []Position { return slices.Clone(g.history) }

// Clone returns an independent copy of the game.
func (g *Game) Clone() *Game {
	return &Game{g.current, slices.Clone(g.history), slices.Clone(g.moves), maps.Clone(g.seen)}
}

// Play makes a move. It refuses, and changes nothing, if the move is illegal
// or the game is over.
func (g *Game) Play(m Move) error {
	if _, reason, over := g.Over(); over {
		return fmt.Errorf("oware: move %s after the end of the game (%s)", MoveName(m, g.current.ToMove()), reason)
	}
	if !g.current.IsLegal(m) {
		return fmt.Errorf("oware: illegal move %s: expected %s", MoveName(m, g.current.ToMove()), legalNames(g.current))
	}
	if g.seen == nil {
		g.seen = map[Position]int{}
	}
	g.seen[g.current]++
	g.history = append(g.history, g.current)
	g.moves = append(g.moves, m)
	g.current = g.current.Play(m)
	return nil
}

// legalNames lists the legal moves for an error message.
func legalNames(p Position) string {
	var names []string
	for _, m := range p.AppendMoves(nil) {
		names = append(names, MoveName(m, p.ToMove()))
	}
	return strings.Join(names, ", ")
}

// Undo takes the last move back. It is false if there is none.
func (g *Game) Undo() bool {
	last := len(g.moves) - 1
	if last < 0 {
		return false
	}
	g.current = g.history[last]
	if g.seen[g.current]--; g.seen[g.current] == 0 {
		delete(g.seen, g.current)
	}
	g.history, g.moves = g.history[:last], g.moves[:last]
	return true
}

// Over tells whether the game has ended, why, and the final seed difference,
// South minus North. Before the end diff is 0 and the reason empty.
func (g *Game) Over() (diff int, reason Reason, over bool) {
	p := g.current
	if diff, over = p.Terminal(); over {
		reason = terminalReason(p)
	} else if diff, over = p.Repetition(g.seen[p] + 1); over {
		reason = Repeated
	} else {
		return 0, "", false
	}
	if p.ToMove() == North {
		diff = -diff
	}
	return diff, reason, true
}

// terminalReason tells why a terminal position is one.
func terminalReason(p Position) Reason {
	switch a, b := p.Store(), p.OpponentStore(); {
	case a > Half || b > Half:
		return Majority
	case a+b == Seeds:
		return Drawn
	}
	return NoMoves
}

// Stores is the number of seeds each player has. Once the game is over it is
// the final result: the seeds in play have then been shared out, which can
// give halves, except after a majority, when nobody takes them.
func (g *Game) Stores() (south, north float64) {
	diff, reason, over := g.Over()
	if over && reason != Majority {
		return float64(Seeds+diff) / 2, float64(Seeds-diff) / 2
	}
	w := g.current.bySide()
	return float64(w[South] >> storeShift & 0xff), float64(w[North] >> storeShift & 0xff)
}
