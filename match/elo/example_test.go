package elo_test

import (
	"fmt"

	"kroo/match/elo"
)

func ExampleScore() {
	var s elo.Score
	win, draw, loss := elo.Outcome{Points: 2}, elo.Outcome{Points: 1}, elo.Outcome{}
	for range 30 {
		s.Add([2]elo.Outcome{win, loss})
		s.Add([2]elo.Outcome{win, draw})
	}
	lead, in := s.Elo()
	fmt.Printf("%d games, Elo %s\n", s.Games(), in.Text(lead, elo.Signed(0)))
	test := elo.SPRT{Leads: elo.Leads{Elo1: 10}, Alpha: 0.05, Beta: 0.05, Model: elo.Normalized}
	fmt.Println(test.Decide(test.LLR(s.Pairs)))
	// Output:
	// 120 games, Elo +89 [+65, +113]
	// undecided
}

func ExampleRate() {
	r, err := elo.Rate(3, []elo.Pairing{
		{A: 0, B: 1, Score: elo.Score{Wins: 30, Losses: 10, Pairs: [5]int{0, 0, 10, 0, 10}}},
		{A: 1, B: 2, Score: elo.Score{Wins: 20, Losses: 20, Pairs: [5]int{0, 0, 20, 0, 0}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, p := range r.Players {
		fmt.Printf("player %d: %+.0f\n", i, p.Elo)
	}
	// Output:
	// player 0: +127
	// player 1: -64
	// player 2: -64
}
