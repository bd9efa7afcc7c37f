package elo

import (
	"cmp"
	"slices"
)

// Standing is one player's row in a cross table.
type Standing struct {
	Name string `json:"name"`
	Rating
	// LOS is the likelihood that the player is stronger than the next one; 0 for the last.
	LOS      float64 `json:"los"`
	Wins     int     `json:"wins"` // games
	Draws    int     `json:"draws"`
	Losses   int     `json:"losses"`
	Forfeits int     `json:"forfeits"` // games lost by a fault
	// Against is the results against each player, in the order of the standings, as seen by this
	// player; without games against itself.
	Against []Score `json:"against"`
}

// Games returns the number of games played.
func (s Standing) Games() int { return s.Wins + s.Draws + s.Losses }

// Points counts a win as 1 and a draw as ½.
func (s Standing) Points() float64 { return float64(s.Wins) + float64(s.Draws)/2 }

// Standings ranks players, the strongest first. Players with equal ratings keep the order of names.
// Several pairings of the same two are added up.
func Standings(names []string, pairings []Pairing) ([]Standing, error) {
	ratings, err := rate(len(names), pairings)
	if err != nil {
		return nil, err
	}
	results := make([][]Score, len(names))
	for i := range results {
		results[i] = make([]Score, len(names))
	}
	for _, p := range pairings {
		results[p.A][p.B] = results[p.A][p.B].plus(p.Score)
		results[p.B][p.A] = results[p.B][p.A].plus(p.Score.reversed())
	}
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(ratings.Players[j].Elo, ratings.Players[i].Elo)
	})
	standings := make([]Standing, len(names))
	for place, i := range order {
		s := Standing{Name: names[i], Rating: ratings.Players[i]}
		for _, j := range order {
			r := results[i][j]
			s.Wins, s.Draws, s.Losses, s.Forfeits = s.Wins+r.Wins, s.Draws+r.Draws, s.Losses+r.Losses, s.Forfeits+r.Forfeits[0]
			s.Against = append(s.Against, r)
		}
		if place+1 < len(order) {
			s.LOS = ratings.los(i, order[place+1])
		}
		standings[place] = s
	}
	return standings, nil
}
