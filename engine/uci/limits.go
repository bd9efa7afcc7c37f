package uci

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kroo/engine/search"
	"kroo/games"
)

// defaultTime is how long a go without limits searches.
const defaultTime = time.Second

// order is a go command.
type order struct {
	limits   search.Limits
	clock    gameClock
	only     []games.Move // of searchmoves
	infinite bool
	ponder   bool
}

// parseGo reads the words after go, for a position. Numbers are from 1; a word
// given twice counts as given last.
//
// overhead is kept back of a clock.
func parseGo[P games.Position[P]](g *games.Game[P], p P, text string, overhead time.Duration) (order, error) {
	var o order
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		var err error
		switch w := words[i]; {
		case w == "infinite":
			o.infinite = true
		case w == "ponder":
			o.ponder = true
		case w == "searchmoves":
			n := 0
			if o.only, n, err = parseOnly(g, p, words[i+1:]); err != nil {
				return order{}, err
			}
			i += n
		case isNumbered(g.Info, w):
			var value string
			if i++; i < len(words) {
				value = words[i]
			}
			if err = o.limit(g.Info, w, value); err != nil {
				return order{}, err
			}
		default:
			return order{}, fmt.Errorf("unknown word %s: expected depth, nodes, movetime, mate, wtime, btime, winc, binc, movestogo, infinite, ponder or searchmoves", quote(w))
		}
	}
	if side := g.SideToMove(p); o.clock.runs[side] && !o.infinite {
		o.limits = o.limits.UnderClock(o.clock.left[side], o.clock.inc[side], o.clock.moves, overhead)
	}
	if o.limits == (search.Limits{}) && !o.infinite {
		o.limits.Time = defaultTime
	}
	return o, nil
}

// mostMS is the greatest number of milliseconds that makes sense: eleven days.
const mostMS = 1_000_000_000

// greatest are the greatest numbers that make sense after a go word. Those of
// the clocks are mostMS.
var greatest = map[string]int64{
	"depth":     1e9, // the search knows its own end
	"nodes":     1e18,
	"movetime":  mostMS,
	"mate":      search.MaxPly / 2,
	"movestogo": 1e9,
}

// isNumbered tells whether a number follows the go word.
func isNumbered(info games.Info, w string) bool {
	_, _, isClock := clockWord(info, w)
	return isClock || greatest[w] > 0
}

// clockWord splits wtime, btime, winc and binc into the side and what is said of
// its clock. The side that moves first is white. The initials of the game's own
// names of the sides stand for them as well, but never w and b.
func clockWord(info games.Info, w string) (side int, what string, ok bool) {
	if len(w) < 2 || w[1:] != "time" && w[1:] != "inc" {
		return 0, "", false
	}
	side = strings.Index("wb", w[:1])
	for i, name := range info.Sides {
		if side < 0 && strings.HasPrefix(strings.ToLower(name), w[:1]) {
			side = i
		}
	}
	return side, w[1:], side >= 0
}

// gameClock is what go says of the clocks, by side.
type gameClock struct {
	runs      [2]bool
	left, inc [2]time.Duration
	moves     int // until more time is added, 0 for the rest of the game
}

// limit takes in a go word with its number.
func (o *order) limit(info games.Info, word, value string) error {
	side, what, isClock := clockWord(info, word)
	least, most := int64(1), greatest[word]
	if isClock {
		least, most = -mostMS, mostMS // a flag that has fallen unseen
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < least || n > most {
		return fmt.Errorf("%s is %s: expected %d to %d", word, quote(value), least, most)
	}
	switch ms := max(0, time.Duration(n)) * time.Millisecond; {
	case what == "time":
		o.clock.runs[side], o.clock.left[side] = true, ms
	case what == "inc":
		o.clock.inc[side] = ms
	case word == "movestogo":
		o.clock.moves = int(n)
	case word == "mate":
		o.limits.Mate = int(n)
	case word == "depth":
		o.limits.Depth = int(n)
	case word == "nodes":
		o.limits.Nodes = n
	case word == "movetime":
		o.limits.Time = ms
	}
	return nil
}

// parseOnly reads names of moves up to the next word of another kind, and
// returns how many words that were.
func parseOnly[P games.Position[P]](g *games.Game[P], p P, words []string) (only []games.Move, n int, err error) {
	legal := p.AppendMoves(nil)
	for ; n < len(words) && !isGoWord(g.Info, words[n]); n++ {
		for text := words[n]; text != ""; {
			m, length, err := g.NextMove(p, text)
			if err != nil {
				return nil, 0, fmt.Errorf("searchmoves: %w", err)
			}
			if !slices.Contains(legal, m) {
				return nil, 0, fmt.Errorf("searchmoves: illegal move %s", text[:length])
			}
			if !slices.Contains(only, m) {
				only = append(only, m)
			}
			text = text[length:]
		}
	}
	if n == 0 {
		return nil, 0, fmt.Errorf("searchmoves: expected letters of moves")
	}
	return only, n, nil
}

// isGoWord tells whether a word is of the go command, not the name of a move.
func isGoWord(info games.Info, w string) bool {
	return w == "infinite" || w == "ponder" || w == "searchmoves" || isNumbered(info, w)
}
