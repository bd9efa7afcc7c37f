package report

import (
	"cmp"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/internal/outline"
)

// A Twig is a position of an opening book: the move that leads to it, its value, the number of
// positions below it, and the next moves.
type Twig struct {
	Move, Worth string
	Value       float64 // for South
	Below       int     // positions, this one included
	Best        bool    // by the best move
	Next        []*Twig
}

// Tree is an opening book as a tree that grows to the right.
type Tree struct {
	Name, Title, Line, Caption string
	Root                       Twig
}

// Sizes of a tree: from ply to ply at least, from line to line, and of a move.
const (
	treePly  vg.Length = 78
	treeLine vg.Length = 19
	treeDisc vg.Length = 8

	treeAbove = titleHeight + lineHeight + keyHeight + 2*margin
)

// Draw implements [outline.Drawing].
func (t Tree) Draw() (outline.Figure, error) {
	f := outline.Figure{
		Name:   t.Name,
		Alt:    clean(t.Title + ": " + t.Line + "."),
		Values: outline.NewTable("line", "worth", "positions below"),
	}
	if len(t.Root.Next) == 0 {
		return noData(f, wide, 116, t.Title, "no moves")
	}
	f.Caption = cmp.Or(t.Caption, f.Alt)
	t.Root.list("", f.Values)
	sized := func(width, above vg.Length) size {
		return size{width, vg.Length(t.Root.ends(plies(width)))*treeLine + above}
	}
	return paint(f, sized(wide, treeAbove), sized(phone, treeAbove+3*keyRow), func(dc draw.Canvas) {
		dc = key(heading(dc, t.Title, t.Line), boxMark(blue, "better for South"), boxMark(muted, "level"),
			boxMark(orange, "better for North"), lineMark(stroke(text, 2.5), "best moves"))
		deep := min(plies(dc.Max.X-dc.Min.X+2*margin), t.Root.depth())
		p := painter{dc, (dc.Max.X - dc.Min.X - treeDisc - 44) / vg.Length(deep), dc.Max.Y - treeLine/2, deep, t.Root.Below}
		p.twig(&t.Root, 0)
	})
}

// plies returns the number of plies for which a drawing of a width has room.
func plies(width vg.Length) int { return int((width - 2*margin - treeDisc) / treePly) }

// ends counts the lines of a tree that is cut off at a depth.
func (t *Twig) ends(depth int) (n int) {
	if depth > 0 {
		for _, next := range t.Next {
			n += next.ends(depth - 1)
		}
	}
	return max(n, 1)
}

func (t *Twig) depth() (most int) {
	for _, next := range t.Next {
		most = max(most, 1+next.depth())
	}
	return most
}

// list has a row for each position.
func (t *Twig) list(line string, table *outline.Table) {
	for _, next := range t.Next {
		table.Add(line+next.Move, next.Worth, Integer(next.Below))
		next.list(line+next.Move, table)
	}
}

// painter draws twigs line by line.
type painter struct {
	draw.Canvas
	ply  vg.Length
	y    vg.Length // of the next line
	deep int
	most int // positions below the root
}

// twig draws a position and those after it, and returns its place.
func (p *painter) twig(t *Twig, depth int) (at vg.Point) {
	at.X = p.Min.X + treeDisc + vg.Length(depth)*p.ply
	var next []vg.Point
	if depth < p.deep {
		for _, n := range t.Next {
			next = append(next, p.twig(n, depth+1))
		}
	}
	at.Y = p.y
	if next != nil {
		at.Y = (next[0].Y + next[len(next)-1].Y) / 2
	} else {
		p.y -= treeLine
	}
	for i, to := range next {
		line := stroke(axis, 0.6+2*vg.Length(math.Sqrt(float64(t.Next[i].Below)/float64(max(p.most, 1)))))
		if t.Next[i].Best {
			line.Color = text
		}
		from := vg.Point{X: at.X + treeDisc, Y: at.Y}
		if depth > 0 {
			from.X += 30 // after the value of the move
		}
		p.StrokeLines(line, []vg.Point{from, {X: to.X - treeDisc, Y: to.Y}})
	}
	p.SetColor(signInk(t.Value))
	p.Fill(disc(nil, at, treeDisc))
	write(p.Canvas, style(10, paper, draw.XCenter, draw.YCenter), at, fit(t.Move, style(10, paper, 0, 0), 2*treeDisc))
	write(p.Canvas, style(9, text, draw.XLeft, draw.YCenter), vg.Point{X: at.X + treeDisc + 3, Y: at.Y},
		fit(t.Worth, style(9, text, 0, 0), 30))
	return at
}
