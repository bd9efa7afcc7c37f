package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kroo/features"
	"kroo/features/oware/thesis"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/report"
)

// worstBoards is how many of the positions with the largest errors are drawn.
const worstBoards = 3

// boards draw a position of the sample whose error is the middle one, with what each house is
// worth, and then those with the largest errors.
func boards(s *labelled, w *features.Weights) (all []doc.Drawing, err error) {
	places, err := thesis.PlacesOf(w)
	if err != nil || len(s.rows) == 0 {
		return nil, err
	}
	order := make([]int, len(s.rows))
	for i := range order {
		order[i] = i
	}
	size := func(i int) float64 { return math.Abs(s.fitted[i].Y - s.fitted[i].X) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	draw := func(i int, name, title string) {
		p, predicted := s.rows[i].Position, s.fitted[i]
		line := fmt.Sprintf("%s to move. The weights say %s seeds, the search %s.", oware.Descriptor().Sides[p.ToMove()],
			report.Signed(features.Seeds(predicted.X), 1), report.Signed(features.Seeds(predicted.Y), 1))
		all = append(all, report.Board{Position: p, Worth: worth(p, places), Name: name, Title: title, Line: line})
	}
	draw(order[len(order)/2], "board", "A position, house by house")
	for n, i := range order[:min(worstBoards, len(order))] {
		draw(i, fmt.Sprintf("worst-%d", n+1), fmt.Sprintf("Error of %s seeds", report.Number(features.Seeds(size(i)), 1)))
	}
	return all, nil
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
