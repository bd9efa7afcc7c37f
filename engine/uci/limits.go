package uci

import (
	"errors"
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

// parseGo reads the words after go, for a position. Every go has to be answered by a move,
// so a word that cannot be used is skipped, a number out of range becomes the nearest that
// is in it, and doubts describe both. A word given twice counts as given last.
//
// overhead is kept back of a clock.
func parseGo[P games.Position[P]](g *games.Game[P], p P, text string, overhead time.Duration) (o order, doubts []string) {
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "infinite":
			o.infinite = true
		case w == "ponder":
			o.ponder = true
		case w == "searchmoves":
			only, n, unknown := parseOnly(g, p, words[i+1:])
			o.only, doubts = only, append(doubts, unknown...)
			i += n
		case isNumbered(g.Info, w):
			value := ""
			if i+1 < len(words) && !isGoWord(g.Info, words[i+1]) {
				i++
				value = words[i]
			}
			if doubt := o.limit(g.Info, w, value); doubt != "" {
				doubts = append(doubts, doubt)
			}
		default:
			doubts = append(doubts, fmt.Sprintf("unknown word %s skipped: expected depth, nodes, movetime, mate, wtime, btime, winc, binc, movestogo, infinite, ponder or searchmoves", quote(w)))
		}
	}
	if side := g.SideToMove(p); o.clock.runs[side] && !o.infinite {
		o.limits = o.limits.UnderClock(o.clock.left[side], o.clock.inc[side], o.clock.moves, overhead)
	}
	if o.limits == (search.Limits{}) && !o.infinite {
		o.limits.Time = defaultTime
	}
	return o, doubts
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

// isNumbered reports whether a number follows the go word.
func isNumbered(info games.Info, w string) bool {
	_, _, isClock := clockWord(info, w)
	return isClock || greatest[w] > 0
}

// clockWord splits wtime, btime, winc and binc into the side and what is said of
// its clock. The side that moves first is white. The initials of the game's own
// names of the sides represent them as well, but never w and b.
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

// limit takes in a go word with its number. It reports if that is not as expected.
func (o *order) limit(info games.Info, word, value string) (doubt string) {
	side, what, isClock := clockWord(info, word)
	least, most := int64(1), greatest[word]
	switch {
	case isClock:
		least, most = -mostMS, mostMS // a flag that has fallen unseen
	case word == "movestogo":
		least = 0 // the rest of the game
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		return fmt.Sprintf("%s is %s: skipped, expected %d to %d", word, quote(value), least, most)
	}
	if near := min(max(n, least), most); near != n {
		n, doubt = near, fmt.Sprintf("%s is %s: taken as %d, expected %d to %d", word, quote(value), near, least, most)
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
	return doubt
}

// parseOnly reads names of moves up to the next word of another kind, and
// returns how many words that were. Those that name no legal move it skips and describes:
// without any other the search is of all moves.
func parseOnly[P games.Position[P]](g *games.Game[P], p P, words []string) (only []games.Move, n int, doubts []string) {
	legal := p.AppendMoves(nil)
	for ; n < len(words) && !isGoWord(g.Info, words[n]); n++ {
		for text := words[n]; text != ""; {
			m, length, err := g.NextMove(p, text)
			if err != nil {
				doubts = append(doubts, fmt.Sprintf("searchmoves: skipped: %v", err))
				break
			}
			if !slices.Contains(legal, m) {
				doubts = append(doubts, "searchmoves: illegal move "+text[:length]+" skipped")
			} else if !slices.Contains(only, m) {
				only = append(only, m)
			}
			text = text[length:]
		}
	}
	if only == nil {
		doubts = append(doubts, "searchmoves: no legal move named: all moves are searched")
	}
	return only, n, doubts
}

// isGoWord reports whether a word is of the go command, not the name of a move.
func isGoWord(info games.Info, w string) bool {
	return w == "infinite" || w == "ponder" || w == "searchmoves" || isNumbered(info, w)
}
