package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"kroo/engine/search"
)

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

// Levels returns all levels, the weakest first. Weak ones play without a book, so that beginners
// meet other openings. The book margins are those of the best-known program that reads these books.
//
// Against follows from the ratings of a round-robin tournament in November 2026: −963, −363, +19,
// +481 and +826 Elo, which predict scores of 97, 90, 93 and 88 % between neighbours. It had 80 games
// per pair from four random plies; 95 % error bars are 75 to 140, and 200 for the weakest. All
// levels played with the champion of round 6 and the default book of round 5:
//
//	train match tournament 'name=easy,book=default,nodes=200,vary=100:1000,book_loss=3.65,book_variety=guarded' … --pairs 40 --opening-plies 4 --hash 4
//
// A player with vary also draws its nodes, from half of them to one and a half times.
func Levels() []Level {
	guarded := func(points int) BookPolicy { return PolicyOfPoints(points, Guarded) } // those of the best-known program that reads these books
	return []Level{
		{Name: "beginner", Like: "often gives seeds away", For: "I am learning the rules", Against: "Loses nearly every game against easy.", Nodes: 50, Noise: 200},
		{Name: "easy", Like: "sees a capture coming", For: "I know the rules", Against: "Wins nearly every game against beginner.", Nodes: 200, Noise: 100},
		{Name: "medium", Like: "looks a few moves ahead", For: "I play now and then", Against: "Wins about 9 of 10 games against easy.", Nodes: 1_000, Noise: 50},
		{Name: "hard", Like: "looks far ahead, rarely errs", For: "I play often", Against: "Wins about 9 of 10 games against medium.", Nodes: 10_000, Noise: 20, Book: true, Policy: guarded(69)},
		{Name: "expert", Like: "plays the best move it finds", For: "I play in tournaments", Against: "Wins about 9 of 10 games against hard.", Nodes: 100_000, Book: true, Policy: guarded(42)},
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
	return Level{}, fmt.Errorf("level %.40q: expected %s", name, strings.Join(LevelNames(), ", "))
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
		return fmt.Errorf("expected on, WITHIN or WITHIN:PLIES, centi-seeds from 0 to %d and plies from 0, such as 40:12", search.MaxHeuristic)
	}
	return nil
}

// MarshalText writes the format of UnmarshalText.
func (v Vary) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Check returns an error for settings out of range.
func (v Vary) Check() error {
	if v.Within < 0 || v.Within > search.MaxHeuristic || v.Plies < 0 {
		return fmt.Errorf("moves within %d centi-seeds of the best for %d plies: expected 0 to %d, and 0 or more", v.Within, v.Plies, search.MaxHeuristic)
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
