package oware

import (
	"slices"
	"testing"

	"kroo/games"
	"kroo/internal/testkit"
)

// Three seeds that chase each other round the board without captures. The moves are legal under
// all rules and lead back to the same position.
const (
	cycleStart = "0-0-1-0-0-1-0-0-0-0-0-1-22-23-S"
	cycleMoves = "FaCfDbAcEdBe"
)

// play plays the moves given as letters.
func play(t *testing.T, g *games.Line[Position], letters string) {
	t.Helper()
	for i, c := range []byte(letters) {
		m, side, err := ParseMove(c)
		if err != nil || side != g.Position().ToMove() {
			t.Fatalf("move %d of %s: %v to move, error %v", i+1, letters, g.Position().ToMove(), err)
		}
		if err := g.Play(m); err != nil {
			t.Fatalf("move %d of %s: %v", i+1, letters, err)
		}
	}
}

func checkOver(t *testing.T, g *games.Line[Position], diff int, reason games.Reason, over bool, south, north float64) {
	t.Helper()
	gotDiff, gotReason, gotOver := g.Over()
	if gotDiff != diff || gotReason != reason || gotOver != over {
		t.Errorf("%v: Over() = %d, %q, %v, want %d, %q, %v", g.Position(), gotDiff, gotReason, gotOver, diff, reason, over)
	}
	if s, n := stores(g); s != south || n != north {
		t.Errorf("%v: Stores() = %v, %v, want %v, %v", g.Position(), s, n, south, north)
	}
}

func TestAbapaRepetitionEndsGame(t *testing.T) {
	g := descriptor.NewLine(board(t, Abapa, cycleStart))
	play(t, g, cycleMoves[:11])
	checkOver(t, g, 0, "", false, 22, 23)
	play(t, g, cycleMoves[11:])
	checkOver(t, g, 22+2-23-1, games.Repeated, true, 24, 24)
	testkit.Refused(t, g.Play(5), "after the end of the game (repetition)")
}

// The same cycle, closed with another distribution of seeds, has another value.
func TestAbapaRepetitionValueDependsOnPosition(t *testing.T) {
	g := descriptor.NewLine(board(t, Abapa, cycleStart))
	play(t, g, cycleMoves[:1])
	g = descriptor.NewLine(g.Position())
	play(t, g, cycleMoves[1:]+cycleMoves[:1])
	checkOver(t, g, 22+1-23-2, games.Repeated, true, 23, 25)
}

func TestAwariRepetitionEndsGame(t *testing.T) {
	g := descriptor.NewLine(board(t, Awari, cycleStart))
	play(t, g, cycleMoves)
	checkOver(t, g, -1, games.Repeated, true, 23.5, 24.5)
}

func TestSimpleRepetitionEndsGameTheThirdTime(t *testing.T) {
	g := descriptor.NewLine(board(t, Simple, cycleStart))
	play(t, g, cycleMoves)
	checkOver(t, g, 0, "", false, 22, 23)
	play(t, g, cycleMoves)
	checkOver(t, g, -1, games.Repeated, true, 23.5, 24.5)
}

func TestUndoForgetsRepetition(t *testing.T) {
	g := descriptor.NewLine(board(t, Abapa, cycleStart))
	play(t, g, cycleMoves)
	if !g.Undo() {
		t.Fatal("nothing to undo")
	}
	checkOver(t, g, 0, "", false, 22, 23)
	play(t, g, cycleMoves[11:])
	checkOver(t, g, 0, games.Repeated, true, 24, 24)
	for g.Undo() {
	}
	if g.Plies() != 0 || g.Position().String() != cycleStart || len(g.History()) != 0 || len(g.Moves()) != 0 {
		t.Errorf("after undoing all: %d plies, %v", g.Plies(), g.Position())
	}
	play(t, g, cycleMoves)
	checkOver(t, g, 0, games.Repeated, true, 24, 24)
}

func TestMajorityEndsGame(t *testing.T) {
	for _, r := range []Rules{Abapa, Awari, Simple} { // nobody takes the seeds still in play
		checkOver(t, descriptor.NewLine(board(t, r, "4-3-3-3-3-3-0-0-0-0-0-1-25-3-N")), 22, Majority, true, 25, 3)
		checkOver(t, descriptor.NewLine(board(t, r, "4-3-3-3-3-3-0-0-0-0-0-1-3-25-N")), -22, Majority, true, 3, 25)
	}
}

func TestTwentyFourAllEndsGame(t *testing.T) {
	for _, r := range allRules {
		checkOver(t, descriptor.NewLine(board(t, r, "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S")), 0, Drawn, true, 24, 24)
	}
}

func TestNoMovesEndsGame(t *testing.T) {
	checkOver(t, descriptor.NewLine(board(t, Abapa, unfed)), 2, NoMoves, true, 25, 23)
	g := descriptor.NewLine(board(t, Awari, unfed))
	play(t, g, "A")
	checkOver(t, g, 2, NoMoves, true, 25, 23)
	g = descriptor.NewLine(board(t, Simple, unfed))
	play(t, g, "A")
	checkOver(t, g, 2, NoMoves, true, 25, 23)
	for _, r := range allRules {
		checkOver(t, descriptor.NewLine(board(t, r, "0-0-0-0-0-0-1-0-2-0-0-0-22-23-S")), -4, NoMoves, true, 22, 26)
	}
}

