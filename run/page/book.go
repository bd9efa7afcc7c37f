package page

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"kroo/book"
	"kroo/dropout"
	"kroo/engine"
	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/report"
)

// calibrationOf returns the calibration of the program's weights for the rules, or nil.
func calibrationOf(rules string) *features.Calibration {
	e, err := patterns.Default(rules)
	if err != nil || e == nil {
		return nil
	}
	return e.Header().Calibration
}

// prospects are those of a move's value, in points, at a position.
func (c *Counts) prospects(points int, p oware.Position) (engine.Prospects, bool) {
	kit := engine.Oware()
	return kit.Prospects(engine.Evaluation[oware.Position]{Calibration: calibrationOf(c.Rules.String())}, p, int(math.Round(100*features.Seeds(float64(points)))))
}

// worthText is the chance that a value, in points for the side to move, gives a side; or its score
// where no chances are known.
func (c *Counts) worthText(points int, p oware.Position, side oware.Side) string {
	if side != p.ToMove() {
		points = -points
	}
	if s, ok := c.prospects(points, p); ok {
		return report.Number(s.Expected(), 0) + " %"
	}
	return report.Signed(features.Seeds(float64(points)), 1)
}

// firstMove is the book's best first move among the figures that matter most.
func (c *Counts) firstMove() doc.Fact {
	start := oware.Start(c.Rules)
	f := doc.Fact{Name: "best first move", Value: c.Book.Best, Note: "score " + report.Signed(features.Seeds(float64(c.Book.BestPoints)), 1) + " seeds"}
	if s, ok := c.prospects(c.Book.BestPoints, start); ok {
		f.Value += fmt.Sprintf(", %s %%", report.Number(s.Expected(), 0))
		f.Note = fmt.Sprintf("chance of a win and half that of a draw; expected margin %s seeds", report.Signed(s.Margin, 1))
	}
	return f
}

// Sizes of the tree that is drawn.
const (
	treePlies = 6
	treeEnds  = 24 // lines
	treeMoves = 3  // of a position after the first, the best among them
)

// grown is the tree of a book that is drawn: where it is largest.
type grown struct {
	counts *Counts
	book   *book.Tree
	ends   int
}

type shoot struct {
	twig *report.Twig
	at   oware.Position
	ply  int
}

// treeOf draws a book from the start on: all first moves, then the best replies and those with
// the largest parts of the book, there first where most of it is.
func (c *Counts) treeOf(b *book.Tree) report.Tree {
	start := oware.Start(c.Rules)
	t := report.Tree{Name: "book-tree", Title: "The opening book as a tree", Line: "South's chances in percent; thicker lines lead to more of the book"}
	if calibrationOf(c.Rules.String()) == nil {
		t.Line = "Scores for South, in seeds; thicker lines lead to more of the book"
	}
	t.Caption = fmt.Sprintf("All first moves, then the best reply and the replies with the largest parts of the book, %d lines in all. South's moves are capitals.", treeEnds)
	if at, found := b.At(start); found {
		t.Root.Below = at.Below
	}
	g := grown{counts: c, book: b, ends: 1}
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
	found, in := g.book.At(s.at)
	moves := found.Moves
	slices.SortStableFunc(moves, func(a, b book.Branch) int {
		return cmp.Or(cmp.Compare(btoi(b.Best), btoi(a.Best)), cmp.Compare(b.Below, a.Below))
	})
	if s.ply > 0 {
		moves = moves[:min(len(moves), treeMoves)]
		moves = slices.DeleteFunc(moves, func(b book.Branch) bool { return !b.Best && !b.Entry })
	}
	if !in || s.ply == treePlies || g.ends+len(moves)-1 > treeEnds {
		return nil
	}
	g.ends += max(0, len(moves)-1)
	south := 1.0
	if s.at.ToMove() == oware.North {
		south = -1
	}
	for _, b := range moves {
		twig := &report.Twig{Move: oware.MoveName(b.Move, s.at.ToMove()), Worth: g.counts.worthText(b.Score, s.at, oware.South), Value: south * float64(b.Score), Below: b.Below, Best: b.Best && (s.ply == 0 || s.twig.Best)}
		s.twig.Next = append(s.twig.Next, twig)
		if b.Entry {
			next = append(next, shoot{twig, s.at.Play(b.Move), s.ply + 1})
		}
	}
	return next
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// bookSections are the picture of the book, and its diagrams and first moves for experts.
func (c *Counts) bookSections() (tree, leaves doc.Section, err error) {
	b, err := book.Open(c.BookFile)
	if err != nil {
		return tree, leaves, err
	}
	defer b.Close()
	explored, err := book.Explore(context.Background(), b, c.Rules)
	if err != nil {
		return tree, leaves, err
	}
	tree = doc.Section{Heading: "The opening book", Figures: []doc.Drawing{c.treeOf(explored)}, Text: []string{fmt.Sprintf(
		"%s positions are in the book, %s were searched, to ply %d. It grows where an opponent is likeliest to leave it.",
		report.Count(c.Book.Entries), report.Count(c.Book.Nodes), c.Book.MaxDepth)}}
	if calibrationOf(c.Rules.String()) != nil {
		tree.Text[0] += " The percentages are the chance of a win and half that of a draw, by games of the program's own weights; this run has too few games for chances of its own."
	}
	list, err := dropout.ReadLeaves(c.Leaves)
	if err != nil {
		return tree, leaves, err
	}
	leaves = doc.Section{Heading: "First moves and drop-out diagrams", Table: c.rootTable(), Figures: []doc.Drawing{report.DropOutOf(list[oware.South], oware.South), report.DropOutOf(list[oware.North], oware.North)}}
	return tree, leaves, nil
}

// rootTable has the first moves with their values.
func (c *Counts) rootTable() *doc.Table {
	t := &doc.Table{Header: []string{"move", "chance", "expected margin", "score, seeds"}, Caption: "The first moves, for South."}
	start := oware.Start(c.Rules)
	for i, v := range c.Book.RootScores {
		if v == book.Illegal {
			continue
		}
		chance, margin := "–", "–"
		if s, ok := c.prospects(int(v), start); ok {
			chance, margin = report.Number(s.Expected(), 0)+" %", report.Signed(s.Margin, 1)
		}
		t.Add(oware.MoveName(oware.Move(i), oware.South), chance, margin, report.Signed(features.Seeds(float64(v)), 2))
	}
	return t
}
