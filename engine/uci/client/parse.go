package client

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"kroo/engine/search"
	"kroo/games"
)

// parseBestMove parses the text after bestmove. The error is a Fault.
func parseBestMove[P games.Position[P]](g *games.Game[P], p P, text string) (games.Move, error) {
	word, _ := cutWord(text)
	if word == "(none)" || word == "0000" {
		return 0, ErrNoMove
	}
	m, err := g.ParseMove(p, word)
	if err == nil && slices.Contains(p.AppendMoves(nil), m) {
		return m, nil
	}
	if name, ok := g.OpponentsMove(p, word); err == nil || ok && name == word {
		return 0, fault(kindIllegal, "move %s in %s", word, g.Print(p))
	}
	return 0, fault(kindGarbage, "bestmove %s: expected %s", quoted(text), g.MoveText)
}

// scale converts a program's scores.
type scale struct {
	unit      float64 // cp per unit of the game
	unitsAWin int     // of the game
}

func (c *Client[P]) scale() scale {
	return scale{cmp.Or(c.command.Unit, defaultUnit), c.game.UnitsPerWin}
}

// note records the score, depth and nodes of an info line, and reports whether it recorded a score.
// It ignores lines for other than the best move and what it cannot parse. A score that is only a
// bound does not replace an exact one. An info string that begins with the word book marks a book
// move, as of Kroo.
func (a *Answer) note(text string, s scale) (reported bool) {
	word, rest := cutWord(text)
	if word != "info" {
		return false
	}
	b, scored := *a, false
	b.bound = false
	for rest != "" {
		word, rest = cutWord(rest)
		next, _ := cutWord(rest)
		switch word {
		case "string":
			b.saysBook = b.saysBook || next == "book"
			rest = ""
		case "pv":
			b.pv, rest = rest, ""
		case "multipv":
			if next != "1" {
				return false
			}
		case "currmove": // the depth is unfinished
			return false
		case "depth", "nodes":
			if n, err := strconv.ParseInt(next, 10, 64); err == nil && n >= 0 {
				if word == "nodes" {
					b.Nodes = min(n, search.MaxNodes)
				} else {
					b.Depth = int(min(n, search.MaxPly))
				}
			}
		case "cp", "mate":
			if n, err := strconv.Atoi(next); err == nil {
				b.Score, b.Scored, scored, reported = s.scoreOf(word, n), true, true, true
			}
		case "wdl":
			if n, ok := s.ofChances(strings.Fields(rest)); ok && !scored {
				b.Score, b.Scored, reported = n, true, true
			}
		case "lowerbound", "upperbound":
			b.bound = true
		}
	}
	if b.bound && a.Scored && !a.bound {
		a.Nodes = b.Nodes
		return false
	}
	*a = b
	return reported
}

// ofChances converts chances of a win, a draw and a loss in permille to the expected score, where
// 1000 points are a won game.
func (s scale) ofChances(words []string) (score int, ok bool) {
	var chances [3]int
	if len(words) < len(chances) {
		return 0, false
	}
	for i := range chances {
		n, err := strconv.Atoi(words[i])
		if err != nil || n < 0 || n > 1000 {
			return 0, false
		}
		chances[i] = n
	}
	return (chances[0] - chances[2]) * s.unitsAWin * 100 / games.MaxPoints, true
}

// scoreOf converts a score to the engine's units. A win in n moves takes 2n-1 plies, a loss in n
// moves 2n.
func (s scale) scoreOf(kind string, n int) int {
	n = min(max(n, -search.Win), search.Win)
	switch {
	case kind == "cp":
		return int(math.Round(min(max(float64(n)*defaultUnit/s.unit, -search.Win), search.Win)))
	case n > 0:
		return search.Win - min(2*n-1, search.Win-search.MaxHeuristic-1)
	default:
		return -search.Win + min(-2*n, search.Win-search.MaxHeuristic-1)
	}
}
