package engine

import (
	"math/rand/v2"
	"testing"

	"kroo/games/oware"
)

// TestBestReplyIsWhatTheMovesAreWorth makes the moves that BestReply does not
// make. Where it is sure no move ends the game, and that is most of the time even in games so long.
func TestBestReplyIsWhatTheMovesAreWorth(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 0))
	e := Captures.(LastPlyEvaluator[oware.Position])
	for _, r := range allRules {
		asked, sureOf := 0, 0
		list := midgames(rng, r, 2000)
		for n := range 12 {
			list = append(list, endgames(rng, r, 300, n+2)...)
		}
		for i, x := range list {
			p := x.root
			best := -Win
			for _, m := range p.AppendMoves(nil) {
				child := p.Play(m)
				if _, over := child.Terminal(); over {
					best = Win
					break
				}
				best = max(best, -Captures.Evaluate(child))
			}
			enough := best - 100*rng.IntN(4)
			all, moves, sure := e.BestReply(p, Win)
			some, fewer, _ := e.BestReply(p, enough)
			if i < 2000 {
				asked++
			}
			if !sure {
				continue
			}
			if i < 2000 {
				sureOf++
			}
			if all != best || moves != len(p.AppendMoves(nil)) {
				t.Errorf("%v %v: %d after %d moves: want %d", r, p, all, moves, best)
			}
			if some < enough || some > best || fewer > moves {
				t.Errorf("%v %v: %d after %d moves: want at least %d, at most %d", r, p, some, fewer, enough, best)
			}
		}
		if sureOf < asked/2 {
			t.Errorf("%v: sure of %d of %d only", r, sureOf, asked)
		}
	}
}

func TestBestReplyAllocatesNothing(t *testing.T) {
	e := Captures.(LastPlyEvaluator[oware.Position])
	if n := testing.AllocsPerRun(100, func() { e.BestReply(start, Win) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
