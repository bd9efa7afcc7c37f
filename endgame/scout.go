package endgame

import "slices"

// scout finds lines of play without captures and repetitions in a component, as lists of nodes.
type scout struct {
	*historian
	barred []bool     // nodes that a way must not enter
	seen   [2][]int32 // by direction and node: the number of the last search that came there
	from   [2][]int32 // and from where
	search int32
	left   int // searches until it gives up
}

// mostSearches is how many ways are looked for until a line counts as not found.
const mostSearches = 200

func newScout(h *historian) *scout {
	nodes := 2 * len(h.own)
	s := &scout{historian: h, barred: make([]bool, nodes)}
	for side := range s.seen {
		s.seen[side], s.from[side] = make([]int32, nodes), make([]int32, nodes)
	}
	return s
}

// mostPlans is how many plans are tried until a line counts as not found.
const mostPlans = 12

// denied tells whether there is a line of play to node v after which the claimant is denied k there.
func (s *scout) denied(d *denial, v int32) bool {
	// If one successor has to stand, it and v are in one component, also with the players told apart:
	// if all cycles have an even number of moves, so has one through both.
	p := d.plan(v, nil)
	return p != nil && len(p.stood) == 1 && len(p.fresh) == 0 || s.after(d, v) != nil
}

// after is such a line, nil if none was found.
func (s *scout) after(d *denial, v int32) []int32 {
	plans := [][]int32{nil}
	for at := 0; at < len(plans); at++ {
		p := d.plan(v, plans[at])
		if p == nil {
			continue
		}
		if line := s.line(v, p.stood, p.fresh); line != nil {
			return line
		}
		for _, w := range p.stood { // the same without one of them
			if d.cost[w] != never && len(plans) < mostPlans {
				plans = append(plans, append(slices.Clone(plans[at]), w))
			}
		}
	}
	return nil
}

// line is a line that visits all of some nodes, none of others, and ends at v.
func (s *scout) line(v int32, stood, fresh []int32) []int32 {
	s.left = mostSearches
	s.bar(fresh, true)
	defer s.bar(fresh, false)
	for _, first := range stood {
		if line := s.extend([]int32{first}, stood, v); line != nil {
			return line
		}
	}
	return nil
}

func (s *scout) bar(nodes []int32, barred bool) {
	for _, v := range nodes {
		s.barred[v] = barred
	}
}

// extend goes on from a line to each of the nodes that are left to visit, the nearest first, and to v in
// the end.
func (s *scout) extend(line, stood []int32, v int32) []int32 {
	last := line[len(line)-1]
	if last == v {
		return line
	}
	goals := slices.DeleteFunc(slices.Clone(stood), func(w int32) bool { return slices.Contains(line, w) })
	if len(goals) == 0 {
		goals = []int32{v}
	}
	for len(goals) > 0 && s.left > 0 {
		s.left--
		s.bar(line, true)
		s.barred[v] = true
		way := s.way(last, goals)
		s.bar(line, false)
		s.barred[v] = false
		if way == nil {
			return nil
		}
		if found := s.extend(slices.Concat(line, way), stood, v); found != nil {
			return found
		}
		goals = slices.DeleteFunc(goals, func(w int32) bool { return w == way[len(way)-1] })
	}
	return nil
}

// way is a shortest way from one node to one of others that enters no barred node in between; nil if
// there is none. It searches from both ends.
func (s *scout) way(from int32, to []int32) []int32 {
	s.search++
	ends := [2][]int32{{from}, to}
	for side, nodes := range ends {
		for _, v := range nodes {
			s.seen[side][v], s.from[side][v] = s.search, -1
		}
	}
	for len(ends[0]) > 0 && len(ends[1]) > 0 {
		side := 0
		if len(ends[1]) < len(ends[0]) {
			side = 1
		}
		next, meet := s.step(side, ends[side])
		if meet >= 0 {
			return s.joined(meet)
		}
		ends[side] = next
	}
	return nil
}

// step goes on by a move, or back by one, from all of some nodes. meet is a node where the two
// directions have met, or -1.
func (s *scout) step(side int, nodes []int32) (next []int32, meet int32) {
	moves := [2]arcs{s.succ, s.pred}[side]
	for _, v := range nodes {
		for _, j := range moves.of(v / 2) {
			w := 2*j + 1 - v%2
			met := s.seen[1-side][w] == s.search
			if s.seen[side][w] == s.search || s.barred[w] && !met {
				continue
			}
			s.seen[side][w], s.from[side][w] = s.search, v
			if met {
				return nil, w
			}
			next = append(next, w)
		}
	}
	return next, -1
}

// joined is the way through the node where the directions have met, without its first node.
func (s *scout) joined(meet int32) (way []int32) {
	for v := meet; s.from[0][v] >= 0; v = s.from[0][v] {
		way = append(way, v)
	}
	slices.Reverse(way)
	for v := s.from[1][meet]; v >= 0; v = s.from[1][v] {
		way = append(way, v)
	}
	return way
}
