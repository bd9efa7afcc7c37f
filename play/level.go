package play

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"kroo/engine"
	"kroo/engine/search"
)

// Level is how strong the engine plays. The zero value plays within the limits and by the
// book policy of the engine, and its best moves.
type Level struct {
	Name  string
	Nodes int64 // of a search for a move
	// Noise is how much worse than the best a move may be, in hundredths of the game's
	// unit: any move within it is as likely.
	Noise  int
	Policy engine.BookPolicy // which moves of the book are played
	// Elo is the strength at oware under abapa rules, with the default weights, tables and
	// book of the tournament's day, relative to the mean of all levels.
	Elo int
}

// Levels are the levels there are, the weakest first. The book margins are those of the
// best-known program that reads these books.
//
// Elo is from a tournament of all against all in November 2026, 80 games a pair from four
// random plies, with 95 % error bars of 75 to 140, and of 200 for the weakest, by the
// champion of round 6 and the default book of round 5:
//
//	train match tournament 'name=easy,book=default,nodes=200,vary=100:1000,bookmargin=152,bookvariety=guarded' … --pairs 40 --opening-plies 4 --hash 4
//
// A player with vary also draws its nodes, from half of them to one and a half times.
func Levels() []Level {
	guarded := func(margin int) engine.BookPolicy { return engine.BookPolicy{Margin: margin, Variety: engine.Guarded} }
	return []Level{
		{Name: "beginner", Nodes: 50, Noise: 200, Policy: guarded(152), Elo: -963},
		{Name: "easy", Nodes: 200, Noise: 100, Policy: guarded(152), Elo: -363},
		{Name: "medium", Nodes: 1_000, Noise: 50, Policy: guarded(96), Elo: 19},
		{Name: "hard", Nodes: 10_000, Noise: 20, Policy: guarded(69), Elo: 481},
		{Name: "expert", Nodes: 100_000, Policy: guarded(42), Elo: 826},
	}
}

// LevelNames are the names of the levels, the weakest first.
func LevelNames() (names []string) {
	for _, l := range Levels() {
		names = append(names, l.Name)
	}
	return names
}

// ParseLevel finds a level by its name, in any case.
func ParseLevel(name string) (Level, error) {
	for _, l := range Levels() {
		if strings.EqualFold(l.Name, name) {
			return l, nil
		}
	}
	return Level{}, fmt.Errorf("level %.40q: expected %s", name, strings.Join(LevelNames(), ", "))
}

// Limits are those of a search at this level: l's with the level's nodes in the place of
// all others.
func (l Level) Limits(usual search.Limits) search.Limits {
	if l.Nodes == 0 {
		return usual
	}
	return search.Limits{Nodes: l.Nodes}
}

// Choose draws the move to play from a search for all moves: one within the noise of the
// best. A win that is proven is played.
func (l Level) Choose(r search.Result, random *rand.Rand) search.Line {
	best := search.Line{Move: r.Best, Score: r.Score, PV: r.PV}
	if l.Noise == 0 || r.Proven {
		return best
	}
	var near []search.Line
	for _, line := range r.Lines {
		if line.Exact && line.Score >= r.Score-l.Noise {
			near = append(near, line)
		}
	}
	if len(near) == 0 { // stopped before the first iteration was complete
		return best
	}
	return near[random.IntN(len(near))]
}
