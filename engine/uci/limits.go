package uci

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kroo/engine/search"
	"kroo/games/oware"
)

// defaultTime is how long a go without limits searches.
const defaultTime = time.Second

// order is a go command.
type order struct {
	limits   search.Limits
	clock    gameClock
	only     []oware.Move // of searchmoves
	infinite bool
	ponder   bool
}

// parseGo reads the words after go, for a position. Numbers are from 1; a word
// given twice counts as given last.
//
// overhead is kept back of a clock.
func parseGo(text string, p oware.Position, overhead time.Duration) (order, error) {
	var o order
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		var err error
		switch w := words[i]; w {
		case "infinite":
			o.infinite = true
		case "ponder":
			o.ponder = true
		case "searchmoves":
			n := 0
			if o.only, n, err = parseOnly(words[i+1:], p); err != nil {
				return order{}, err
			}
			i += n
		default:
			if _, numbered := greatest[w]; !numbered {
				return order{}, fmt.Errorf("unknown word %s: expected depth, nodes, movetime, mate, wtime, btime, winc, binc, movestogo, infinite, ponder or searchmoves", quote(w))
			}
			var value string
			if i++; i < len(words) {
				value = words[i]
			}
			if err = o.limit(w, value); err != nil {
				return order{}, err
			}
		}
	}
	if o.clock.runs[p.ToMove()] && !o.infinite {
		o.limits = o.clock.limit(o.limits, p.ToMove(), overhead)
	}
	if o.limits == (search.Limits{}) && !o.infinite {
		o.limits.Time = defaultTime
	}
	return o, nil
}

// Greatest numbers that make sense after a go word.
var greatest = map[string]int64{
	"depth":    1e9, // the search knows its own end
	"nodes":    1e18,
	"movetime": 1e9, // milliseconds: eleven days
	"mate":     search.MaxPly / 2,

	"wtime": 1e9, "btime": 1e9, "winc": 1e9, "binc": 1e9,
	"stime": 1e9, "ntime": 1e9, "sinc": 1e9, "ninc": 1e9, // the same, by the names of oware
	"movestogo": 1e9,
}

// gameClock is what go says of the clocks, by side. South, who moves first, is
// white.
type gameClock struct {
	runs      [2]bool
	left, inc [2]time.Duration
	moves     int // until more time is added, 0 for the rest of the game
}

// limit adds what the clock allows to the limits of a search.
func (k gameClock) limit(lim search.Limits, side oware.Side, overhead time.Duration) search.Limits {
	soft, hard := search.TimeBudget(k.left[side], k.inc[side], k.moves, overhead)
	lim.Soft = soft
	if lim.Time == 0 || hard < lim.Time {
		lim.Time = hard
	}
	return lim
}

func (o *order) limit(word, value string) error {
	n, err := strconv.ParseInt(value, 10, 64)
	least := int64(1)
	if side, time := strings.CutSuffix(word, "time"); time && len(side) == 1 || strings.HasSuffix(word, "inc") {
		least = -1e9 // a flag that has fallen unseen
	}
	if most := greatest[word]; err != nil || n < least || n > most {
		return fmt.Errorf("%s is %s: expected %d to %d", word, quote(value), least, most)
	}
	ms := max(0, time.Duration(n)) * time.Millisecond
	switch word {
	case "wtime", "btime", "stime", "ntime":
		side := sideOf(word)
		o.clock.runs[side], o.clock.left[side] = true, ms
	case "winc", "binc", "sinc", "ninc":
		o.clock.inc[sideOf(word)] = ms
	case "movestogo":
		o.clock.moves = int(n)
	case "mate":
		o.limits.Mate = int(n)
	case "depth":
		o.limits.Depth = int(n)
	case "nodes":
		o.limits.Nodes = n
	case "movetime":
		o.limits.Time = ms
	}
	return nil
}

// sideOf is whose clock a word is about.
func sideOf(word string) oware.Side {
	if word[0] == 'w' || word[0] == 's' {
		return oware.South
	}
	return oware.North
}

// parseOnly reads move letters up to the next word of another kind, and
// returns how many words that were.
func parseOnly(words []string, p oware.Position) (only []oware.Move, n int, err error) {
	for ; n < len(words) && !isGoWord(words[n]); n++ {
		for _, letter := range []byte(words[n]) {
			m, err := parseMove(p, letter)
			if err != nil {
				return nil, 0, fmt.Errorf("searchmoves: %w", err)
			}
			if !p.IsLegal(m) {
				return nil, 0, fmt.Errorf("searchmoves: illegal move %c", letter)
			}
			if !slices.Contains(only, m) {
				only = append(only, m)
			}
		}
	}
	if n == 0 {
		return nil, 0, fmt.Errorf("searchmoves: expected letters of moves")
	}
	return only, n, nil
}

func isGoWord(w string) bool {
	switch w {
	case "infinite", "ponder", "searchmoves":
		return true
	}
	_, ok := greatest[w]
	return ok
}
