package oware

import (
	"testing"

	"kroo/games"
	"kroo/internal/testkit"
)

// At the limit nobody gets the seeds in play. A new line counts plies from 0.
func TestArenaEndsAfterTwoHundredPlies(t *testing.T) {
	g := descriptor.NewLine(board(t, Arena, cycleStart))
	for g.Plies() < 199 {
		play(t, g, cycleMoves[g.Plies()%12:][:1])
	}
	checkOver(t, g, 0, "", false, 22, 23)
	play(t, g, cycleMoves[g.Plies()%12:][:1])
	checkOver(t, g, -1, games.PlyLimit, true, 22, 23)
	testkit.Refused(t, g.Play(0), "after the end of the game (ply limit)")
	g.Undo()
	checkOver(t, g, 0, "", false, 22, 23)
	checkOver(t, descriptor.NewLine(g.Position()), 0, "", false, 22, 23)
}

// If the 200th ply leaves the opponent without a move, each side gets the seeds in its own
// houses.
func TestArenaTerminalPositionTakesPrecedenceOverLimit(t *testing.T) {
	r, ends := rng(12), 0
	for ends < 5 {
		g := descriptor.NewLine(board(t, Arena, cycleStart))
		for g.Plies() < 200 {
			p := g.Position()
			if _, over := p.Terminal(); over {
				break
			}
			legal := p.AppendMoves(nil)
			m := legal[r.IntN(len(legal))]
			if g.Plies() == 199 {
				for _, last := range legal {
					if _, over := p.Play(last).Terminal(); over {
						m = last
					}
				}
			}
			testkit.NoError(t, g.Play(m))
		}
		if diff, over := g.Position().Terminal(); over && g.Plies() == 200 {
			if g.Position().ToMove() == North {
				diff = -diff
			}
			south, north := stores(g)
			checkOver(t, g, diff, terminalReason(g.Position()), true, south, north)
			if terminalReason(g.Position()) == NoMoves && south+north != Seeds {
				t.Errorf("%v: stores %v and %v", g.Position(), south, north)
			}
			ends++
		}
	}
}
