package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/games/oware"
	"kroo/internal/doc"
)

// A Board is a position of oware with what each house and store adds to its value.
type Board struct {
	Position oware.Position
	// Worth has the points that each house and then the store adds to the value, those of the
	// side to move first; NaN if unknown. Nil draws only the board.
	Worth *[2][oware.Houses + 1]float64

	Name, Title, Line string // of the figure, above it, and below
}

const (
	boardWidth, boardHeight vg.Length = 560, 190
	boardTop                vg.Length = 30 // of the title
)

// Draw draws the board with South below, as players see it, each house with its number of
// seeds and, below that, the seeds that it adds to the value for the side to move.
func (b Board) Draw() (doc.Figure, error) {
	f := doc.Figure{Name: b.Name, Caption: b.Line, Alt: fmt.Sprintf("%s: %s. %s", clean(b.Title), b.Position, clean(b.Line)), Values: b.values()}
	height := boardHeight + boardTop
	return paint(f, size{boardWidth, height}, size{phone, 150}, func(dc draw.Canvas) {
		b.paint(heading(dc, b.Title, ""))
	})
}

// values is a table of the seeds in each place and what they add to the value.
func (b Board) values() *doc.Table {
	if b.Worth == nil {
		return nil
	}
	t := doc.NewTable("house", "seeds", "score")
	for i, side := range []oware.Side{b.Position.ToMove(), 1 - b.Position.ToMove()} {
		for h := range oware.Houses {
			t.Add(oware.MoveName(oware.Move(h), side), b.Position.House(i*oware.Houses+h), Signed(b.Worth[i][h]/perSeed, 2))
		}
	}
	for i, name := range []string{"store", "other store"} {
		if worth := b.Worth[i][oware.Houses]; !math.IsNaN(worth) {
			t.Add(name, []int{b.Position.Store(), b.Position.OpponentStore()}[i], Signed(worth/perSeed, 2))
		}
	}
	return t
}

func (b Board) paint(dc draw.Canvas) {
	dc.SetColor(grid)
	dc.Fill(dc.Rectangle.Path())
	wide := (dc.Max.X - dc.Min.X) / (oware.Houses + 2)
	middle := dc.Center().Y
	at := func(column int, side oware.Side) vg.Point {
		y := middle - (dc.Max.Y-dc.Min.Y)/4
		if side == oware.North {
			y = 2*middle - y
		}
		return vg.Point{X: dc.Min.X + wide*(vg.Length(column)+0.5), Y: y}
	}
	for i, side := range []oware.Side{b.Position.ToMove(), 1 - b.Position.ToMove()} {
		for h := range oware.Houses {
			column := h + 1
			if side == oware.North {
				column = oware.Houses - h
			}
			b.place(dc, at(column, side), wide, oware.MoveName(oware.Move(h), side), b.Position.House(i*oware.Houses+h), i, h)
		}
		store, column := b.Position.Store(), oware.Houses+1
		if i == 1 {
			store = b.Position.OpponentStore()
		}
		if side == oware.North {
			column = 0
		}
		where := at(column, side)
		where.Y = middle
		b.place(dc, where, wide, oware.Descriptor().Sides[side], store, i, oware.Houses)
	}
}

// place draws a house or a store: its name, its seeds, and what it adds to the value.
func (b Board) place(dc draw.Canvas, at vg.Point, wide vg.Length, name string, seedCount, i, place int) {
	radius := wide * 0.44
	dc.SetColor(paper)
	dc.Fill(disc(nil, at, radius))
	number := style(min(15, wide/3), text, draw.XCenter, draw.YCenter)
	small := style(min(9, wide/4.2), muted, draw.XCenter, draw.YCenter)
	write(dc, number, at, Count(seedCount))
	write(dc, small, vg.Point{X: at.X, Y: at.Y + radius*0.62}, name)
	if b.Worth == nil {
		return
	}
	worth := b.Worth[i][place] / perSeed
	if math.IsNaN(worth) || math.Abs(worth) < 0.005 {
		return
	}
	small.Color = signInk(worth)
	write(dc, small, vg.Point{X: at.X, Y: at.Y - radius*0.62}, Signed(worth, 2))
}

// BoardOf returns the board of a position; ok is false for other games than oware.
func BoardOf(position any) (Board, bool) {
	p, ok := position.(oware.Position)
	return Board{Position: p}, ok
}
