package book

import (
	"fmt"

	"kroo/games/oware"
)

// Origin is the kind of source of a value in a book.
type Origin string

// The origins.
const (
	bySearch     Origin = "search"       // of a position that has no entry
	byProof      Origin = "proof"        // a win or loss by force
	byEnd        Origin = "end"          // the rules: the game is over
	byRepetition Origin = "repetition"   // the rules: a position is repeated
	byTables     Origin = "tables"       // endgame tables
	noOrigin     Origin = ""             // the move is not legal
	damagedEntry Origin = "no best move" // of a damaged book
)

// Source is where the value of a move comes from: the end of the line of best moves after it, the
// leftmost of equals.
type Source struct {
	Plies  int    `json:"plies"` // from the position to the source
	Origin Origin `json:"origin"`
}

// String describes the source in words.
func (s Source) String() string {
	plies := fmt.Sprintf("after %d plies", s.Plies)
	if s.Plies == 1 {
		plies = "after 1 ply"
	}
	if s.Origin == noOrigin {
		return ""
	}
	return plies + ", " + string(s.Origin)
}

// Sources returns where the values of a position's moves come from; found is false if the book does
// not contain the position.
func (b *Book) Sources(p oware.Position) (sources [oware.Houses]Source, found bool) {
	i, found := find(b.entries, p.BookKey())
	if !found {
		return sources, false
	}
	for m, score := range b.entries[i].Scores {
		if score != Illegal && p.IsLegal(oware.Move(m)) {
			sources[m] = b.source(p, i, oware.Move(m))
		}
	}
	return sources, true
}

// source follows the best moves after move m of entry i, whose position is p.
func (b *Book) source(p oware.Position, i int, m oware.Move) (s Source) {
	passed := map[int]bool{}
	for {
		value := int(b.entries[i].Scores[m])
		s.Plies++
		if value == maxScore || value == -maxScore {
			s.Origin = byProof
			return s
		}
		passed[i] = true
		captures, next := p.Gain(m) > 0, p.Play(m)
		to := int(b.follow(next))
		switch {
		case to == gameEnd:
			s.Origin = byEnd
			return s
		case to == outside:
			s.Origin = bySearch
			return s
		}
		best, behind := b.entries[to].Best()
		switch {
		case behind == Illegal, !next.IsLegal(best):
			s.Origin = damagedEntry
			return s
		case passed[to], value != -behind && !captures:
			s.Origin = byRepetition
			return s
		case value != -behind:
			s.Origin = byTables
			return s
		}
		p, i, m = next, to, best
	}
}
