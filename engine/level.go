package engine

import (
	"fmt"
	"strings"
)

// Level is how strong the engine plays. The zero value plays within the limits and by the
// book policy of the engine, and its best moves.
type Level struct {
	Name  string
	Like  string // what to expect of it
	Nodes int64  // of a search for a move
	// Noise is how much worse than the best a move may be, in hundredths of the game's
	// unit: any move within it is as likely.
	Noise  int
	Book   bool       // it plays from the book
	Policy BookPolicy // which of its moves
	For    string     // whom it suits, in their words
	// Against is how it fares against the level below it, the weakest against that above: at oware
	// under abapa rules, with the weights, tables and book of the tournament's day.
	Against string
}

// Levels are the levels there are, the weakest first. Weak ones play without a book, so that
// beginners meet other openings. The book margins are those of the best-known program that reads
// these books.
//
// Against follows from the ratings of a tournament of all against all in November 2026: −963, −363,
// +19, +481 and +826 Elo, which expect scores of 97, 90, 93 and 88 % between neighbours. It had 80
// games per pair from four random plies, with 95 % error bars of 75 to 140, and of 200 for the
// weakest, by the champion of round 6 and the default book of round 5, from which all levels played then:
//
//	train match tournament 'name=easy,book=default,nodes=200,vary=100:1000,book_margin=152,book_variety=guarded' … --pairs 40 --opening-plies 4 --hash 4
//
// A player with vary also draws its nodes, from half of them to one and a half times.
func Levels() []Level {
	guarded := func(margin int) BookPolicy { return BookPolicy{Margin: margin, Variety: Guarded} }
	return []Level{
		{Name: "beginner", Like: "often gives seeds away", For: "I am learning the rules", Against: "Loses nearly every game against easy.", Nodes: 50, Noise: 200},
		{Name: "easy", Like: "sees a capture coming", For: "I know the rules", Against: "Wins nearly every game against beginner.", Nodes: 200, Noise: 100},
		{Name: "medium", Like: "looks a few moves ahead", For: "I play now and then", Against: "Wins about 9 of 10 games against easy.", Nodes: 1_000, Noise: 50},
		{Name: "hard", Like: "looks far ahead, rarely errs", For: "I play often", Against: "Wins about 9 of 10 games against medium.", Nodes: 10_000, Noise: 20, Book: true, Policy: guarded(69)},
		{Name: "expert", Like: "plays the best move it finds", For: "I play in tournaments", Against: "Wins about 9 of 10 games against hard.", Nodes: 100_000, Book: true, Policy: guarded(42)},
	}
}

// FullStrength plays the best moves, of the book as of a search, within the limits of the
// engine.
var FullStrength = Level{Name: "full strength", Book: true}

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
