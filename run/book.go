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

// Sizes of the tree that is drawn.
const (
	treePlies = 6
	treeEnds  = 24 // lines
	treeMoves = 3  // of a position after the first, the best among them
)

// grown is the part of a book's tree that is drawn.
type grown struct {
	*results
	tree *book.Tree
	ends int
}

type shoot struct {
	twig *report.Twig
	at   oware.Position
	ply  int
}

// treeOf draws a book from the start: all first moves, then the best replies and those with the most
// positions below them.
func (p *results) treeOf(b *book.Tree) report.Tree {
	start := oware.Start(p.rules)
	t := report.Tree{Name: "book-tree", Title: "The opening book as a tree", Line: "South's winning chances in percent; thicker lines lead to more of the book"}
	if p.calibration == nil {
		t.Line = "Scores for South, in seeds; thicker lines lead to more of the book"
	}
	t.Caption = fmt.Sprintf("All first moves, then the best reply and the replies with the largest parts of the book, %d lines in all. South's moves are capitals. A long black line: the book follows best play far.", treeEnds)
	if at, found := b.At(start); found {
		t.Root.Below = at.Below
	}
	g := grown{results: p, tree: b, ends: 1}
	open := []shoot{{&t.Root, start, 0}}
	for len(open) > 0 {
		slices.SortStableFunc(open, func(a, b shoot) int { return cmp.Compare(b.twig.Below, a.twig.Below) })
		next := g.grow(open[0])
		open = append(open[1:], next...)
	}
	return t
}

// grow adds the moves of a position, unless there is no room for them.
func (g *grown) grow(s shoot) (next []shoot) {
	found, in := g.tree.At(s.at)
	moves := found.Moves
	slices.SortStableFunc(moves, func(a, b book.Branch) int {
		switch {
		case a.Best == b.Best:
			return cmp.Compare(b.Below, a.Below)
		case a.Best:
			return -1
		}
		return 1
	})
	if s.ply > 0 {
		moves = moves[:min(len(moves), treeMoves)]
		moves = slices.DeleteFunc(moves, func(b book.Branch) bool { return !b.Best && !b.Entry })
	}
	if !in || s.ply == treePlies || g.ends+len(moves)-1 > treeEnds {
		return nil
	}
	g.ends += max(0, len(moves)-1)
	for _, b := range moves {
		points := float64(b.Score) // for South
		if s.at.ToMove() == oware.North {
			points = -points
		}
		twig := &report.Twig{Move: oware.MoveName(b.Move, s.at.ToMove()), Worth: report.Signed(features.Seeds(points), 1), Value: points, Below: b.Below, Best: b.Best && (s.ply == 0 || s.twig.Best)}
		if chance, ok := g.prospects(points, s.at); ok {
			twig.Worth = report.Number(chance.Expected(), 0) + " %"
		}
		s.twig.Next = append(s.twig.Next, twig)
		if b.Entry {
			next = append(next, shoot{twig, s.at.Play(b.Move), s.ply + 1})
		}
	}
	return next
}

// bookSections returns the picture of the book, and its diagrams and first moves for experts.
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
	leaves = doc.Section{Heading: "First moves and drop-out diagrams", Table: p.firstMoves()}
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

// firstMoves has the first moves with their values.
func (p *results) firstMoves() *doc.Table {
	t := doc.NewTable("move", "chance", "expected margin", "score, seeds")
	t.Caption = "The first moves, for South."
	for i, v := range p.book.RootScores {
		if v == book.Illegal {
			continue
		}
		chance, margin := "–", "–"
		if s, ok := p.prospects(float64(v), oware.Start(p.rules)); ok {
			chance, margin = report.Number(s.Expected(), 0)+" %", report.Signed(s.Margin, 1)
		}
		t.Add(oware.MoveName(oware.Move(i), oware.South), chance, margin, report.Signed(features.Seeds(float64(v)), 2))
	}
	return t
}
