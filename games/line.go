package games

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Reason is the reason why a game is over, in a few words.
type Reason string

// Reasons that follow from the history of a game. The packages of the games define those that
// follow from the position. A game in progress has the empty Reason.
const (
	Repeated   Reason = "repetition"
	NoProgress Reason = "no progress" // the draw clock has run out
	PlyLimit   Reason = "ply limit"   // the game has reached its maximum number of plies
)

// Line is a line of play: a position, the moves made from it, and the position they lead to. It
// applies all rules, including repetition, draw clock and ply limit; plies count from the start
// of the line. Create one with [Game.NewLine]. A Line is not safe for concurrent use.
type Line[P Position[P]] struct {
	game    *Game[P]
	current P
	history []P       // before current, oldest first
	moves   []Move    // moves[i] was played in history[i]
	seen    map[P]int // number of occurrences in history; nil until a move is played
	legal   []Move    // buffer of Play
}

// NewLine returns a line that starts at the given position, which counts as its first
// appearance.
func (g *Game[P]) NewLine(start P) *Line[P] { return &Line[P]{game: g, current: start} }

// Position returns the current position.
func (l *Line[P]) Position() P { return l.current }

// Start returns the position before the first move.
func (l *Line[P]) Start() P {
	if len(l.history) > 0 {
		return l.history[0]
	}
	return l.current
}

// Plies returns the number of moves played.
func (l *Line[P]) Plies() int { return len(l.moves) }

// Moves returns a copy of the moves played.
func (l *Line[P]) Moves() []Move { return slices.Clone(l.moves) }

// History returns a copy of the positions before the current one, oldest first.
func (l *Line[P]) History() []P { return slices.Clone(l.history) }

// Clone returns an independent copy.
func (l *Line[P]) Clone() *Line[P] {
	return &Line[P]{
		game: l.game, current: l.current,
		history: slices.Clone(l.history), moves: slices.Clone(l.moves), seen: maps.Clone(l.seen),
	}
}

// Play makes a move. It returns an error, and changes nothing, if the move is illegal or the
// game is over. It allows moves after an end that a player had to claim ([Info.Claimed]).
func (l *Line[P]) Play(m Move) error {
	g, p := l.game, l.current
	if _, reason, over := l.Over(); over && !g.claims(reason) {
		return fmt.Errorf("move %s after the end of the game (%s)", g.MoveName(p, m), reason)
	}
	l.legal = p.AppendMoves(l.legal[:0])
	if !slices.Contains(l.legal, m) {
		return fmt.Errorf("illegal move %s: expected %s", g.MoveName(p, m), g.legalNames(p))
	}
	if l.seen == nil {
		l.seen = map[P]int{}
	}
	l.seen[p]++
	l.history = append(l.history, p)
	l.moves = append(l.moves, m)
	l.current = p.Play(m)
	return nil
}

// claims reports whether a player has to claim an end of the game for this reason.
func (i Info) claims(r Reason) bool { return i.Claimed && (r == Repeated || r == NoProgress) }

// MoveError is the error for a move of a text that cannot be played.
type MoveError struct {
	Ply int // its number, from 1
	Err error
}

// Error implements the error interface.
func (e MoveError) Error() string { return fmt.Sprintf("%v (ply %d)", e.Err, e.Ply) }

// Unwrap returns what is wrong with the move.
func (e MoveError) Unwrap() error { return e.Err }

// PlayText plays the moves named in text, with or without white space between them. It stops with a
// [MoveError] at the first move that it cannot play. The moves before it remain played.
func (l *Line[P]) PlayText(text string) error {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		m, length, err := l.game.NextMove(l.current, text)
		if err == nil {
			err = l.Play(m)
		}
		if err != nil {
			return MoveError{Ply: l.Plies() + 1, Err: err}
		}
		text = text[length:]
	}
	return nil
}

// Text returns the names of the moves played, for PlayText.
func (l *Line[P]) Text() string {
	return l.game.LineNames(l.Start(), l.moves)
}

// Undo takes the last move back. It returns false at the start of the line.
func (l *Line[P]) Undo() bool {
	last := len(l.moves) - 1
	if last < 0 {
		return false
	}
	l.current = l.history[last]
	l.seen[l.current]--
	if l.seen[l.current] == 0 {
		delete(l.seen, l.current)
	}
	l.history, l.moves = l.history[:last], l.moves[:last]
	return true
}

// Outcome describes the result of a finished game: the tally, "South 25, North 23", or the
// winner in a game without a tally.
func (l *Line[P]) Outcome() string {
	g := l.game
	if g.Tally != nil {
		first, second := g.Tally(l)
		return fmt.Sprintf("%s %g, %s %g", g.Sides[0], first, g.Sides[1], second)
	}
	switch l.Result() {
	case FirstWins:
		return g.Sides[0] + " wins"
	case SecondWins:
		return g.Sides[1] + " wins"
	}
	return "a draw"
}

