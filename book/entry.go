package book

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"kroo/games/oware"
)

// Illegal is the value of an illegal move, in files too.
const Illegal = -32768

// maxScore is the value of a forced win, in points: 24 seeds are 1000 points.
const maxScore = 1000

// entrySize is the length of an entry in a file, in bytes.
const entrySize = 8 + 2*oware.Houses

// Entry is a position with the values of its moves.
type Entry struct {
	Key    int64               // oware.Position.BookKey
	Scores [oware.Houses]int16 // points for the side to move, or Illegal; by house, from its left
}

// Best returns the move with the highest value, the leftmost of equals, or 0 and Illegal for an
// entry without a legal move.
func (e Entry) Best() (m oware.Move, score int) {
	score = Illegal
	for i, s := range e.Scores {
		if int(s) > score {
			m, score = oware.Move(i), int(s)
		}
	}
	return m, score
}

// isBest reports whether no move has a higher value.
func (e Entry) isBest(m oware.Move) bool { return e.bestMoves()>>m&1 != 0 }

// bestMoves returns the set of moves with the highest value, bit i for house i.
func (e Entry) bestMoves() (set uint8) {
	_, best := e.Best()
	for i, s := range e.Scores {
		if s != Illegal && int(s) == best {
			set |= 1 << i
		}
	}
	return set
}

// legal returns the set of moves that have a value, bit i for house i.
func (e Entry) legal() (set uint8) {
	for i, s := range e.Scores {
		if s != Illegal {
			set |= 1 << i
		}
	}
	return set
}

func (e Entry) appendTo(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(e.Key))
	for _, s := range e.Scores {
		dst = binary.BigEndian.AppendUint16(dst, uint16(s))
	}
	return dst
}

// decodeEntry decodes the first entrySize bytes of b.
func decodeEntry(b []byte) (e Entry) {
	e.Key = int64(binary.BigEndian.Uint64(b))
	for i := range e.Scores {
		e.Scores[i] = int16(binary.BigEndian.Uint16(b[8+2*i:]))
	}
	return e
}

// Points converts seeds to the points of a book.
func Points(seeds float64) int { return int(math.Round(seeds * oware.Descriptor().PointsPerUnit())) }

// ScoresText formats the values of the six moves in seeds and marks the best.
func ScoresText(values [oware.Houses]int16, side oware.Side) string {
	e := Entry{Scores: values}
	var words []string
	for i, v := range values {
		word := oware.MoveName(oware.Move(i), side) + " –"
		if v != Illegal {
			word = fmt.Sprintf("%s %+.2f", oware.MoveName(oware.Move(i), side), oware.InSeeds(v))
			if e.isBest(oware.Move(i)) {
				word += "*"
			}
		}
		words = append(words, word)
	}
	return strings.Join(words, "  ") + "  (seeds)"
}

// named is an entry with the names of its position and moves.
type named struct {
	Board  string         `json:"board"`
	ToMove string         `json:"to_move"`
	Best   []string       `json:"best"`   // all moves with the highest value, from the left
	Scores map[string]int `json:"scores"` // by house, in points for the side to move; legal moves only
	// Sources is where the scores come from; filled on request.
	Sources map[string]Source `json:"sources,omitempty"`
}

// withMoveNames returns an entry with the names of its moves. p is the position of the entry.
func (e Entry) withMoveNames(p oware.Position) named {
	n := named{Board: p.String(), ToMove: p.ToMove().String(), Best: []string{}, Scores: map[string]int{}}
	for i, v := range e.Scores {
		if v == Illegal {
			continue
		}
		name := oware.MoveName(oware.Move(i), p.ToMove())
		n.Scores[name] = int(v)
		if e.isBest(oware.Move(i)) {
			n.Best = append(n.Best, name)
		}
	}
	return n
}
