package report

import (
	"kroo/games"
	"kroo/games/oware"
)

// A Unit is what a figure counts values in. The data of every figure are points.
type Unit struct {
	name     string // of several
	points   float64
	decimals int // of a mean
}

// UnitOf is what players of a game count in: seeds in oware.
func UnitOf(game games.Info) Unit {
	return Unit{game.Unit + "s", game.PointsPerUnit(), 2}
}

// seeds is the unit of figures for oware alone.
var seeds = UnitOf(oware.Descriptor().Info)

// of has both coordinates in the unit.
func (u Unit) of(points []Point) []Point {
	list := make([]Point, len(points))
	for i, p := range points {
		list[i] = Point{p.X / u.points, p.Y / u.points}
	}
	return list
}

// mean writes a mean value, counted in the unit, with its name.
func (u Unit) mean(v float64) string { return Number(v, u.decimals) + " " + u.name }
