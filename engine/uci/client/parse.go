package client

import (
	"slices"
	"strconv"
	"strings"

	"kroo/engine/search"
	"kroo/games"
)

// parseBestMove reads what follows bestmove. The error is a Fault.
func parseBestMove[P games.Position[P]](g *games.Game[P], p P, text string) (games.Move, error) {
	word, _ := cutWord(text)
	if word == "(none)" || word == "0000" {
		return 0, fault(kindIllegal, "no move where there is one")
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

// note takes the score, depth and nodes out of an info line. Lines for other
// than the best move are left out, and so is what cannot be read. An info string that
// begins with the word book is how Kroo, for one, says where its move is from.
func (a *Answer) note(text string) {
	words := strings.Fields(text)
	if len(words) == 0 || words[0] != "info" {
		return
	}
	b := *a
	for i := 1; i+1 < len(words); i++ {
		switch w := words[i]; w {
		case "string", "pv":
			b.saysBook = b.saysBook || w == "string" && words[i+1] == "book"
			i = len(words)
		case "multipv":
			if words[i+1] != "1" {
				return
			}
		case "depth", "nodes":
			if n, err := strconv.ParseInt(words[i+1], 10, 64); err == nil && n >= 0 {
				if w == "nodes" {
					b.Nodes = n
				} else {
					b.Depth = int(min(n, search.MaxPly))
				}
			}
		case "cp", "mate":
			if n, err := strconv.Atoi(words[i+1]); err == nil {
				b.Score, b.Scored = scoreOf(w, n), true
			}
		}
	}
	*a = b
}

// scoreOf is a score in the engine's units. A win in n moves takes 2n-1 plies,
// a loss in n moves 2n.
func scoreOf(unit string, n int) int {
	n = min(max(n, -search.Win), search.Win)
	switch {
	case unit == "cp":
		return n
	case n > 0:
		return search.Win - min(2*n-1, search.Win-search.MaxHeuristic-1)
	default:
		return -search.Win + min(-2*n, search.Win-search.MaxHeuristic-1)
	}
}
