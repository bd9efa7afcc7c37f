package elo_test

import (
	"fmt"

	"kroo/match/elo"
)

func ExampleScore() {
	var s elo.Score
	win := elo.Outcome{HalfPoints: 2}
	draw := elo.Outcome{HalfPoints: 1}
	loss := elo.Outcome{}
	for range 30 {
		s.Add([2]elo.Outcome{win, loss})
		s.Add([2]elo.Outcome{win, draw})
	}
	lead, in := s.Elo()
	fmt.Printf("%d games, Elo %s\n", s.Games(), in.Text(lead, elo.SignedFormat(0)))
	test := elo.SPRT{Leads: elo.Leads{Elo1: 10}, Alpha: 0.05, Beta: 0.05, Model: elo.Normalized}
	fmt.Println(test.Decide(test.LLR(s.Pairs)))
	// Output:
	// 120 games, Elo +89 [+65, +113]
	// undecided
}
