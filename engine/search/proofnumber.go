package search

import (
	"context"
	"math"
)

// SearchProofNumber is the proof-number search of L. V. Allis, M. van der Meulen and H. J.
// van den Herik (Proof-number search, 1994). It decides whether the side to move at the root
// wins, without an evaluation: it expands the line where the fewest positions remain to be
// decided. known is false if the search reached the node limit first or the context is done.
// Each undecided position takes 48 bytes. history is as in [SearchTextbook]. Because
// repetitions depend on the line, lines share no positions.
func SearchProofNumber[P Position[P]](ctx context.Context, root P, history []P, nodes int64) (wins, known bool, visited int64) {
	s := proofSearch[P]{oracle: newOracle[P](ctx, history, nil)}
	tree := s.newNode(0, root, true)
	for !tree.decided() && s.nodes < nodes && ctx.Err() == nil {
		s.expand(&tree, root, true)
	}
	return tree.proof == 0, tree.decided(), s.nodes
}

// proofNode is a position of the tree. The side to move has a goal: the root's side to win,
// the other side to prevent that.
type proofNode struct {
	move     Move // that leads here
	proof    int  // minimum number of leaves to decide to prove the goal
	disproof int  // minimum number of leaves to decide to disprove it
	children []proofNode
}

// impossible is a proof or disproof number that can no longer be reached.
const impossible = math.MaxInt32

func (n *proofNode) decided() bool { return n.proof == 0 || n.disproof == 0 }

type proofSearch[P Position[P]] struct{ *oracle[P] }

// newNode returns the leaf for p. rootSide reports whether the root's side is to move.
func (s *proofSearch[P]) newNode(m Move, p P, rootSide bool) proofNode {
	s.nodes++
	diff, over := s.over(p, 1)
	switch {
	case !over:
		return proofNode{move: m, proof: 1, disproof: 1}
	case rootSide && diff > 0 || !rootSide && diff >= 0: // diff is the mover's
		return proofNode{move: m, disproof: impossible}
	}
	return proofNode{move: m, proof: impossible}
}

// expand expands the most-proving leaf below an undecided position.
func (s *proofSearch[P]) expand(n *proofNode, p P, rootSide bool) {
	s.path = append(s.path, p)
	if n.children == nil {
		for _, m := range p.AppendMoves(nil) {
			n.children = append(n.children, s.newNode(m, p.Play(m), !rootSide))
		}
	} else {
		for i := range n.children {
			if c := &n.children[i]; c.disproof == n.proof {
				s.expand(c, p.Play(c.move), !rootSide)
				break
			}
		}
	}
	s.path = s.path[:len(s.path)-1]
	n.update()
}

// update computes the numbers from those of the children: one disproved child proves the
// goal; all children must be proved to disprove it.
func (n *proofNode) update() {
	n.proof, n.disproof = impossible, 0
	for _, c := range n.children {
		n.proof = min(n.proof, c.disproof)
		n.disproof = min(n.disproof+c.proof, impossible)
	}
	if n.decided() {
		n.children = nil
	}
}
