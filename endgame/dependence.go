package endgame

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"kroo/games/oware"
	"kroo/internal/scc"
)

// HistoryCount tells how values of an abapa level hang on the positions that stood before,
// since the last capture.
type HistoryCount struct {
	Seeds     int `json:"seeds"`
	Positions int `json:"positions"`
	Exact     int `json:"exact"` // the value for an empty history is known
	// Free is the exact positions whose value is the same whatever the history, as the
	// bounds of docs/bounds.md prove.
	Free int `json:"free"`
	// Blocked is the exact positions with another value if all positions that a move without
	// capture leads to, and from which the game can come back, have stood before.
	Blocked int `json:"blocked"`
	// Sampled is those of Blocked for which such a line of play was looked for, and
	// Depend those for which it was found: their value is proven to depend on the history.
	Sampled int               `json:"sampled"`
	Depend  int               `json:"depend"`
	Example map[string]Valued `json:"example"` // "free", "depends" and "unknown"
}

// Valued is a position, reached by a line of play from a board, and what the mover gets of the
// seeds in play there.
type Valued struct {
	From    string `json:"from"`
	Moves   string `json:"moves"`
	Board   string `json:"board"` // after the moves
	Value   int    `json:"value"` // after the moves
	AtStart int    `json:"at_start"`
}

// CountHistory classes the positions of a level of a table with bounds.
func CountHistory(ctx context.Context, t *Table, seeds, samples int, seed uint64) (HistoryCount, error) {
	if t.bounds == Exact || seeds < 1 || seeds > t.seeds {
		return HistoryCount{}, fmt.Errorf("histories of %d seeds: expected a table of bounds, and 1 to %d", seeds, t.seeds)
	}
	h := historian{t: t, n: seeds, count: HistoryCount{Seeds: seeds, Positions: Positions(seeds), Example: map[string]Valued{}}}
	if err := t.read(func() {
		for n := range seeds + 1 {
			h.levels = append(h.levels, t.load(n))
		}
	}); err != nil {
		return h.count, err
	}
	h.findComponents()
	h.findRobust(ctx)
	var blocked []int
	for i := range h.component {
		sure := int(h.levels[seeds][mover][i])
		if sure+int(h.levels[seeds][other][i]) < seeds {
			continue
		}
		h.count.Exact++
		stood, known := h.allStood(i)
		switch {
		case int(h.robust[mover][i])+int(h.robust[other][i]) == seeds:
			h.count.Free++
			h.example("free", i, Valued{Value: sure})
		case known && stood != sure:
			blocked = append(blocked, i)
		default:
			h.example("unknown", i, Valued{Value: sure})
		}
	}
	h.count.Blocked = len(blocked)
	rng := rand.New(rand.NewPCG(seed, uint64(seeds)))
	rng.Shuffle(len(blocked), func(a, b int) { blocked[a], blocked[b] = blocked[b], blocked[a] })
	for _, i := range blocked[:min(samples, len(blocked))] {
		if err := ctx.Err(); err != nil {
			return h.count, err
		}
		h.count.Sampled++
		if line := h.line(i); line != nil {
			h.count.Depend++
			stood, _ := h.allStood(i)
			h.example("depends", i, h.valued(i, line, stood))
		}
	}
	return h.count, ctx.Err()
}

// historian classes the positions of a level.
type historian struct {
	t         *Table
	n         int
	levels    []levelValues
	component []int32 // by position; two share one if the game can go from each to the other
	robust    levelValues
	count     HistoryCount
}

func (h *historian) example(class string, i int, v Valued) {
	if _, there := h.count.Example[class]; there {
		return
	}
	if v.From == "" {
		v.From = PositionAt(h.t.rules, h.n, i).String()
		v.Board, v.AtStart = v.From, v.Value
	}
	h.count.Example[class] = v
}

func (h *historian) findComponents() {
	h.component = make([]int32, Positions(h.n))
	number := int32(0)
	graph := scc.Graph{Nodes: len(h.component), Succ: func(i int32, dst []int32) []int32 {
		h.moves(int(i), func(gain int, _ oware.Move, j int) {
			if gain == 0 {
				dst = append(dst, int32(j))
			}
		})
		return dst
	}}
	for list := range graph.Components() {
		for _, i := range list {
			h.component[i] = number
		}
		number++
	}
}

// moves calls f with the gain of each move of a position and the position after it.
func (h *historian) moves(i int, f func(gain int, m oware.Move, j int)) {
	p := PositionAt(h.t.rules, h.n, i)
	for set := p.Legal(); set != 0; set &= set - 1 {
		m := oware.Move(bits.TrailingZeros8(set))
		f(p.Gain(m), m, int(within(p.Play(m).Words())))
	}
}

