package search

import (
	"context"
	"math"
)

// SearchProofNumber is the proof-number search of L. V. Allis, M. van der Meulen and H. J.
// van den Herik (Proof-number search, 1994). It asks one thing, whether the side to move at
// the root wins, and knows no evaluation: it continues where the fewest positions remain to be
// settled. It is known whether they win, unless the search has visited the limit of positions
// before, or the context is done. Every position takes 48 bytes until its value is settled.
// history is as in [SearchTextbook]; what a repetition is worth is seen on each line, so the
// tree shares no positions between lines.
func SearchProofNumber[P Position[P]](ctx context.Context, root P, history []P, nodes int64) (wins, known bool, visited int64) {
	s := proofSearch[P]{oracle: newOracle[P](ctx, history, nil), most: nodes}
	tree := s.born(0, root, true)
	for !tree.settled() && s.nodes < s.most && ctx.Err() == nil {
		s.grow(&tree, root, true)
	}
	return tree.reach == 0, tree.settled(), s.nodes
}

// proofNode is a position of the tree. The side to move there has an aim: the one of the
// root to win, the other that they do not.
type proofNode struct {
	move     Move // that leads here
	reach    int  // fewest leaves that must be settled for the aim to be reached
	miss     int  // and for it to be missed
	children []proofNode
}

// never is more leaves than any tree has: what cannot be any more.
const never = math.MaxInt32

func (n *proofNode) settled() bool { return n.reach == 0 || n.miss == 0 }

// proofSearch is the state of the search.
type proofSearch[P Position[P]] struct {
	*oracle[P]
	most int64
}

// born is a leaf. asker reports whether the root's side is to move.
func (s *proofSearch[P]) born(m Move, p P, asker bool) proofNode {
	s.nodes++
	diff, over := s.over(p, 1)
	switch {
	case !over:
		return proofNode{move: m, reach: 1, miss: 1}
	case asker && diff > 0 || !asker && diff >= 0: // diff is the mover's
		return proofNode{move: m, miss: never}
	}
	return proofNode{move: m, reach: never}
}

// grow opens the leaf that most depends on, below a position that is not settled.
func (s *proofSearch[P]) grow(n *proofNode, p P, asker bool) {
	s.path = append(s.path, p)
	if n.children == nil {
		for _, m := range p.AppendMoves(nil) {
			n.children = append(n.children, s.born(m, p.Play(m), !asker))
		}
	} else {
		for i := range n.children {
			if c := &n.children[i]; c.miss == n.reach {
				s.grow(c, p.Play(c.move), !asker)
				break
			}
		}
	}
	s.path = s.path[:len(s.path)-1]
	n.count()
}

// count takes the numbers from the children: one that misses its aim is enough, and all must
// reach theirs for this position to miss its own.
func (n *proofNode) count() {
	n.reach, n.miss = never, 0
	for _, c := range n.children {
		n.reach = min(n.reach, c.miss)
		n.miss = min(n.miss+c.reach, never)
	}
	if n.settled() {
		n.children = nil
	}
}
