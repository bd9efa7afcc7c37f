package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/report"
)

// worstBoards is how many of the positions with the largest errors are drawn.
const worstBoards = 3

// boards draw a position of the sample whose error is the middle one, with what each house is
// worth, and then those with the largest errors.
func boards(s *labelled, m *patterns.Model) (all []doc.Drawing) {
	if len(s.rows) == 0 {
		return nil
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
		points, rest := worth(m, p)
		for _, part := range rest {
			line += fmt.Sprintf(" %s is of no single house: %s seeds.", part.Name, report.Signed(features.Seeds(part.Points), 1))
		}
		all = append(all, report.Board{Position: p, Worth: points, Name: name, Title: title, Line: line})
	}
	draw(order[len(order)/2], "board", "A position, house by house")
	for n, i := range order[:min(worstBoards, len(order))] {
		draw(i, fmt.Sprintf("worst-%d", n+1), fmt.Sprintf("Error of %s seeds", report.Number(features.Seeds(size(i)), 1)))
	}
	return all
}

// worth is what each house and store adds to the value for the side to move, in points, and
// the parts that are of none of them.
func worth(m *patterns.Model, p oware.Position) (points *[2][oware.Houses + 1]float64, rest []features.Part) {
	points = new([2][oware.Houses + 1]float64)
	for _, part := range m.Parts(p) {
		for i, share := range part.Shares {
			points[i/len(points[0])][i%len(points[0])] += share
		}
		if part.Shares == nil && part.Points != 0 {
			rest = append(rest, part)
		}
	}
	return points, rest
}
