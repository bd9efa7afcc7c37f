package datasets

import "kroo/games"

// GroupColumn is the name of that of tables with Meta.Grouped.
const GroupColumn = "group"

// GroupOf numbers the rows that may depend on each other: those of a game, or, of rows that are
// from none, those of a situation, whichever side is to move. So a row as the other side sees it is
// never a group of its own. No split of rows should divide a group, and standard errors allow for
// dependence within it. file tells the games of several files apart.
func GroupOf[P games.Position[P]](g *games.Game[P], file uint32, r PositionRow[P]) int64 {
	if r.Game != 0 {
		return int64(file)<<32 | int64(r.Game)
	}
	orbit := g.Orbit(r.Position)
	if g.Pass != nil {
		orbit = min(orbit, g.Orbit(g.Pass(r.Position)))
	}
	return ^orbit // far from the numbers of games
}

// storedGroup is what a table with groups stores.
func storedGroup[P games.Position[P]](g *games.Game[P], r PositionRow[P]) int64 {
	if r.Group != 0 {
		return r.Group
	}
	return GroupOf(g, 0, r)
}

// setGroup sets what a table with groups has stored.
func (r *PositionRow[P]) setGroup(stored int64) {
	if r.Game != 0 && stored != int64(r.Game) {
		r.Group = stored
	}
}
