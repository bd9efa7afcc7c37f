package chess

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kroo/features"
	"kroo/games/chess"
	"kroo/games/gametest"
	"kroo/internal/testkit"
)

func position(t *testing.T, fen string) chess.Position {
	t.Helper()
	return testkit.Must(chess.ParseBoard(chess.Full, fen))(t)
}

func TestFeaturesOfHandCountedBoards(t *testing.T) {
	p := position(t, "4k3/2p4p/8/8/8/8/2N5/QR2K3 b - - 0 1") // Black to move
	own, opp := make([]int, 5), make([]int, 5)
	Sets.All[0].Values(p, own, opp)
	if !slices.Equal(own, []int{2, 0, 0, 0, 0}) || !slices.Equal(opp, []int{0, 1, 0, 1, 1}) {
		t.Errorf("pieces: own %v, opp %v", own, opp)
	}
	s := Sets.All[1]
	if s.Len() != 24+4*32+9 || s.Features[0] != "pawn_a2" || s.Features[23] != "pawn_d7" || s.Features[160] != "king_out" {
		t.Fatalf("features %v", s.Features)
	}
	own, opp = make([]int, s.Len()), make([]int, s.Len())
	s.Values(p, own, opp)
	for want, values := range map[string][]int{"pawn_c2 pawn_a2 king_d1": own, "knight_c2 queen_a1 rook_b1 king_d1": opp} {
		for i, n := range values {
			if in := slices.Contains(strings.Fields(want), s.Features[i]); n > 1 || in != (n == 1) {
				t.Errorf("%s counts %d, want those of %s", s.Features[i], n, want)
			}
		}
	}
}

func weights(t *testing.T, set string, rng *rand.Rand) *Model {
	t.Helper()
	s := testkit.Must(Sets.ByName(set))(t)
	points := make([]float64, s.Len())
	for i := range points {
		points[i] = 400*rng.Float64() - 100
	}
	return testkit.Must(Sets.Model(testkit.Must(features.New("chess", "full", s.Info, s.Names(), points))(t)))(t)
}

func TestEvaluateIsTheFittedFunction(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, set := range Sets.Names() {
		w := weights(t, set, rng)
		e := NewEvaluator(w)
		for _, p := range gametest.RandomPositions(t, chess.Descriptor(), rng, "full", 300) {
			// A point is a hundredth of a pawn.
			if got, want := float64(e.Evaluate(p)), w.Exact(p); math.Abs(got-want) > 0.5+1e-9 {
				t.Fatalf("%v: %g: want %g", p, got, want)
			}
		}
	}
}

// The reference for LaMoSca's evaluation reads the board's letters.
func TestLaMoScaAgreesWithTheReference(t *testing.T) {
	e := LaMoSca()
	rng := rand.New(rand.NewPCG(2, 1))
	for _, p := range gametest.RandomPositions(t, chess.Descriptor(), rng, "lamosca", 300) {
		want, text := 0.0, p.String()
		row, file := 8, 0
		for _, c := range text[:strings.Index(text, " ")] {
			switch {
			case c == '/':
				row, file = row-1, 0
			case c <= '8':
				file += int(c - '0')
			default:
				sign, rank, kind := 1.0, row, strings.IndexRune("PNBRQK", c)
				if kind < 0 {
					sign, rank, kind = -1, 9-row, strings.IndexRune("pnbrqk", c)
				}
				name := []byte{"abcddcba"[file], '0' + byte(rank)}
				want += sign * (pieceValues[kind] + squareValues[kind][string(name)])
				file++
			}
		}
		if p.SideToMove() == chess.Black {
			want = -want
		}
		if got := e.Evaluate(p); got != int(want) {
			t.Fatalf("%s: %d, want %g", p, got, want)
		}
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	e, p, sum := LaMoSca(), position(t, "4k3/2p4p/8/8/8/8/2N5/QR2K3 b - - 0 1"), 0
	if n := testing.AllocsPerRun(100, func() { sum += e.Evaluate(p) }); n != 0 || sum == 0 {
		t.Errorf("%v allocations, sum %d", n, sum)
	}
}
