package endgame

import "slices"

// denial tells where the claimant can be kept from getting k seeds if the right positions have
// stood. The best for the other player, the denier, is that all positions have stood, and can come
// again, with fewer than k seeds on the claimant's side, and no others: a move to one of them ends
// the game with fewer than k, and one to another must not. So the denier wants to force the line to
// one of them, or to leave the component with fewer than k for the claimant. Where they cannot, the
// claimant gets k whatever has stood.
type denial struct {
	*historian
	k     int
	cost  []int32 // by node: of what must have stood, and must not; never where the claimant gets k
	reply []int32 // by node where the denier is to move: where to; -1 to leave the component
}

// Costs of a plan: for a position that must have stood, and for one that the line must not have
// visited. Few of the first are easiest to find a line of play for.
const (
	stoodCost = 16
	freshCost = 1
	never     = 4096
)

// short is whether a repetition at a node gives the claimant fewer than k.
func (d *denial) short(v int32) bool {
	own := int(d.own[v/2])
	if v%2 == other {
		own = d.n - own
	}
	return own < d.k
}

// deny finds the cheapest plans for the denier, from the cheapest up (Knuth 1977): where they are
// to move the best move's, and where the claimant is those of all moves together.
func (h *historian) deny(k int) *denial {
	nodes := 2 * len(h.own)
	d := &denial{historian: h, k: k, cost: slices.Repeat([]int32{never}, nodes), reply: slices.Repeat([]int32{-1}, nodes)}
	left, sum, done := make([]int32, nodes), make([]int32, nodes), make([]bool, nodes)
	var queue [never][]int32 // nodes by what a move there costs
	planned := func(v, cost int32) {
		d.cost[v] = min(cost, never-1-freshCost)
		queue[d.cost[v]+freshCost] = append(queue[d.cost[v]+freshCost], v)
	}
	for v := range int32(nodes) {
		i := v / 2
		if d.short(v) {
			queue[stoodCost] = append(queue[stoodCost], v)
		}
		if left[v] = int32(len(h.succ.of(i))); v%2 == mover && left[v] == 0 && int(h.most[i]) < k || v%2 == other && h.n-int(h.sure[i]) < k {
			planned(v, 0)
		}
	}
	for at := range int32(never) {
		for x := 0; x < len(queue[at]); x++ { // it grows at the end
			w := queue[at][x]
			if done[w] {
				continue
			}
			done[w] = true
			for _, i := range h.pred.of(w / 2) {
				v := 2*i + 1 - w%2
				switch {
				case d.cost[v] != never:
				case v%2 == other:
					d.reply[v] = w
					planned(v, at)
				default:
					left[v]--
					sum[v] = min(sum[v]+at, never)
					if left[v] == 0 && int(h.most[i]) < k {
						planned(v, sum[v])
					}
				}
			}
		}
		queue[at] = nil
	}
	return d
}

// mostPlan is how many positions a plan may have: lines of play through more are not looked for.
const mostPlan = 400

// plan is a way for the denier to go on from a node, whatever the claimant plays.
type plan struct {
	*denial
	pass  []int32 // nodes that the line may go through, where the cheapest plan has them stand before
	stood []int32 // nodes that must have stood
	fresh []int32 // and those that must not
	path  []int32 // of the walk through the plan
	done  []int32 // nodes that it has left
}

// plan is the cheapest plan from node v that has the line pass some nodes, nil if there is none or if it is
// too large.
func (d *denial) plan(v int32, pass []int32) *plan {
	p := &plan{denial: d, pass: pass}
	if d.cost[v] == never || !p.walk(v) {
		return nil
	}
	return p
}

// walk adds what the plan needs from node v on. It is false if the line could repeat a position there
// with k or more for the claimant: those that pass nodes need not get cheaper from move to move.
func (p *plan) walk(v int32) bool {
	if len(p.stood)+len(p.done)+len(p.path) > mostPlan {
		return false
	}
	p.path = append(p.path, v)
	for _, w := range p.onward(v) {
		switch {
		case slices.Contains(p.stood, w) || slices.Contains(p.done, w):
		case slices.Contains(p.path, w):
			if !p.short(w) {
				return false
			}
		case p.short(w) && p.cost[w]+freshCost >= stoodCost && !slices.Contains(p.pass, w):
			p.stood = append(p.stood, w)
		default:
			if !p.short(w) {
				p.fresh = append(p.fresh, w)
			}
			if !p.walk(w) {
				return false
			}
		}
	}
	p.path = p.path[:len(p.path)-1]
	p.done = append(p.done, v)
	return true
}

// onward are the nodes that the line can come to next if the denier follows the plan.
func (d *denial) onward(v int32) (list []int32) {
	if v%2 == other {
		if d.reply[v] >= 0 {
			list = append(list, d.reply[v])
		}
		return list
	}
	for _, j := range d.succ.of(v / 2) {
		list = append(list, 2*j+1)
	}
	return list
}
