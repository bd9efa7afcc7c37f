package regress

import (
	"kroo/datasets"
	"kroo/games"
)

// Cluster numbers the rows that may depend on each other: those of a game, or, of rows that
// are from none, those of a situation, whichever side is to move. So a row as the other side
// sees it is never a cluster of its own. file tells the games of several files apart.
func Cluster[P games.Position[P]](g *games.Game[P], file uint32, r datasets.PositionRow[P]) uint64 {
	if r.Game != 0 {
		return uint64(file)<<32 | uint64(r.Game)
	}
	orbit := g.Orbit(r.Position)
	if g.Pass != nil {
		orbit = min(orbit, g.Orbit(g.Pass(r.Position)))
	}
	return ^uint64(orbit) // far from the numbers of games
}
