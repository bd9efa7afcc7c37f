package datasets

import (
	"math"

	"kroo/games"
	"kroo/internal/checksum"
)

// GroupOf returns the number of the group of a row: its game's or, for a row without a game (0), a
// negative number of its situation. The column "group" stores it, except in a table of rows of several
// files, whose games need other numbers: see [ClusterOf].
func GroupOf[P games.Position[P]](g *games.Game[P], p P, game int32) int64 {
	if game != 0 {
		return int64(game)
	}
	return ^(SituationOf(g, p) & math.MaxInt64) // negative, so that it differs from numbers of games
}

// SituationOf returns a number of the board, whichever side is to move: it is the same for a position,
// its mirror image, and both with the other side to move. A fit to one of them has seen the others: for
// differences between the sides they are the same row up to its sign.
func SituationOf[P games.Position[P]](g *games.Game[P], p P) int64 {
	number := g.Orbit(p)
	if g.Pass != nil {
		number = min(number, g.Orbit(g.Pass(p)))
	}
	return number
}

// ClusterOf returns the cluster of a row, the rows that may depend on each other: those of one game or,
// without games, of one situation. Splits of rows should not divide a cluster, and standard errors should
// allow for dependence within it.
//
// The cluster depends on the row's group and on the number of its file, from 0: files number their games
// independently, but share their situations.
func ClusterOf(file uint32, group int64) uint64 {
	switch {
	case group < 0:
		return uint64(group)
	case group < 1<<32:
		return uint64(file)<<32 | uint64(group)
	default:
		// The group combines the number of a game and of a file already. Hashes above all of these
		// numbers keep it apart from the games of other files.
		hash := checksum.Mix(uint64(group) ^ checksum.Mix(uint64(file)))
		return hash>>2 | 1<<62
	}
}

// ClusterColumn returns the column that [AppendClusters] reads: the group of each row, or its game in a
// table without groups.
func (t *Table) ClusterColumn() string {
	if t.Meta.Grouped {
		return GroupColumn
	}
	return "game"
}

// AppendClusters appends the clusters of the rows of a batch of a table, whose c-th column is its
// [Table.ClusterColumn] and whose number among several files is file. It uses the rows' positions only
// for a table without groups.
func AppendClusters[P games.Position[P]](
	g *games.Game[P], t *Table, file uint32, b *Batch, c int, positions []P, dst []uint64,
) []uint64 {
	for i, number := range b.Whole(c) {
		if !t.Meta.Grouped {
			number = GroupOf(g, positions[i], int32(number))
		}
		dst = append(dst, ClusterOf(file, number))
	}
	return dst
}
