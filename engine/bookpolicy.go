package engine

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/spec"
)

// BookPolicy selects the moves of a book that are played. Its tags name the settings in configuration
// files. The zero value plays the best move, the first of equals.
type BookPolicy struct {
	// Loss is how many seeds worse than the best a move may be.
	Loss    float64 `name:"book_loss" range:"0..24" json:",omitempty" help:"most seeds that a move of the book may lose to the best"`
	Variety Variety `name:"book_variety" choices:"even weighted guarded" json:",omitempty" help:"how a move within --book-loss is drawn: even, weighted, guarded"` // "" is Even
}

// PolicyOfPoints returns the policy with a margin in points, the unit of books.
func PolicyOfPoints(margin int, v Variety) BookPolicy {
	return BookPolicy{float64(margin) / oware.Descriptor().PointsPerUnit(), v}
}

// Margin returns the most points that a move may lose.
func (c BookPolicy) Margin() int {
	return int(math.Round(c.Loss * oware.Descriptor().PointsPerUnit()))
}

// Variety is how a move is drawn among those within the margin.
type Variety string

// The kinds of variety.
const (
	Even     Variety = "even"     // all equally likely
	Weighted Variety = "weighted" // the chance falls linearly, to 0 just beyond the margin
	// Guarded is the rule of that program: all equally likely, but if the best move loses points, a
	// move must be worth more than both best − margin and −margin, or be the best.
	Guarded Variety = "guarded"
)

// Varieties returns the names of all kinds.
func Varieties() []string { return []string{string(Even), string(Weighted), string(Guarded)} }

// MaxBookMargin is the widest margin: a won game.
const MaxBookMargin = games.MaxPoints

// Check returns an error for a loss out of range or an unknown variety.
func (c BookPolicy) Check() error { return spec.Check(&c) }

// String describes the policy for records, "" for the zero value.
func (c BookPolicy) String() string {
	if c.Margin() == 0 {
		return ""
	}
	if c.Variety == "" {
		c.Variety = Even
	}
	return fmt.Sprintf("margin %d %s", c.Margin(), c.Variety)
}

// playable returns the moves of a position within the margin, with their weights in the draw.
func (c BookPolicy) playable(moves []BookMove) (list []BookMove, weights []int) {
	best, margin := bestOf(moves), c.Margin()
	for _, m := range moves {
		loss := best - m.Points
		if loss > margin || c.Variety == Guarded && best < 0 && loss > 0 && m.Points <= max(best-margin, -margin) {
			continue
		}
		weight := 1
		if c.Variety == Weighted {
			weight = margin + 1 - loss
		}
		list, weights = append(list, m), append(weights, weight)
	}
	return list, weights
}

func bestOf(moves []BookMove) int {
	best := -1 << 30
	for _, m := range moves {
		best = max(best, m.Points)
	}
	return best
}

// BookPick is a move from a book.
type BookPick struct {
	BookMove
	From   []games.Move // candidates of the draw, in the game's order
	Ponder games.Move   // the book's best reply
	Reply  bool         // Ponder is set
}

// Answer returns the pick as an answer.
func (p BookPick) Answer() Answer {
	return Answer{Move: p.Move, HasMove: true, Book: true, Points: p.Points}
}

// errBookWrong is returned for a book that names an illegal move.
var errBookWrong = errors.New("the book is wrong about this position")

// pickMove draws a move of the book for a position by a policy, as documented at [Player.FromBook];
// a book cannot give the value of a repetition in this game. history is the earlier positions of the
// game, tables may be nil, and random is used only if there is a margin and more than one candidate.
func pickMove[P search.Position[P]](b Book[P], tables search.Prober[P], c BookPolicy, p P, history []P, random *rand.Rand) (BookPick, bool, error) {
	moves := b.Moves(p)
	legal := p.AppendMoves(nil)
	for _, m := range moves {
		if !slices.Contains(legal, m.Move) {
			return BookPick{BookMove: m}, false, errBookWrong
		}
	}
	list, weights := c.playable(moves)
	if len(list) == 0 || slices.Contains(history, p) {
		return BookPick{}, false, nil
	}
	var pick BookPick
	sound, chances := list[:0], weights[:0]
	for i, m := range list {
		next := p.Play(m.Move)
		if slices.Contains(history, next) {
			return BookPick{}, false, nil
		}
		if tables == nil || !refuted(tables, p, next) {
			sound, chances = append(sound, m), append(chances, weights[i])
			pick.From = append(pick.From, m.Move)
		}
	}
	if len(sound) == 0 {
		return BookPick{}, false, nil
	}
	pick.BookMove = sound[0]
	if c.Margin() > 0 && len(sound) > 1 {
		pick.BookMove = sound[draw(chances, random)]
	}
	pick.Ponder, pick.Reply = reply(b, p.Play(pick.Move), append(slices.Clip(history), p))
	return pick, true, nil
}

// draw draws an index by the weights.
func draw(weights []int, random *rand.Rand) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	at := random.IntN(sum)
	for i, w := range weights {
		if at -= w; at < 0 {
			return i
		}
	}
	panic("engine: weights changed") // at is below their sum
}

// reply returns the best move of the book in the next position, if it may be played.
func reply[P search.Position[P]](b Book[P], p P, history []P) (games.Move, bool) {
	if _, over := p.Terminal(); over {
		return 0, false
	}
	moves, legal := b.Moves(p), p.AppendMoves(nil)
	for _, m := range moves {
		if m.Points == bestOf(moves) {
			return m.Move, slices.Contains(legal, m.Move) && !slices.Contains(history, p.Play(m.Move))
		}
	}
	return 0, false
}

// refuted reports whether the tables prove that the move from p to next loses, at once or by a
// capture in reply. They are probed only where no earlier position can recur, since only there their
// bounds are independent of the game so far.
func refuted[P search.Position[P]](tables search.Prober[P], p, next P) bool {
	if _, over := next.Terminal(); over {
		return false
	}
	if next.Progress() > p.Progress() {
		if low, _, ok := tables.Final(next); ok && low > 0 {
			return true
		}
	}
	for _, m := range next.AppendMoves(nil) {
		after := next.Play(m)
		if _, over := after.Terminal(); over || after.Progress() == next.Progress() {
			continue
		}
		if _, high, ok := tables.Final(after); ok && high < 0 {
			return true
		}
	}
	return false
}
