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
	words, known := strings.Fields(text), numbers(g.Info)
	isGoWord := func(w string) bool { _, numbered := known[w]; return numbered || slices.Contains(plainWords, w) }
	for len(words) > 0 {
		w, n := words[0], 1 // words used
		for n < len(words) && !isGoWord(words[n]) {
			n++
		}
		rest := words[1:n]
		switch number, numbered := known[w]; {
		case w == "infinite":
			o.infinite, rest = true, nil
		case w == "ponder":
			o.ponder, rest = true, nil
		case w == "searchmoves":
			var unknown []string
			o.only, unknown = parseOnly(g, p, rest)
			warnings = append(warnings, unknown...)
		case numbered:
			value := ""
			if rest = rest[:min(1, len(rest))]; len(rest) > 0 {
				value = rest[0]
			}
			if warning := number.read(&o, w, value); warning != "" {
				warnings = append(warnings, warning)
			}
		default:
			rest = nil
			warnings = append(warnings, fmt.Sprintf("unknown word %s skipped: expected depth, nodes, movetime, wtime, btime, winc, binc, movestogo, infinite, ponder or searchmoves", quote(w)))
		}
		words = words[1+len(rest):]
	}
	if side := g.SideToMove(p); o.clock.runs[side] && !o.infinite {
		o.limits = o.limits.UnderClock(o.clock.left[side], o.clock.inc[side], o.clock.moves, overhead)
	}
	if o.limits == (search.Limits{}) && !o.infinite {
		o.limits.Time = defaultTime
	}
	return o, warnings
}

// plainWords are the go words without a number.
var plainWords = []string{"infinite", "ponder", "searchmoves"}

// gameClock is the state of the clocks in a go command, by side.
type gameClock struct {
	runs      [2]bool
	left, inc [2]time.Duration
	moves     int // moves until more time is added, 0 for the rest of the game
}

// number is a go word with a number.
type number struct {
	least, most int64
	set         func(o *order, n int64)
}

// maxMS is the maximum number of milliseconds, eleven days.
const maxMS = 1_000_000_000

func milliseconds(n int64) time.Duration { return time.Duration(max(0, n)) * time.Millisecond }

// numbers returns the go words with a number. White is the side that moves first. The initials of the
// game's own names of the sides are accepted too, but never replace w and b.
func numbers(info games.Info) map[string]number {
	known := map[string]number{
		"depth":     {1, 1e9, func(o *order, n int64) { o.limits.Depth = int(n) }}, // the search limits it to MaxPly
		"nodes":     {1, 1e18, func(o *order, n int64) { o.limits.Nodes = n }},
		"movetime":  {1, maxMS, func(o *order, n int64) { o.limits.Time = milliseconds(n) }},
		"movestogo": {0, 1e9, func(o *order, n int64) { o.clock.moves = int(n) }}, // 0: the rest of the game
	}
	for i, initial := range []string{info.Sides[0], info.Sides[1], "w", "b"} {
		initial, side := strings.ToLower(initial[:1]), i%2
		known[initial+"time"] = number{-maxMS, maxMS, func(o *order, n int64) { // negative after the flag has fallen
			o.clock.runs[side], o.clock.left[side] = true, milliseconds(n)
		}}
		known[initial+"inc"] = number{-maxMS, maxMS, func(o *order, n int64) { o.clock.inc[side] = milliseconds(n) }}
	}
	return known
}

// read sets the limit of a go word. It returns a warning if the number is invalid.
func (k number) read(o *order, word, value string) (warning string) {
	n, err := strconv.ParseInt(value, 10, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		return fmt.Sprintf("%s is %s: skipped, expected %d to %d", word, quote(value), k.least, k.most)
	}
	if near := min(max(n, k.least), k.most); near != n {
		n, warning = near, fmt.Sprintf("%s is %s: taken as %d, expected %d to %d", word, quote(value), near, k.least, k.most)
	}
	k.set(o, n)
	return warning
}

// parseOnly parses move names. It skips illegal moves with a warning; if no legal move remains, all
// moves are searched.
func parseOnly[P games.Position[P]](g *games.Game[P], p P, words []string) (only []games.Move, warnings []string) {
	legal := p.AppendMoves(nil)
	for _, text := range words {
		for text != "" {
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
	return only, warnings
}
