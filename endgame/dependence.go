package endgame

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/internal/scc"
)

// HistoryCount tells how values of an abapa level hang on the positions that stood before,
// since the last capture.
type HistoryCount struct {
	Seeds     int               `json:"seeds"`
	Positions int               `json:"positions"`
	Exact     int               `json:"exact"`   // the value for an empty history is known
	Free      int               `json:"free"`    // of these, the value is the same whatever the history
	Depend    int               `json:"depend"`  // of these, the value is another after a line of play that exists
	Example   map[string]Valued `json:"example"` // "free", "depends" and "unknown"
}

// Valued is a position, reached by a line of play from a board, and what the mover gets of the
// seeds in play there.
type Valued struct {
	From    string `json:"from"`
	Moves   string `json:"moves"`
	Board   string `json:"board"`    // after the moves
	AtStart int    `json:"at_start"` // without a history
	Least   int    `json:"least"`    // after the moves
	Most    int    `json:"most"`
}

// CountHistory classes the positions of a level of a table with bounds. progress receives how many
// of them are done.
func CountHistory(ctx context.Context, t *Table, seeds int, progress func(done int64)) (HistoryCount, error) {
	if t.bounds == Exact || seeds < 1 || seeds > t.seeds {
		return HistoryCount{}, fmt.Errorf("histories of %d seeds: expected a table of bounds, and 1 to %d", seeds, t.seeds)
	}
	h, err := newHistorian(ctx, t, seeds)
	if err != nil {
		return HistoryCount{}, err
	}
	if err := h.class(ctx, progress); err != nil {
		return HistoryCount{}, err
	}
	return h.count(), nil
}

// historian classes the positions of a level. A node is a position and the role in it of the player
// whose fate is asked for, the claimant: twice the position's number, and one more for the other. So
// the nodes are also the positions of a line of play, with the player to move told apart.
type historian struct {
	rules      oware.Rules
	n          int
	levels     []levelValues
	own        []uint8     // seeds on the mover's side
	sure, most []int8      // what the mover is sure of by the best exit, and gets there at most; -1 for none
	succ, pred arcs        // moves that stay in the component
	robust     levelValues // what the roles are sure of whatever has stood
	depends    []bool      // positions whose value is another after some line of play
	open       []bool      // these, and others where such a line may exist
}

// arcs are the positions that moves lead to, or come from.
type arcs struct {
	start []int32 // of a position's list, and the end of the last
	to    []int32
}

func (a arcs) of(i int32) []int32 { return a.to[a.start[i]:a.start[i+1]] }

func newHistorian(ctx context.Context, t *Table, seeds int) (*historian, error) {
	h := &historian{rules: t.rules, n: seeds, levels: make([]levelValues, seeds+1)}
	if err := t.read(func() {
		for n := range h.levels {
			h.levels[n] = t.load(n)
		}
	}); err != nil {
		return nil, err
	}
	h.findMoves(ctx)
	return h, ctx.Err()
}

// exact is whether the value of a position for an empty history is known.
func (h *historian) exact(i int32) bool {
	v := h.levels[h.n]
	return int(v[mover][i])+int(v[other][i]) == h.n
}

// findMoves finds, for every position, the moves that stay in its strongly connected component, and
// what the others bring: the exits. The end of the game for lack of moves is one.
func (h *historian) findMoves(ctx context.Context) {
	component := h.components(ctx)
	h.own, h.robust = make([]uint8, len(component)), levelValues{make([]uint8, len(component)), make([]uint8, len(component))}
	h.depends, h.open = make([]bool, len(component)), make([]bool, len(component))
	h.sure, h.most = slices.Repeat([]int8{-1}, len(component)), slices.Repeat([]int8{-1}, len(component))
	h.succ.start = make([]int32, 1, len(component)+1)
	for i := range component {
		p := PositionAt(h.rules, h.n, i)
		own, _ := p.SideSeeds()
		h.own[i] = uint8(own)
		if p.Legal() == 0 {
			h.sure[i], h.most[i] = int8(own), int8(own)
		}
		for set := p.Legal(); set != 0; set &= set - 1 {
			m := oware.Move(bits.TrailingZeros8(set))
			gain, j := p.Gain(m), within(p.Play(m).Words())
			if gain == 0 && component[i] == component[j] {
				h.succ.to = append(h.succ.to, int32(j))
				continue
			}
			lower := h.levels[h.n-gain]
			h.sure[i] = max(h.sure[i], int8(gain)+int8(lower[other][j]))
			h.most[i] = max(h.most[i], int8(h.n)-int8(lower[mover][j]))
		}
		h.succ.start = append(h.succ.start, int32(len(h.succ.to)))
	}
	h.pred = h.succ.reversed()
}

