package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kroo/book"
	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/report"
)

// firstMove returns the book's best first move as one of the main figures.
func (p *results) firstMove() doc.Fact {
	f := doc.Fact{Name: "best first move", Value: p.book.Best, Note: "score " + report.Signed(features.Seeds(float64(p.book.BestPoints)), 1) + " seeds"}
	if s, ok := p.prospects(float64(p.book.BestPoints), oware.Start(p.rules)); ok {
		f.Value += fmt.Sprintf(", %s %%", report.Number(s.Expected(), 0))
		f.Note = fmt.Sprintf("winning chance; expected margin %s seeds", report.Signed(s.Margin, 1))
	}
	return f
}

// treePlies is the depth of the tree that is drawn.
const treePlies = 6

// treeOf draws a book from the start.
func (p *results) treeOf(b *book.Tree) report.Tree {
	start := oware.Start(p.rules)
	t := report.Tree{Name: "book-tree", Title: "The opening book as a tree", Line: "South's winning chances in percent; thicker lines lead to more of the book",
		Caption: "All first moves, each with the best replies; along the line of best play also the reply with the largest part of the book. South's moves are capitals. A long black line: the book follows best play far."}
	if p.calibration == nil {
		t.Line = "Scores for South, in seeds; thicker lines lead to more of the book"
	}
	at, _ := b.At(start)
	t.Root.Below, t.Root.Next = at.Below, p.twigs(b, start, 0, true)
	return t
}

// twigs returns the moves of a position that are drawn: all at the start, two on the line of best play,
// and one elsewhere.
func (p *results) twigs(t *book.Tree, at oware.Position, ply int, best bool) (next []*report.Twig) {
	found, _ := t.At(at)
	moves := found.Moves
	slices.SortStableFunc(moves, func(a, b book.Branch) int {
		if a.Best != b.Best {
			return map[bool]int{true: -1, false: 1}[a.Best]
		}
		return cmp.Compare(b.Below, a.Below)
	})
	if ply > 0 && len(moves) > 1 {
		moves = moves[:map[bool]int{true: 2, false: 1}[best]]
	}
	for i, b := range moves {
		points := float64(b.Score) // for South
		if at.ToMove() == oware.North {
			points = -points
		}
		twig := &report.Twig{Move: oware.MoveName(b.Move, at.ToMove()), Worth: report.Signed(features.Seeds(points), 1), Value: points, Below: b.Below, Best: best && i == 0}
		if chance, ok := p.prospects(points, at); ok {
			twig.Worth = report.Number(chance.Expected(), 0) + " %"
		}
		if b.Entry && ply+1 < treePlies {
			twig.Next = p.twigs(t, at.Play(b.Move), ply+1, twig.Best)
		}
		next = append(next, twig)
	}
	return next
}

// bookSections returns the picture of the book, and its diagrams for experts.
func (p *results) bookSections() (tree, leaves doc.Section, err error) {
	b, err := book.Open(p.path(bookFile))
	if err != nil {
		return tree, leaves, err
	}
	defer b.Close()
	explored, err := book.Explore(context.Background(), b, p.rules)
	if err != nil {
		return tree, leaves, err
	}
	tree = doc.Section{Heading: "The opening book", Figures: []doc.Drawing{p.treeOf(explored)}, Text: []string{fmt.Sprintf(
		"The book has %s of the %s positions that were searched, to ply %d. It grows where an opponent is likeliest to leave it.",
		report.Count(p.book.Entries), report.Count(p.book.Nodes), p.book.MaxDepth)}}
	if p.calibration != nil {
		tree.Text[0] += " Winning chances are those of games of the program's own weights; this run has too few games for its own."
	}
	survey := explored.Survey()
	leaves = doc.Section{Heading: "Drop-out diagrams"}
	for _, side := range []oware.Side{oware.South, oware.North} {
		figure := report.DropOut{Side: side, Leaves: survey.Sides[side].Leaves}
		if p.calibration != nil {
			figure.Chance = func(points float64) float64 {
				s, _ := p.prospects(points, oware.Start(p.rules))
				return s.Expected()
			}
		}
		leaves.Figures = append(leaves.Figures, figure)
	}
	return tree, leaves, nil
}
