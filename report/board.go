package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"kroo/games/oware"
	"kroo/internal/outline"
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
func (b Board) Draw() (outline.Figure, error) {
	f := outline.Figure{
		Name:    b.Name,
		Caption: b.Line,
		Alt:     fmt.Sprintf("%s: %s. %s", clean(b.Title), b.Position, clean(b.Line)),
		Values:  b.values(),
	}
	height := boardHeight + boardTop
	return paint(f, size{boardWidth, height}, size{phone, 150}, func(dc draw.Canvas) {
		b.paint(heading(dc, b.Title, ""))
	})
}

// place is a house or a store of a board.
type place struct {
	name  string
	seeds int
	worth float64 // seeds; NaN if unknown
	x, y  float64 // in houses from the left, and rows from the middle
}

// places returns those of the side to move, then those of the other: houses, and last the store.
func (b Board) places() (all []place) {
	me := b.Position.ToMove()
	for i, side := range []oware.Side{me, 1 - me} {
		row := map[oware.Side]float64{oware.South: -1, oware.North: 1}[side]
		column := func(h int) float64 { return -row * (float64(h) - (oware.Houses-1)/2.0) }
		worth := func(h int) float64 {
			if b.Worth == nil {
				return math.NaN()
			}
			return b.Worth[i][h] / perSeed
		}
		for h := range oware.Houses {
			all = append(all, place{oware.MoveName(oware.Move(h), side), b.Position.House(i*oware.Houses + h), worth(h),
				column(h), row})
		}
		store := []int{b.Position.Store(), b.Position.OpponentStore()}[i]
		all = append(all, place{oware.Descriptor().Sides[side], store, worth(oware.Houses), column(oware.Houses), 0})
	}
	return all
}

// values is a table of the seeds in each place and what they add to the value.
func (b Board) values() *outline.Table {
	if b.Worth == nil {
		return nil
	}
	t := outline.NewTable("house", "seeds", "score")
	for _, p := range b.places() {
		if !math.IsNaN(p.worth) {
			t.Add(p.name, p.seeds, SignedNumber(p.worth, 2))
		}
	}
	return t
}

func (b Board) paint(dc draw.Canvas) {
	dc.SetColor(grid)
	dc.Fill(dc.Rectangle.Path())
	free := dc.Rectangle.Size()
	wide := free.X / (oware.Houses + 2)
	radius := wide * 0.44
	for _, p := range b.places() {
		at := dc.Center().Add(vg.Point{X: wide * vg.Length(p.x), Y: free.Y / 4 * vg.Length(p.y)})
		dc.SetColor(paper)
		dc.Fill(disc(nil, at, radius))
		small := style(min(9, wide/4.2), muted, draw.XCenter, draw.YCenter)
		write(dc, style(min(15, wide/3), text, draw.XCenter, draw.YCenter), at, Integer(p.seeds))
		write(dc, small, at.Add(vg.Point{Y: radius * 0.62}), p.name)
		if math.Abs(p.worth) >= 0.005 {
			small.Color = signInk(p.worth)
			write(dc, small, at.Sub(vg.Point{Y: radius * 0.62}), SignedNumber(p.worth, 2))
		}
	}
}

// BoardOf returns the board of a position; ok is false for other games than oware.
func BoardOf(position any) (Board, bool) {
	p, ok := position.(oware.Position)
	return Board{Position: p}, ok
}
