package engine

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"kroo/engine/search"
	"kroo/games"
)

// Answer is the answer of a search, a book or another program for a position. Labels, books, games
// and farms store it in the form of [Answer.Append].
type Answer struct {
	Move    games.Move    // best move
	HasMove bool          // false if the game is over or endgame tables answered
	Book    bool          // Move is from a book, without a search
	Points  int           // value of a book's move, for the side to move; not stored
	Score   int           // for the side to move, as of [search.Result]
	Steady  int           // a better estimate than Score, as of [search.Result]
	Proven  bool          // the sign of Score is proven
	Depth   int           // plies searched
	Nodes   int64         // positions visited
	Time    time.Duration // wall-clock time; stored in microseconds
}

// AnswerOf converts the result of a search.
func AnswerOf(r search.Result) Answer {
	a := Answer{HasMove: !r.Terminal, Score: r.Score, Steady: r.Steady, Proven: r.Proven, Depth: r.Depth, Nodes: r.Nodes, Time: r.Time}
	if a.HasMove {
		a.Move = r.Best
	}
	return a
}

// Decided returns the answer of endgame tables without a search, if they decide the position.
func Decided[P any](tables search.Prober[P], p P) (a Answer, known bool) {
	low, high, ok := tables.Final(p)
	if !ok {
		return a, false
	}
	a.Score, known = search.Decided(low, high)
	a.Steady, a.Proven = a.Score, true
	return a, known
}

// Check returns an error for an answer that no search gives.
func (a Answer) Check() error {
	if max(a.Score, -a.Score, a.Steady, -a.Steady) > search.Win {
		return fmt.Errorf("score %d, steady %d: expected -%d to %d", a.Score, a.Steady, search.Win, search.Win)
	}
	if a.Nodes < 0 || a.Nodes > search.MaxNodes || a.Depth < 0 || a.Depth > search.MaxPly || a.Time < 0 {
		return fmt.Errorf("a search of %d positions to depth %d in %s: expected none negative, and at most %d and %d", a.Nodes, a.Depth, a.Time, int64(search.MaxNodes), search.MaxPly)
	}
	return nil
}

// Append appends the answer: a byte of flags and varints, the last of which is 0 (earlier versions
// stored other moves there).
func (a Answer) Append(b []byte) []byte {
	flags := byte(0)
	for i, set := range [...]bool{a.HasMove, a.Book, a.Proven} {
		if set {
			flags |= 1 << i
		}
	}
	b = append(b, flags)
	for _, v := range [...]int64{int64(a.Move), int64(a.Score), int64(a.Steady - a.Score), int64(a.Depth), a.Nodes, a.Time.Microseconds(), 0} {
		b = binary.AppendVarint(b, v)
	}
	return b
}

var errAnswer = errors.New("not the answer of a search")

// ParseAnswer parses the answer at the start of b, which may be hostile, and returns the rest.
func ParseAnswer(b []byte) (a Answer, rest []byte, err error) {
	if len(b) == 0 || b[0] >= 1<<3 {
		return a, nil, errAnswer
	}
	flags, rest := b[0], b[1:]
	number := func(least, most int64) int64 {
		v, n := binary.Varint(rest)
		if n <= 0 || v < least || v > most {
			rest, err = nil, errAnswer
			return 0
		}
		rest = rest[n:]
		return v
	}
	score := func() int { return int(number(-2*search.Win, 2*search.Win)) }
	a = Answer{HasMove: flags&1 != 0, Book: flags&2 != 0, Proven: flags&4 != 0, Move: games.Move(number(0, 1<<16-1)), Score: score()}
	a.Steady = a.Score + score()
	a.Depth, a.Nodes = int(number(0, search.MaxPly)), number(0, search.MaxNodes)
	a.Time = time.Duration(number(0, int64(longest/time.Microsecond))) * time.Microsecond
	number(0, 0)
	if err = cmp.Or(err, a.Check()); err != nil {
		return Answer{}, nil, err
	}
	return a, rest, nil
}

// longest is a bound far above the time of any search.
const longest = 365 * 24 * time.Hour
