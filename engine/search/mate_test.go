package search

import (
	"context"
	"math/rand/v2"
	"testing"

	evaluations "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// A search for a win in n moves finds one exactly where the plainest of
// searches, as deep, does; whatever it knows from searches before.
func TestMateIsFoundOrRefuted(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	found, refuted := 0, 0
	for _, rules := range allRules {
		s := NewSearcher(captures, Options{HashMB: 1, FullWidth: true})
		for range 60 {
			p := nearlyWon(rng, rules)
			if _, over := p.Terminal(); over {
				continue
			}
			for _, moves := range []int{3, 1, 2} {
				plies := 2*moves - 1
				score, _ := Minimax(p, nil, plies, evaluations.Captures{})
				want := score >= Win-plies
				r := s.Search(context.Background(), p, nil, Limits{Mate: moves}, Query{})
				if got := r.Score >= Win-plies; got != want || r.Depth > plies {
					t.Errorf("%s %s, mate in %d: score %d at depth %d, minimax %d", rules, p, moves, r.Score, r.Depth, score)
				}
				if want {
					found++
				} else {
					refuted++
				}
			}
		}
	}
	if found < 50 || refuted < 50 {
		t.Errorf("%d wins and %d none: too few of one kind to mean much", found, refuted)
	}
}

// nearlyWon scatters twelve seeds; the player to move needs a few of them.
func nearlyWon(rng *rand.Rand, r oware.Rules) oware.Position {
	var houses [2 * oware.Houses]int
	for range 12 {
		houses[rng.IntN(len(houses))]++
	}
	mine := 20 + rng.IntN(4)
	p, err := oware.New(r, houses, [2]int{mine, 36 - mine}, oware.South)
	if err != nil {
		panic(err)
	}
	return p
}

func TestMateLooksOnForASoonerWin(t *testing.T) {
	s := &Searcher[oware.Position]{lines: []Line{{Score: Win - 7}}}
	for moves, want := range map[int]bool{0: true, 3: false, 4: true, MaxPly: true} {
		testkit.Equal(t, s.conclusive(Limits{Mate: moves}, false), want, "a win in 7 plies decides mate in %d", moves)
	}
	s.lines[0].Score = -(Win - 8)
	if !s.conclusive(Limits{Mate: 1}, false) {
		t.Error("a proven loss does not decide it")
	}
}
