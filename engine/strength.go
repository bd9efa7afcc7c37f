package engine

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/spec"
	"kroo/internal/wording"
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

// Margin returns the most points that a move may lose. It converts by oware, the only game with books.
func (c BookPolicy) Margin() int {
	return int(math.Round(c.Loss * oware.Descriptor().PointsPerUnit()))
}

// Variety is how a move is drawn among those within the margin.
type Variety string

// The kinds of variety.
const (
	Even     Variety = "even"     // all equally likely
	Weighted Variety = "weighted" // the chance falls linearly, to 0 just beyond the margin
	// Guarded is the rule of the best-known program that reads these books: all equally likely, but if the best move loses points, a
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
		if loss > margin || c.Variety == Guarded && best < 0 && loss > 0 && m.Points <= -margin {
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

// pickMove draws a move of the book for a position by a policy, as documented at [BookPicker.Pick];
// a book cannot give the value of a repetition in this game. history is the earlier positions of the
// game, tables may be nil, and random is used only if there is a margin and more than one candidate.
func pickMove[P search.Position[P]](
	b Book[P], tables search.Prober[P], c BookPolicy, p P, history []P, random *rand.Rand,
) (BookPick, bool, error) {
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
		if tables == nil || !isRefuted(tables, p, next) {
			sound, chances = append(sound, m), append(chances, weights[i])
			pick.From = append(pick.From, m.Move)
		}
	}
	if len(sound) == 0 {
		return BookPick{}, false, nil
	}
	pick.BookMove = sound[0]
	if c.Margin() > 0 && len(sound) > 1 {
		pick.BookMove = sound[pickByWeight(chances, random)]
	}
	pick.Ponder, pick.Reply = reply(b, p.Play(pick.Move), append(slices.Clip(history), p))
	return pick, true, nil
}

// pickByWeight draws an index by the weights.
func pickByWeight(weights []int, random *rand.Rand) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	at := random.IntN(sum)
	for i, w := range weights {
		at -= w
		if at < 0 {
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

// isRefuted reports whether the tables prove that the move from p to next loses, at once or by a
// capture in reply. They are probed only where no earlier position can recur, since only there their
// bounds are independent of the game so far.
func isRefuted[P search.Position[P]](tables search.Prober[P], p, next P) bool {
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

// Level is a playing strength. The zero value plays the best moves within the limits and the book
// policy of the engine.
type Level struct {
	Name  string
	Like  string // description
	Nodes int64  // per move
	// Noise is how much worse than the best a move may be, in hundredths of the game's unit: any
	// move within it is equally likely.
	Noise  int
	Book   bool       // plays from the book
	Policy BookPolicy // of moves from the book
	For    string     // intended players
	// Against is its result against the level below; for the weakest, against the level above. It is
	// for oware under abapa rules, with the weights, tables and book of the tournament.
	Against string
}

// Book margins of the levels, in points: 1.7 seeds and 1 seed, those of the two strongest levels of the best-known
// program that reads these books (docs/book.md).
const (
	hardBookMargin   = 69
	expertBookMargin = 42
)

// Levels returns all levels, the weakest first. Weak ones play without a book, so that beginners
// meet other openings.
//
// Against follows from the ratings of a round-robin tournament in November 2026: −963, −363, +19,
// +481 and +826 Elo, which predict scores of 97, 90, 93 and 88 % between neighbours. It had 80 games
// per pair from four random plies; 95 % error bars are 75 to 140, and 200 for the weakest. In it all
// levels, the weak ones included, played with the champion of round 6 and the default book of round 5:
//
//	train match tournament 'name=easy,book=default,nodes=200,vary=100:1000,book_loss=3.65,book_variety=guarded' … --pairs 40 --opening-plies 4 --hash 4
//
// A player with vary also draws its nodes, from half of them to one and a half times.
func Levels() []Level {
	guarded := func(points int) BookPolicy { return PolicyOfPoints(points, Guarded) }
	return []Level{
		{
			Name:    "beginner",
			Like:    "often gives seeds away",
			For:     "I am learning the rules",
			Against: "Loses nearly every game against easy.",
			Nodes:   50,
			Noise:   200,
		},
		{
			Name:    "easy",
			Like:    "sees a capture coming",
			For:     "I know the rules",
			Against: "Wins nearly every game against beginner.",
			Nodes:   200,
			Noise:   100,
		},
		{
			Name:    "medium",
			Like:    "looks a few moves ahead",
			For:     "I play now and then",
			Against: "Wins about 9 of 10 games against easy.",
			Nodes:   1_000,
			Noise:   50,
		},
		{
			Name:    "hard",
			Like:    "looks far ahead, rarely errs",
			For:     "I play often",
			Against: "Wins about 9 of 10 games against medium.",
			Nodes:   10_000,
			Noise:   20,
			Book:    true,
			Policy:  guarded(hardBookMargin),
		},
		{
			Name:    "expert",
			Like:    "plays the best move it finds",
			For:     "I play in tournaments",
			Against: "Wins about 9 of 10 games against hard.",
			Nodes:   100_000,
			Book:    true,
			Policy:  guarded(expertBookMargin),
		},
	}
}

// FullStrength plays the best moves, of the book and of searches, within the limits of the engine.
var FullStrength = Level{Name: "full strength", Book: true}

// LevelNames returns the names of the levels, the weakest first.
func LevelNames() (names []string) {
	for _, l := range Levels() {
		names = append(names, l.Name)
	}
	return names
}

// ParseLevel finds a level by its name, ignoring case.
func ParseLevel(name string) (Level, error) {
	for _, l := range Levels() {
		if strings.EqualFold(l.Name, name) {
			return l, nil
		}
	}
	return Level{}, fmt.Errorf("level %.40q: %s", name, wording.Expect(name, LevelNames()))
}

// Vary makes a player play differently in every game, so that a match can have more than one game
// from one position: for each move it draws the nodes and the time of the search from 0.5 to 1.5
// times its limits, and early in the game it draws one of the moves nearly as good as the best. The
// draws follow from the player's Random.
type Vary struct {
	Within int // centi-seeds that an early move may lose against the best, 0 or more
	Plies  int // number of early plies, opening included, 0 or more
}

// UnmarshalText reads "on", "WITHIN" or "WITHIN:PLIES", such as "40:12".
func (v *Vary) UnmarshalText(text []byte) error {
	*v = Vary{Within: 40, Plies: 12}
	if string(text) == "on" {
		return nil
	}
	within, plies, both := strings.Cut(string(text), ":")
	var err, errPlies error
	v.Within, err = strconv.Atoi(within)
	if both {
		v.Plies, errPlies = strconv.Atoi(plies)
	}
	if errors.Join(err, errPlies, v.Check()) != nil {
		return fmt.Errorf("expected on, WITHIN or WITHIN:PLIES, centi-seeds from 0 to %d and plies from 0, such as "+
			"40:12", search.MaxHeuristic)
	}
	return nil
}

// MarshalText writes the format of UnmarshalText.
func (v Vary) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Check returns an error for settings out of range.
func (v Vary) Check() error {
	if v.Within < 0 || v.Within > search.MaxHeuristic || v.Plies < 0 {
		return fmt.Errorf("moves within %d centi-seeds of the best for %d plies: expected 0 to %d, and 0 or more",
			v.Within, v.Plies, search.MaxHeuristic)
	}
	return nil
}

// String returns the text form.
func (v Vary) String() string { return fmt.Sprintf("%d:%d", v.Within, v.Plies) }

// limits draws the limits of one move around those of the player.
func (v *Vary) limits(l search.Limits, random *rand.Rand) search.Limits {
	factor := 0.5 + random.Float64()
	if l.Nodes > 0 {
		l.Nodes = max(1, int64(float64(l.Nodes)*factor))
	}
	switch {
	case l.Soft > 0: // under a clock, whose hard limit stays
		l.Soft = min(time.Duration(float64(l.Soft)*factor), l.Time)
	case l.Time > 0:
		l.Time = max(1, time.Duration(float64(l.Time)*factor))
	}
	return l
}
