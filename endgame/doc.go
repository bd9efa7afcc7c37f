// Package endgame builds, checks, stores and probes oware endgame tables, which have the
// value of every position with few seeds in play.
//
// [Build] builds a table. [Open] opens a file, [Default] returns a table that comes with
// the program, and [Find] does either. [Table.Probe] looks up a position, and
// [Table.Query] also its moves and best line. [Table.Verify] checks a table; package check
// does so independently.
//
// # What a value is
//
// The value of a position is the difference that the seeds in play will make for
// the player to move: the seeds that they take minus those that the opponent
// takes. It does not count the seeds in the stores. It also leaves out the rule
// that a majority ends the game: a player with more than 24 seeds has won,
// whatever happens to the rest.
//
// Under awari and simple rules an infinite line repeats a position, and the players
// split the seeds in play equally. So every position has one value, and the lower and
// the upper bound agree.
//
// Under abapa a repetition ends the game and each player takes the seeds on their
// own side. The value of a position then depends on where the line entered the
// cycle, which a table does not record. A table can have bounds: the number of seeds
// that each player is sure of, whatever the opponent does. They are valid at the start
// of a stretch, when no earlier position can recur. There are two kinds:
//
//   - Crude: an infinite line is worth nothing to either player. A player is sure of k
//     seeds if they can force a capture, or an end for lack of moves, that gives them
//     at least k in total. These positions form an attractor.
//   - Sharp: an infinite line is worth at least the smallest number of seeds on the
//     player's side among the positions that recur forever. A player is sure of k if
//     they can force an exit worth k, or can force that from some point on their side
//     always has at least k (a co-Büchi game). These positions are a least fixed point:
//     until nothing changes, take the attractor of the positions found so far, and add
//     the positions from which the player can stay forever among positions with k on
//     their side.
//
// Sharp bounds are valid in real games, where the first repetition ends the game. The
// reason: a co-Büchi game is won by a strategy that depends only on the position. A
// player who follows it never closes a cycle through a position with fewer than k on
// their side, because the opponent could then repeat that cycle forever. So a
// repetition gives the player at least k.
//
// The seeds that one player is sure of bound what the opponent can take. The table
// stores both numbers for each position.
//
// # When a search may use a bound
//
// A search may use a bound where a stretch starts: right after a capture, or at the
// start of the game. It may also use one wherever no position since the last capture
// can recur, because such a history does not affect any strategy.
//
// # Resolved values
//
// Where the bounds of a small level differ, a search with history can find the value of
// a position at the start of a stretch ([Config.Resolve]). It resolves all positions of
// up to 15 seeds in little more than a minute, all but a few of those with eight seeds
// in seconds. Higher levels gain too, because they are solved from the lower ones: of
// the positions with twelve seeds, sharp bounds alone determine 23 %, but nearly all
// above resolved levels. Resolved values do not follow from their successors as bounds
// do, because a successor has a different history.
//
// # Caveats
//
// The bounds of abapa are valid, but not the tightest possible. A value is for play
// until the seeds run out: it ignores that a majority ends the game. It does not
// include the length of the game.
package endgame
