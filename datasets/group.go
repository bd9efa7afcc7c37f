package datasets

import "kroo/games"

// GroupOf numbers the rows that may depend on each other: those of a game, or, of rows that are
// from none, those of a situation, whichever side is to move. So a row as the other side sees it is
// never a group of its own. No split of rows should divide a group, and standard errors allow for
// dependence within it. file tells the games of several files apart.
func GroupOf[P games.Position[P]](g *games.Game[P], file uint32, p P, game int32) int64 {
	if game != 0 {
		return int64(file)<<32 | int64(game)
	}
	orbit := g.Orbit(p)
	if g.Pass != nil {
		orbit = min(orbit, g.Orbit(g.Pass(p)))
	}
	return ^orbit // far from the numbers of games
}