// findRobust finds what the roles are sure of whatever the history: each position that the
// line enters may have stood before, if the game can come back from it. So the player leaves
// the component with enough, or enters only positions with enough on their side: the
// greatest fixed point.
func (h *historian) findRobust(ctx context.Context) {
	for role := range h.robust {
		h.robust[role] = slices.Repeat([]uint8{uint8(h.n)}, len(h.component))
	}
	for again := true; again && ctx.Err() == nil; {
		again = false
		for i := range h.component {
			best, least, legal := 0, h.n, false
			h.moves(i, func(gain int, _ oware.Move, j int) {
				legal = true
				forMover, forOther := h.entered(i, gain, j)
				best, least = max(best, forMover), min(least, forOther)
			})
			if !legal {
				best, least = PositionAt(h.t.rules, h.n, i).SideSeeds()
			}
			if uint8(best) < h.robust[mover][i] || uint8(least) < h.robust[other][i] {
				h.robust[mover][i], h.robust[other][i], again = min(h.robust[mover][i], uint8(best)), min(h.robust[other][i], uint8(least)), true
			}
		}
	}
}

// entered is what the mover of position i and the other are sure of, whatever the history, if
// a move that captures gain seeds leads to position j.
func (h *historian) entered(i, gain, j int) (forMover, forOther int) {
	lower := h.levels[h.n-gain]
	if gain > 0 || h.component[i] != h.component[j] {
		return gain + int(lower[other][j]), int(lower[mover][j])
	}
	turned, own := PositionAt(h.t.rules, h.n, j).SideSeeds() // of the player to move there, and of the mover
	return min(own, int(h.robust[other][j])), min(turned, int(h.robust[mover][j]))
}

// allStood is what the mover gets if all positions that the line could come back from have
// stood before. It is not known if what leaves the component is not.
func (h *historian) allStood(i int) (value int, known bool) {
	known = true
	legal := false
	h.moves(i, func(gain int, _ oware.Move, j int) {
		legal = true
		lower := h.levels[h.n-gain]
		if gain > 0 || h.component[i] != h.component[j] {
			known = known && int(lower[mover][j])+int(lower[other][j]) == h.n-gain
			value = max(value, gain+int(lower[other][j]))
			return
		}
		_, own := PositionAt(h.t.rules, h.n, j).SideSeeds()
		value = max(value, own)
	})
	return value, known && legal
}

// line is a line of play without captures or repetitions, as numbers of positions, that visits
// all positions of the component which a move of position i leads to, and ends there; nil if
// none was found. It looks for the nearest of them each time.
func (h *historian) line(i int) []int {
	targets := map[int]bool{}
	var first []int
	h.moves(i, func(gain int, _ oware.Move, j int) {
		if gain == 0 && h.component[i] == h.component[j] {
			targets[2*j+1] = true // with the other side to move
			first = append(first, 2*j+1)
		}
	})
	for _, from := range first {
		left := map[int]bool{}
		for v := range targets {
			left[v] = v != from
		}
		line := []int{from}
		for len(line) > 0 && line[len(line)-1] != 2*i {
			goals := map[int]bool{2 * i: true}
			for v, there := range left {
				if there {
					goals[v] = true
					delete(goals, 2*i)
				}
			}
			if line = h.extend(line, goals, 2*i); len(line) > 0 {
				left[line[len(line)-1]] = false
			}
		}
		if len(line) > 0 {
			return line
		}
	}
	return nil
}

// extend goes on from the end of a line by the shortest way to a goal; nil if there is none. Only
// the end may be the last position.
func (h *historian) extend(line []int, goals map[int]bool, last int) []int {
	before := map[int]int{} // twice a position's number, and one more with the other side to move
	for _, v := range line {
		before[v] = -1
	}
	for list := line[len(line)-1:]; len(list) > 0; {
		var next []int
		for _, v := range list {
			found := -1
			h.moves(v/2, func(gain int, _ oware.Move, j int) {
				w := 2*j + 1 - v%2
				if _, seen := before[w]; seen || gain > 0 || w == last && !goals[w] || h.component[j] != h.component[last/2] {
					return
				}
				before[w] = v
				next = append(next, w)
				if goals[w] && found < 0 {
					found = w
				}
			})
			if found >= 0 {
				var way []int
				for w := found; before[w] >= 0; w = before[w] {
					way = append(way, w)
				}
				slices.Reverse(way)
				return append(slices.Clone(line), way...)
			}
		}
		list = next
	}
	return nil
}

// valued writes a line as moves from a board.
func (h *historian) valued(i int, line []int, value int) Valued {
	at := PositionAt(h.t.rules, h.n, i) // South is to move in the end
	for _, m := range at.AppendMoves(nil) {
		if q := at.Play(m); int(within(q.Words())) == line[0]/2 && at.Gain(m) == 0 {
			at = q
			break
		}
	}
	v := Valued{From: at.String(), Value: value, AtStart: int(h.levels[h.n][mover][i])}
	for _, w := range line[1:] {
		for _, m := range at.AppendMoves(nil) {
			if q := at.Play(m); at.Gain(m) == 0 && int(within(q.Words())) == w/2 {
				v.Moves += oware.MoveName(m, at.ToMove())
				at = q
				break
			}
		}
	}
	v.Board = at.String()
	return v
}
