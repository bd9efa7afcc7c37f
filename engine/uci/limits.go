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

// defaultTime is the time of a go without limits.
const defaultTime = time.Second

// order is a parsed go command.
type order struct {
	limits   search.Limits
	clock    gameClock
	only     []games.Move // of searchmoves
	infinite bool
	ponder   bool
}

// parseGo parses the words after go, for a position. Every go must be answered by a move, so
// invalid words are skipped, numbers out of range are clamped, and warnings describe both. The
// last of repeated words counts. overhead is the Move Overhead.
func parseGo[P games.Position[P]](g *games.Game[P], p P, text string, overhead time.Duration) (o order, warnings []string) {
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "infinite":
			o.infinite = true
		case w == "ponder":
			o.ponder = true
		case w == "searchmoves":
			only, n, unknown := parseOnly(g, p, words[i+1:])
			o.only, warnings = only, append(warnings, unknown...)
			i += n
		case isNumbered(g.Info, w):
			value := ""
			if i+1 < len(words) && !isGoWord(g.Info, words[i+1]) {
				i++
				value = words[i]
			}
			if warning := o.limit(g.Info, w, value); warning != "" {
				warnings = append(warnings, warning)
			}
		default:
			warnings = append(warnings, fmt.Sprintf("unknown word %s skipped: expected depth, nodes, movetime, wtime, btime, winc, binc, movestogo, infinite, ponder or searchmoves", quote(w)))
		}
	}
	if side := g.SideToMove(p); o.clock.runs[side] && !o.infinite {
		o.limits = o.limits.UnderClock(o.clock.left[side], o.clock.inc[side], o.clock.moves, overhead)
	}
	if o.limits == (search.Limits{}) && !o.infinite {
		o.limits.Time = defaultTime
	}
	return o, warnings
}

// maxMS is the maximum number of milliseconds, eleven days.
const maxMS = 1_000_000_000

// maxValues has the maximum number after each go word except those of the clocks, which is maxMS.
var maxValues = map[string]int64{
	"depth":     1e9, // the search limits it to MaxPly
	"nodes":     1e18,
	"movetime":  maxMS,
	"movestogo": 1e9,
}

// isNumbered reports whether a number follows the go word.
func isNumbered(info games.Info, w string) bool {
	_, _, isClock := clockWord(info, w)
	return isClock || maxValues[w] > 0
}

// clockWord splits wtime, btime, winc and binc into the side and "time" or "inc". White is the
// side that moves first. The initials of the game's own names of the sides are accepted too, but
// never replace w and b.
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

// gameClock is the state of the clocks in a go command, by side.
type gameClock struct {
	runs      [2]bool
	left, inc [2]time.Duration
	moves     int // moves until more time is added, 0 for the rest of the game
}

// limit sets the limit of a go word and its number. It returns a warning if the number is invalid.
func (o *order) limit(info games.Info, word, value string) (warning string) {
	side, what, isClock := clockWord(info, word)
	least, most := int64(1), maxValues[word]
	switch {
	case isClock:
		least, most = -maxMS, maxMS // negative after the flag has fallen
	case word == "movestogo":
		least = 0 // the rest of the game
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		return fmt.Sprintf("%s is %s: skipped, expected %d to %d", word, quote(value), least, most)
	}
	if near := min(max(n, least), most); near != n {
		n, warning = near, fmt.Sprintf("%s is %s: taken as %d, expected %d to %d", word, quote(value), near, least, most)
	}
	switch ms := max(0, time.Duration(n)) * time.Millisecond; {
	case what == "time":
		o.clock.runs[side], o.clock.left[side] = true, ms
	case what == "inc":
		o.clock.inc[side] = ms
	case word == "movestogo":
		o.clock.moves = int(n)
	case word == "depth":
		o.limits.Depth = int(n)
	case word == "nodes":
		o.limits.Nodes = n
	case word == "movetime":
		o.limits.Time = ms
	}
	return warning
}

// parseOnly parses move names up to the next word of go and returns the number of words. It skips
// illegal moves with a warning; if no legal move remains, all moves are searched.
func parseOnly[P games.Position[P]](g *games.Game[P], p P, words []string) (only []games.Move, n int, warnings []string) {
	legal := p.AppendMoves(nil)
	for ; n < len(words) && !isGoWord(g.Info, words[n]); n++ {
		for text := words[n]; text != ""; {
			m, length, err := g.NextMove(p, text)
			if err != nil {
				warnings = append(warnings, fmt.Sprintf("searchmoves: skipped: %v", err))
				break
			}
			if !slices.Contains(legal, m) {
				warnings = append(warnings, "searchmoves: illegal move "+text[:length]+" skipped")
			} else if !slices.Contains(only, m) {
				only = append(only, m)
			}
			text = text[length:]
		}
	}
	if only == nil {
		warnings = append(warnings, "searchmoves: no legal move named: all moves are searched")
	}
	return only, n, warnings
}

// isGoWord reports whether a word belongs to the go command and is not a move.
func isGoWord(info games.Info, w string) bool {
	return w == "infinite" || w == "ponder" || w == "searchmoves" || isNumbered(info, w)
}
