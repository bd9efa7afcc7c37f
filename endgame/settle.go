package endgame

import (
	"context"
	"math/bits"

	"kroo/games/oware"
	"kroo/internal/parallel"
)

// defaultBudget is the work that settling spends on one position and threshold
// of n seeds before it leaves the bounds as they are: nodes looked at, some
// nanoseconds each. Up to seven seeds it is enough for all. Beyond, the parts of
// open positions become so large that many would take hours.
func defaultBudget(n int) int64 {
	if n <= 7 {
		return 4_000_000_000
	}
	return 20_000_000
}

// settleLevel narrows the bounds of an abapa level to values, at the beginning
// of a stretch, by searching with history. lower holds the levels below.
//
// For a threshold k the bounds leave open whether a player, A, is sure of k at
// some nodes only. Leaving these for one where he is, is won for A, whatever
// came before: the strategy that wins there keeps to such nodes, and none of
// them has been visited. The same holds for his opponent. So the search stays
// among the open nodes, and, because a strongly connected part that has been
// left is never visited again, within one such part at a time.
//
// In a part the search tries every move, with the nodes visited so far as the
// history: arriving at one of them ends the game, for or against A by the seeds
// on his side there. At every step the part's games without end are solved again
// with the visited nodes as endings, which gives bounds that allow for the
// history, and as a rule decides at once.
func settleLevel(ctx context.Context, v levelValues, lower []levelValues, workers int, budget int64) error {
	n := len(lower)
	s := &settling{n: n, bounds: v, lower: lower, budget: budget, ctx: ctx}
	outcomes := make([][]outcome, n+1) // by threshold, for the mover
	err := parallel.Do(ctx, workers, n, func(_ context.Context, _, i int) error {
		outcomes[1+i] = s.threshold(1 + i)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for i := range v[mover] {
		sure, most := int(v[mover][i]), n-int(v[other][i])
		least, greatest := sure, most
		for k := sure + 1; k <= most; k++ {
			switch outcomes[k][i] {
			case won:
				least = max(least, k)
			case lost:
				greatest = min(greatest, k-1)
			}
		}
		v[mover][i], v[other][i] = uint8(least), uint8(n-greatest)
	}
	return nil
}

// outcome is what is known about a node and a threshold.
type outcome uint8

const (
	open outcome = iota
	won
	lost
	undecided // too much work
)

// settling is the work on one level.
type settling struct {
	n      int
	bounds levelValues
	lower  []levelValues
	budget int64
	ctx    context.Context
}

func (s *settling) stopped() bool { return s.ctx.Err() != nil }

// arena is the open nodes of one threshold, with the moves between them. A node
// is a position and A's role in it.
type arena struct {
	s      *settling
	good   []bool    // A has at least the threshold on his side
	moves  []bool    // A moves
	leaves []uint8   // what other moves lead to: bits 1<<won, 1<<lost, 1<<undecided
	succ   [][]int32 // quiet moves to open nodes
	result []outcome // of a stretch that begins at the node
}

// threshold decides, for every position whose bounds leave it open, whether the
// player to move is sure of k.
func (s *settling) threshold(k int) []outcome {
	a, number := s.openNodes(k)
	a.settleParts(s.budget)
	result := make([]outcome, len(s.bounds[mover]))
	for i := range result {
		if node := number[mover][i]; node >= 0 {
			result[i] = a.result[node]
		}
	}
	return result
}

// class is what the values of a level say of a node: is A, who has the role
// there, sure of k of n seeds?
func class(v levelValues, n, role int, i uint32, k int) outcome {
	switch {
	case int(v[role][i]) >= k:
		return won
	case n-int(v[1-role][i]) < k:
		return lost
	}
	return open
}

// openNodes numbers the open nodes and finds their moves.
func (s *settling) openNodes(k int) (*arena, [2][]int32) {
	a := &arena{s: s}
	var number [2][]int32
	var nodes []uint32
	for role := range number {
		number[role] = make([]int32, len(s.bounds[role]))
		for i := range number[role] {
			number[role][i] = -1
			if class(s.bounds, s.n, role, uint32(i), k) == open {
				number[role][i] = int32(len(nodes))
				nodes = append(nodes, uint32(i)<<1|uint32(role))
			}
		}
	}
	for _, node := range nodes {
		s.addNode(a, &number, int(node&1), node>>1, k)
	}
	a.result = make([]outcome, len(nodes))
	return a, number
}

func (s *settling) addNode(a *arena, number *[2][]int32, role int, i uint32, k int) {
	p := unrank(s.n, i).position(oware.Abapa, s.n)
	own, opp := p.SideSeeds()
	leaves, succ := uint8(0), []int32(nil)
	for set := p.Legal(); set != 0; set &= set - 1 {
		m := oware.Move(bits.TrailingZeros8(set))
		gain, after := p.Gain(m), p.Play(m)
		j := within(after.Words())
		switch {
		case gain > 0:
			leaves |= 1 << s.captureClass(gain, role, j, k)
		case number[1-role][j] >= 0:
			succ = append(succ, number[1-role][j])
		default:
			leaves |= 1 << class(s.bounds, s.n, 1-role, j, k)
		}
	}
	a.good, a.moves = append(a.good, [2]int{own, opp}[role] >= k), append(a.moves, role == mover)
	a.leaves, a.succ = append(a.leaves, leaves), append(a.succ, succ)
}

// captureClass is class after a capture by the player to move; where the level
// below left it open it stays so.
func (s *settling) captureClass(gain, role int, j uint32, k int) outcome {
	if role == mover {
		k -= gain
	}
	if c := class(s.lower[s.n-gain], s.n-gain, 1-role, j, k); c != open {
		return c
	}
	return undecided
}
