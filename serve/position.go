package serve

import (
	"math"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/report"
)

// woodenBoard is a board that the script positions.js draws, as on the page of the board. Without scripts its text
// is shown.
type woodenBoard struct{ report.Board }

// Node draws the board on a page, see package report.
func (b woodenBoard) Node() g.Node {
	return h.Figure(h.Class("position"),
		g.If(b.Title != "", h.P(report.Text(b.Title))),
		h.Div(h.Class("wood"), h.Data("board", b.Position.String()),
			g.If(b.Worth != nil, h.Data("values", strings.Join(b.values(), " "))), g.Text(b.Position.String())),
		g.If(b.Line != "", h.FigCaption(report.Text(b.Line))))
}

// values returns what the houses A…F, a…f, South's and North's store add to the value, in seeds; "" for nothing.
func (b woodenBoard) values() []string {
	list := make([]string, houses+2)
	if b.Worth == nil {
		return list
	}
	for i, shares := range b.Worth {
		side := (int(b.Position.ToMove()) + i) % 2
		for place, points := range shares {
			at := side*oware.Houses + place
			if place == oware.Houses {
				at = houses + side
			}
			if seeds := oware.InSeeds(points); math.Abs(seeds) >= 0.005 { // false for NaN
				list[at] = report.SignedNumber(seeds, 2)
			}
		}
	}
	return list
}

// placeBoards makes all boards of a document look like the one that people play on.
func placeBoards(d *outline.Doc) {
	for _, s := range d.Sections {
		for i, f := range s.Figures {
			s.Figures[i] = onWood(f)
		}
		for i := range s.Boards {
			s.Boards[i].Drawing = onWood(s.Boards[i].Drawing)
		}
	}
}

// onWood draws boards of the game as the pages do.
func onWood(d outline.Drawing) outline.Drawing {
	if b, ok := d.(report.Board); ok {
		return woodenBoard{b}
	}
	return d
}
