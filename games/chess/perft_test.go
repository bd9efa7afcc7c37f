package chess

import (
	"testing"

	"kroo/games"
	"kroo/internal/testkit"
)

func parse(t testing.TB, rules Rules, fen string) Position {
	t.Helper()
	return testkit.Must(ParseBoard(rules, fen))(t)
}

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

// The counts are published at chessprogramming.org/Perft_Results: the start, P. McKenzie's
// Kiwipete, and positions 3 to 6 there, which are rich in en passant captures, promotions, pins
// and checks.
func TestPerftOfFullRules(t *testing.T) {
	for fen, want := range map[string][]int64{
		startBoards[Full]: {1, 20, 400, 8902, 197281},
		kiwipete:          {1, 48, 2039, 97862},
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1":                                {1, 14, 191, 2812, 43238},
		"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1":         {1, 6, 264, 9467},
		"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8":                {1, 44, 1486, 62379},
		"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": {1, 46, 2079, 89890},
	} {
		p := parse(t, Full, fen)
		for depth, n := range want {
			testkit.Equal(t, p.perft(depth), n, "%s, depth %d", fen, depth)
		}
	}
}

// Up to four plies no king can be captured, so the counts are those of chess plus moves that
// leave the king in check, which exist from the fourth ply on.
func TestPerftOfLaMoScasRules(t *testing.T) {
	for depth, want := range []int64{1, 20, 400, 8902, 197742} {
		testkit.Equal(t, Start(LaMoSca).perft(depth), want, "depth %d", depth)
	}
}

func TestPerftsAgree(t *testing.T) {
	for _, p := range []Position{Start(Full), parse(t, Full, kiwipete), Start(LaMoSca)} {
		for depth := range 4 {
			testkit.Equal(t, p.perft(depth), games.Perft(p, depth), "%s, depth %d", p, depth)
		}
	}
}

// A draw for lack of material does not end a count.
func TestPerftContinuesWithoutMatingMaterial(t *testing.T) {
	p := parse(t, Full, "8/8/8/3k4/8/8/8/K7 w - - 0 1")
	testkit.Equal(t, p.perft(1), 3, "p.perft")
}

func TestMovesAllocateNothing(t *testing.T) {
	p := parse(t, Full, kiwipete)
	var room [MaxMoves]Move
	var hints [MaxMoves]int32
	sum := uint64(0)
	if n := testing.AllocsPerRun(100, func() {
		moves := p.AppendMoves(room[:0])
		p.AppendHints(hints[:0], moves)
		for _, m := range moves {
			q := p.Play(m)
			diff, _ := q.Terminal()
			sum += q.Key() + uint64(diff)
		}
	}); n != 0 || sum == 0 {
		t.Errorf("%v allocations", n)
	}
}
