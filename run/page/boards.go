package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kroo/features"
	"kroo/features/oware/thesis"
	"kroo/games/oware"
	"kroo/report"
)

// worstBoards is how many of the positions with the largest errors are drawn.
const worstBoards = 3

// boards draws a position of the sample whose error is the middle one, with what each
// house is worth, and those with the largest errors.
func boards(s *labelled, w *features.Weights) (typical report.Figure, worst []report.Figure, err error) {
	places, err := thesis.PlacesOf(w)
	if err != nil || len(s.rows) == 0 {
		return typical, nil, err
	}
	order := make([]int, len(s.rows))
	for i := range order {
		order[i] = i
	}
	size := func(i int) float64 { return math.Abs(s.fitted[i].Y - s.fitted[i].X) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	draw := func(i int, name, title string) (report.Figure, error) {
		p, predicted := s.rows[i].Position, s.fitted[i]
		line := fmt.Sprintf("%s to move. The weights say %s seeds, the search %s.", oware.Descriptor().Sides[p.ToMove()],
			report.Signed(features.Seeds(predicted.X), 1), report.Signed(features.Seeds(predicted.Y), 1))
		return report.Board{Position: p, Worth: worth(p, places)}.Draw(name, title, line)
	}
	if typical, err = draw(order[len(order)/2], "board", "A position, house by house"); err != nil {
		return typical, nil, err
	}
	for n, i := range order[:min(worstBoards, len(order))] {
		f, err := draw(i, fmt.Sprintf("worst-%d", n+1), fmt.Sprintf("Error of %s seeds", report.Number(features.Seeds(size(i)), 1)))
		if err != nil {
			return typical, nil, err
		}
		worst = append(worst, f)
	}
	return typical, worst, nil
}

// worth is what each house and store adds to the value for the side to move, in points.
func worth(p oware.Position, places *thesis.Places) *[2][oware.Houses + 1]float64 {
	var points [2][oware.Houses + 1]float64
	for h := range oware.Houses {
		points[0][h] = places[h][p.House(h)]
		points[1][h] = -places[h][p.House(oware.Houses+h)]
	}
	points[0][oware.Houses] = places[oware.Houses][p.Store()]
	points[1][oware.Houses] = -places[oware.Houses][p.OpponentStore()]
	return &points
}