func TestIllegalMoveChangesNothing(t *testing.T) {
	g := descriptor.NewLine(board(t, Abapa, hungry))
	for _, m := range []Move{0, 1, 6, 0xffff} {
		testkit.Refused(t, g.Play(m), "expected C, F")
	}
	if g.Plies() != 0 || g.Position() != board(t, Abapa, hungry) {
		t.Errorf("after refused moves: %d plies, %v", g.Plies(), g.Position())
	}
}

func TestCloneIsIndependent(t *testing.T) {
	g := descriptor.NewLine(board(t, Abapa, cycleStart))
	play(t, g, cycleMoves[:10])
	c := g.Clone()
	play(t, c, cycleMoves[10:])
	checkOver(t, c, 0, games.Repeated, true, 24, 24)
	checkOver(t, g, 0, "", false, 22, 23)
	play(t, g, cycleMoves[10:])
	if !slices.Equal(g.Moves(), c.Moves()) || !slices.Equal(g.History(), c.History()) || g.Position() != c.Position() {
		t.Errorf("the same moves lead to %v and %v", g.Position(), c.Position())
	}
}

// Compares history, moves and result of random games with a plain replay.
func TestGameAgreesWithReplay(t *testing.T) {
	r := rng(31)
	ends := map[games.Reason]int{}
	for i := range 800 {
		g := descriptor.NewLine(Start(allRules[i%len(allRules)]))
		for {
			_, reason, over := g.Over()
			if over {
				ends[reason]++
				break
			}
			legal := g.Position().AppendMoves(nil)
			testkit.NoError(t, g.Play(legal[r.IntN(len(legal))]))
		}
		p, limit := Start(allRules[i%len(allRules)]), 2
		switch p.Rules() {
		case Simple, SimpleToEnd:
			limit = 3
		case Arena: // repetitions do not end a game
			limit = len(g.Moves()) + 1
		}
		history := append(g.History(), g.Position())
		for ply, m := range g.Moves() {
			times := 0
			for _, q := range history[:ply+1] {
				if q == p {
					times++
				}
			}
			if _, over := p.Terminal(); over || times >= limit || history[ply] != p {
				t.Fatalf("ply %d: %v, seen %d times, in the history %v", ply, p, times, history[ply])
			}
			p = p.Play(m)
		}
		if p != g.Position() {
			t.Fatalf("replay ends in %v, the game in %v", p, g.Position())
		}
		south, north := stores(g)
		if diff, reason, _ := g.Over(); south-north != float64(diff) || (reason != Majority && reason != games.PlyLimit && south+north != Seeds) {
			t.Fatalf("%v (%s): stores %v and %v, difference %d", p, reason, south, north, diff)
		}
	}
	if ends[Majority] == 0 || ends[NoMoves] == 0 {
		t.Errorf("the games ended by %v: expected majorities and lack of moves among them", ends)
	}
}

// This is the worked example of Ferrando, Bonanno and Repetto: South captures two with house 6;
// both moves that North then has leave South without seeds, so both are legal under awari, and
// North ends with 27 seeds to 21. Without the seed in North's house 6 (a), North has three
// moves, of which only that from a to b leaves South seeds. Here 25 seeds end the game before
// North takes the remaining two. The figure of the paper is lost; this game was found among
// random ones.
func TestAwariStarvingMovesAreLegalIfAllStarve(t *testing.T) {
	g := descriptor.NewLine(Start(Awari))
	play(t, g, "CaAeFdEdCbFcAbEdBfBbCcAbEcFbCcDeFdFeEcBaBbCcDeFfDcFbEeAdDeCfEbDaEcDbEfBaDbCeDcFbBaAfFdDcCdBeAbBcFaDfCbAcDeBfDdFeCfEaDdEeCcDdBfFbCeEaDcFfEd")
	if got := g.Position().String(); got != "1-0-0-0-0-1-1-0-0-0-2-1-19-23-S" {
		t.Fatalf("the game leads to %s", got)
	}
	testkit.Equal(t, g.Position().Gain(5), 2, "house 6 takes")
	play(t, g, "F")
	testkit.Equal(t, names(g.Position()), "ef", "North has the moves")
	for _, m := range []string{"e", "f"} {
		end := g.Clone()
		play(t, end, m)
		if own, north := end.Position().SideSeeds(); own != 0 || north != 2 {
			t.Errorf("%s leaves South %d seeds and North %d, want 0 and 2", m, own, north)
		}
		checkOver(t, end, 21-25, Majority, true, 21, 25)
	}
	fed := descriptor.NewLine(board(t, Awari, "1-0-0-0-0-1-0-0-0-0-2-1-19-24-S"))
	play(t, fed, "F")
	testkit.Equal(t, names(fed.Position()), "a", "without the seed in a North has the moves")
}