// Over reports whether the game has ended, why, and the final difference in the game's units,
// first side minus second. Before the end diff is 0 and reason empty.
func (l *Line[P]) Over() (diff int, reason Reason, over bool) {
	diff, reason, over = l.ending()
	if l.game.SideToMove(l.current) == 1 {
		diff = -diff
	}
	return diff, reason, over
}

// ending is Over with the difference of the side to move.
func (l *Line[P]) ending() (diff int, reason Reason, over bool) {
	p := l.current
	diff, over = p.Terminal()
	if over {
		return diff, l.game.EndReason(p), true
	}
	diff, over = p.Repetition(l.seen[p] + 1)
	if over {
		return diff, Repeated, true
	}
	if l.isStalled() {
		return 0, NoProgress, true
	}
	limit, diff := p.PlyLimit()
	if limit > 0 && len(l.moves) >= limit {
		return diff, PlyLimit, true
	}
	return 0, "", false
}

// isStalled reports whether the draw clock has run out. Progress never decreases, so if it is
// equal at two positions, it is constant between them.
func (l *Line[P]) isStalled() bool {
	clock := l.current.DrawClock()
	from := len(l.history) - clock
	return clock > 0 && from >= 0 && l.history[from].Progress() == l.current.Progress()
}

// ParseMove reads the name of a move of the side to move. The move may be illegal.
func (g *Game[P]) ParseMove(p P, text string) (Move, error) {
	m, length, err := g.ScanMove(p, text)
	if err == nil && length < len(text) {
		err = fmt.Errorf("%s is not a single move: expected %s", Quote(text), g.MoveText)
	}
	return m, err
}

// NextMove reads the move at the beginning of text like ScanMove. Its error states if the move is
// the opponent's.
func (g *Game[P]) NextMove(p P, text string) (m Move, length int, err error) {
	m, length, err = g.ScanMove(p, text)
	if err == nil {
		return m, length, nil
	}
	if name, ok := g.OpponentsMove(p, text); ok {
		err = fmt.Errorf("move %s is the opponent's: expected one of %s", name, g.MoveNames(p, p.AppendMoves(nil)...))
	}
	return 0, 0, err
}

// OpponentsMove reports whether text begins with the name of a move of the opponent
// instead of the side to move, and returns that name.
func (g *Game[P]) OpponentsMove(p P, text string) (name string, ok bool) {
	moves := p.AppendMoves(nil)
	if _, _, err := g.ScanMove(p, text); err == nil || len(moves) == 0 {
		return "", false
	}
	_, length, err := g.ScanMove(p.Play(moves[0]), text)
	if err != nil {
		return "", false
	}
	return text[:length], true
}

// MoveNames joins the names of moves of one position with the game's separator.
func (g *Game[P]) MoveNames(p P, moves ...Move) string {
	return strings.Join(g.namesOf(p, moves), g.Separator)
}

func (g *Game[P]) namesOf(p P, moves []Move) (names []string) {
	for _, m := range moves {
		names = append(names, g.MoveName(p, m))
	}
	return names
}

// LineNames joins the names of consecutive legal moves from p.
func (g *Game[P]) LineNames(p P, moves []Move) string {
	var names strings.Builder
	for i, m := range moves {
		if i > 0 {
			names.WriteString(g.Separator)
		}
		names.WriteString(g.MoveName(p, m))
		p = p.Play(m)
	}
	return names.String()
}

// legalNames lists the legal moves for an error message.
func (g *Game[P]) legalNames(p P) string {
	return strings.Join(g.namesOf(p, p.AppendMoves(nil)), ", ")
}

// Quote quotes a text for one line of an error message, and truncates it if it is long.
func Quote(s string) string {
	const maxLength = 60
	if len(s) > maxLength {
		return strconv.Quote(s[:maxLength]) + "…"
	}
	return strconv.Quote(s)
}

// Perft counts the sequences of depth legal moves. Shorter games do not count, and repetitions
// do not end a game. It makes every move; [Game.Perft] may be faster.
func Perft[P Position[P]](p P, depth int) int64 {
	var moves []Move // of all positions of the current line
	var leaves func(p P, depth int) int64
	leaves = func(p P, depth int) (n int64) {
		if depth <= 0 {
			return 1
		}
		if _, over := p.Terminal(); over {
			return 0
		}
		first := len(moves)
		moves = p.AppendMoves(moves)
		for i, last := first, len(moves); i < last; i++ {
			n += leaves(p.Play(moves[i]), depth-1)
		}
		moves = moves[:first]
		return n
	}
	return leaves(p, depth)
}
