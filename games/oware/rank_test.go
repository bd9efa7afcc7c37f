package oware

import (
	"cmp"
	"math/big"
	"slices"
	"testing"

	"kroo/internal/testkit"
)

// slowRank computes the rank by definition (Sala Soler 2014, fig. 3.5), with big integers.
func slowRank(p Position) int64 {
	tw := twinOf(p)
	v := append(tw.board[:], tw.store[:]...)
	rank := new(big.Int)
	n := v[13]
	for i := 12; i >= 0 && n < 48; i-- {
		rank.Add(rank, new(big.Int).Binomial(int64(48-n+i), int64(i+1)))
		n += v[i]
	}
	return rank.Int64()
}

func TestRankOfStart(t *testing.T) {
	for _, r := range allRules {
		p := Start(r)
		if p.Rank() != 6391067534472 || p.BookKey() != 15187160556680 || p.Swap().BookKey() != 6391067534472 {
			t.Errorf("%v: rank %d, key %d, with North to move %d", r, p.Rank(), p.BookKey(), p.Swap().BookKey())
		}
	}
}

func TestRanksIsTheNumberOfBoards(t *testing.T) {
	if want := new(big.Int).Binomial(61, 13); want.Int64() != Ranks {
		t.Errorf("Ranks = %d, want %d", int64(Ranks), want)
	}
	for rank, want := range map[int64]string{
		0:         "0-0-0-0-0-0-0-0-0-0-0-0-0-48-N",
		1:         "0-0-0-0-0-0-0-0-0-0-0-0-1-47-N",
		2:         "0-0-0-0-0-0-0-0-0-0-0-1-0-47-N",
		Ranks - 1: "48-0-0-0-0-0-0-0-0-0-0-0-0-0-N",
	} {
		p, err := Unrank(Abapa, rank, North)
		if err != nil || p.String() != want {
			t.Errorf("rank %d is %v, %v; want %s", rank, p, err, want)
		}
	}
}

func checkRank(t *testing.T, p Position) {
	t.Helper()
	rank := p.Rank()
	if want := slowRank(p); rank != want {
		t.Fatalf("%v: rank %d, by definition %d", p, rank, want)
	}
	if q, err := Unrank(p.Rules(), rank, p.ToMove()); err != nil || q != p {
		t.Fatalf("%v: Unrank(%d) = %v, %v", p, rank, q, err)
	}
	if q, err := FromBookKey(p.Rules(), p.BookKey()); err != nil || q != p {
		t.Fatalf("%v: FromBookKey(%d) = %v, %v", p, p.BookKey(), q, err)
	}
}

func TestRankAgreesWithDefinition(t *testing.T) {
	r := rng(21)
	for i := range 20_000 {
		rules := allRules[i%3]
		rank, side := r.Int64N(Ranks), Side(r.IntN(2))
		switch { // include both ends of the range
		case i < 1000:
			rank = int64(i)
		case i < 2000:
			rank = Ranks - 1 - int64(i-1000)
		}
		p, err := Unrank(rules, rank, side)
		if err != nil || p.Rank() != rank || p.ToMove() != side || p.Rules() != rules {
			t.Fatalf("Unrank(%v, %d, %v) = %v, %v of rank %d", rules, rank, side, p, err, p.Rank())
		}
		checkRank(t, p)
		checkRank(t, randomLumpy(r, rules))
	}
}

func TestUnrankRefuses(t *testing.T) {
	for _, tt := range []struct {
		rules Rules
		rank  int64
		side  Side
		want  string
	}{
		{Abapa, -1, South, "rank -1 out of range"},
		{Abapa, Ranks, South, "expected 0 to 6566222272574"},
		{Rules(5), 0, South, "unknown rules"},
		{Abapa, 0, Side(2), "unknown side"},
	} {
		_, err := Unrank(tt.rules, tt.rank, tt.side)
		testkit.ErrorContains(t, err, tt.want)
	}
	for _, key := range []int64{-1, -1 << 63, Ranks, SouthKey - 1, SouthKey + Ranks, 1<<63 - 1} {
		if p, err := FromBookKey(Abapa, key); err == nil {
			t.Errorf("FromBookKey(%d) = %v", key, p)
		}
	}
}

func TestOrbitIsInvariantUnderMirror(t *testing.T) {
	r := rng(22)
	for range 1000 {
		p := randomRanked(r, Abapa)
		south := p
		if p.ToMove() == North {
			south = p.Mirror()
		}
		if p.Orbit() != p.Mirror().Orbit() || p.Orbit() != south.BookKey() {
			t.Fatalf("%v: orbit %d, of the mirror %d, key with South to move %d", p, p.Orbit(), p.Mirror().Orbit(), south.BookKey())
		}
		if p.Orbit() == p.Swap().Orbit() && p != p.Swap().Mirror() {
			t.Fatalf("%v: the other side to move gives the same orbit", p)
		}
	}
}

func TestReachableMeansNoStoreOfOneSeed(t *testing.T) {
	for s, want := range map[string]bool{
		"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S": true,
		"3-4-4-4-4-4-4-4-4-4-4-4-1-0-S": false,
		"3-4-4-4-4-4-4-4-4-4-4-4-0-1-S": false,
		"2-4-4-4-4-4-4-4-4-4-4-4-0-2-N": true,
	} {
		testkit.Equal(t, board(t, Abapa, s).Reachable(), want, "%s: Reachable()", s)
	}
}

// boards lists all positions with few seeds in play, South to move.
func boards(r Rules, seeds int) (all []Position) {
	var houses [2 * Houses]int
	var place func(i, left int)
	place = func(i, left int) {
		if i == len(houses)-1 {
			houses[i] = left
			p, err := New(r, houses, [2]int{Seeds - seeds, 0}, South)
			if err != nil {
				panic(err)
			}
			all = append(all, p)
			return
		}
		for n := range left + 1 {
			houses[i] = n
			place(i+1, left-n)
		}
	}
	place(0, seeds)
	return all
}

func comparePositions(a, b Position) int {
	return cmp.Or(cmp.Compare(a.own, b.own), cmp.Compare(a.opp, b.opp))
}

func TestQuietPredecessorsAreAllMovesTakenBack(t *testing.T) {
	for _, rules := range allRules {
		for seeds := range 6 {
			want := map[Position][]Position{}
			for _, p := range boards(rules, seeds) {
				for _, m := range p.AppendMoves(nil) {
					if p.Gain(m) == 0 {
						after := p.Play(m)
						want[after] = append(want[after], p)
					}
				}
			}
			for _, p := range boards(rules, seeds) {
				q := p.Swap() // North to move, South's move is taken back
				got := q.AppendQuietPredecessors(nil)
				slices.SortFunc(got, comparePositions)
				expected := slices.Clone(want[q])
				slices.SortFunc(expected, comparePositions)
				if !slices.Equal(got, expected) {
					t.Fatalf("%s: %s: predecessors %v, want %v", rules, q, got, expected)
				}
			}
		}
	}
}

func TestPredecessorsOfPositionsWithManySeeds(t *testing.T) {
	r := rng(7)
	for _, rules := range allRules {
		for range 2000 {
			p := randomLumpy(r, rules)
			for _, m := range p.AppendMoves(nil) {
				if found := slices.Contains(p.Play(m).AppendQuietPredecessors(nil), p); found != (p.Gain(m) == 0) {
					t.Fatalf("%s, move %d: found %v among the predecessors, captures %d", p, m, found, p.Gain(m))
				}
			}
		}
	}
}
