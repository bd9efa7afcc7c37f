package uci

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kroo/engine"
	"kroo/games/oware"
)

// defaultTime is how long a go without limits searches.
const defaultTime = time.Second

// order is a go command.
type order struct {
	limits   engine.Limits
	only     []oware.Move // of searchmoves
	infinite bool
	ponder   bool
}

// parseGo reads the words after go, for a position. Numbers are from 1; a word
// given twice counts as given last.
func parseGo(text string, p oware.Position) (order, error) {
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
		case "depth", "nodes", "movetime":
			var value string
			if i++; i < len(words) {
				value = words[i]
			}
			if err = o.limit(w, value); err != nil {
				return order{}, err
			}
		default:
			return order{}, fmt.Errorf("unknown word %s: expected depth, nodes, movetime, infinite, ponder or searchmoves", quote(w))
		}
	}
	if o.limits == (engine.Limits{}) && !o.infinite {
		o.limits.Time = defaultTime
	}
	return o, nil
}

// Greatest numbers that make sense after a go word.
var greatest = map[string]int64{
	"depth":    1e9, // the search knows its own end
	"nodes":    1e18,
	"movetime": 1e9, // milliseconds: eleven days
}

func (o *order) limit(word, value string) error {
	n, err := strconv.ParseInt(value, 10, 64)
	if most := greatest[word]; err != nil || n < 1 || n > most {
		return fmt.Errorf("%s is %s: expected 1 to %d", word, quote(value), most)
	}
	switch word {
	case "depth":
		o.limits.Depth = int(n)
	case "nodes":
		o.limits.Nodes = n
	case "movetime":
		o.limits.Time = time.Duration(n) * time.Millisecond
	}
	return nil
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