// reversed are the same moves from their ends.
func (a arcs) reversed() (r arcs) {
	r = arcs{make([]int32, len(a.start)), make([]int32, len(a.to))}
	for _, j := range a.to {
		r.start[j+1]++
	}
	for j := range r.start[1:] {
		r.start[j+1] += r.start[j]
	}
	free := slices.Clone(r.start)
	for i := range int32(len(a.start) - 1) {
		for _, j := range a.of(i) {
			r.to[free[j]] = i
			free[j]++
		}
	}
	return r
}

// components numbers the strongly connected components of the moves without capture, by position.
func (h *historian) components(ctx context.Context) []int32 {
	component := make([]int32, Positions(h.n))
	q := quietGraph{ctx: ctx, rules: h.rules, seeds: h.n}
	number := int32(0)
	for list := range (scc.Graph{Nodes: len(component), Succ: q.successors}).Components() {
		for _, i := range list {
			component[i] = number
		}
		number++
	}
	return component
}

// class finds the positions with a value that histories change, for each number of seeds that the
// claimant can be denied.
func (h *historian) class(ctx context.Context, progress func(done int64)) error {
	const chunk = 1 << 12 // positions
	chunks := (len(h.own) + chunk - 1) / chunk
	scouts := make([]*scout, min(parallel.Workers(0), chunks))
	for w := range scouts {
		scouts[w] = newScout(h)
	}
	done := 0
	for k := 1; k <= h.n; k++ {
		d := h.deny(k)
		err := parallel.Collect(ctx, len(scouts), parallel.Numbers(chunks), func(ctx context.Context, worker, at int) (struct{}, error) {
			for i := int32(at * chunk); i < int32(min((at+1)*chunk, len(h.own))) && ctx.Err() == nil; i++ {
				for role := range h.robust {
					if v := 2*i + int32(role); d.cost[v] == never {
						h.robust[role][i] = uint8(k)
					} else if h.exact(i) && int(h.levels[h.n][role][i]) == k {
						h.open[i] = true
						h.depends[i] = h.depends[i] || scouts[worker].denied(d, v)
					}
				}
			}
			return struct{}{}, ctx.Err()
		}, func(int, struct{}) error {
			done++
			progress(int64(len(h.own)) * int64(done) / int64(h.n*chunks))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// count sums up, and takes the first position of each class as its example.
func (h *historian) count() HistoryCount {
	c := HistoryCount{Seeds: h.n, Positions: len(h.own), Example: map[string]Valued{}}
	for i := range int32(len(h.own)) {
		if !h.exact(i) {
			continue
		}
		c.Exact++
		class := "unknown"
		switch {
		case h.depends[i]:
			c.Depend++
			class = "depends"
		case !h.open[i]:
			c.Free++
			class = "free"
		}
		if _, there := c.Example[class]; !there {
			c.Example[class] = h.example(i)
		}
	}
	return c
}

// example is a position with what the mover gets, and with a line of play that changes it if there is one.
func (h *historian) example(i int32) Valued {
	board := PositionAt(h.rules, h.n, int(i)).String()
	value := int(h.levels[h.n][mover][i])
	v := Valued{From: board, Board: board, AtStart: value, Least: value, Most: value}
	for role := range h.robust {
		k := int(h.levels[h.n][role][i])
		if !h.depends[i] || k == 0 {
			continue
		}
		d := h.deny(k)
		if line := newScout(h).after(d, 2*i+int32(role)); line != nil {
			v.From, v.Moves, v.Board = h.played(line)
			v.Least, v.Most = int(h.robust[mover][i]), h.n-int(h.robust[other][i])
			if role == mover {
				v.Most = k - 1
			} else {
				v.Least = h.n - (k - 1)
			}
			break
		}
	}
	return v
}

// played writes a line as a board, the moves, and the board after them.
func (h *historian) played(line []int32) (from, moves, board string) {
	at := PositionAt(h.rules, h.n, int(line[0]/2))
	if (line[0]-line[len(line)-1])%2 != 0 { // South is to move in the end
		at = at.Mirror()
	}
	from = at.String()
	for _, v := range line[1:] {
		for _, m := range at.AppendMoves(nil) {
			if q := at.Play(m); at.Gain(m) == 0 && int32(within(q.Words())) == v/2 {
				moves += oware.MoveName(m, at.ToMove())
				at = q
				break
			}
		}
	}
	return from, moves, at.String()
}
