// Package endgame builds, checks, stores and probes endgame tables for oware: the
// value of every position with few seeds in play.
//
// [Build] makes a table, [Open] maps one from a file, [Find] opens the one of a path or
// [Default], which comes with the program. [Table.Probe] looks a position up,
// [Table.Query] returns all that the table knows of it, [Checks] check a table, and
// [CountCycles] counts the cycles of a level.
//
// # What a value is
//
// The value of a position is the difference that the seeds in play will make for
// the player to move: the seeds that they take minus those that the opponent
// takes. It does not count the seeds in the stores. It also leaves out the rule
// that a majority ends the game: a player with more than 24 seeds has won,
// whatever happens to the rest.
//
// Under awari and simple rules a game without end repeats a position, and the
// players then split the seeds in play equally. So every position has one value,
// and the lower and the upper bound agree.
//
// Under abapa a repetition ends the game and each player takes the seeds on their
// own side. The value of a position then depends on where the line entered the
// cycle, which no table can know. A table can have bounds: what each player is sure
// of, whatever the other does. They are valid at the start of a stretch without
// captures, when no earlier position can recur yet. There are two kinds:
//
//   - Crude: a game without end is worth nothing to either player. A player is
//     sure of k seeds if they can force a capture, or an end for lack of moves,
//     that gives them at least k in all. These positions form an attractor.
//   - Sharp: a game without end is worth, at worst, the smallest number of seeds
//     on the player's side among the positions that recur forever. A player is
//     sure of k if they can force an exit worth k, or can force that from some
//     point on their side always holds k (a co-Büchi game). These positions are a
//     least fixed point: repeat, until nothing changes, the attractor of the
//     positions found so far, and then add the positions from which the player can
//     stay forever among positions with k on their side.
//
// Sharp bounds are valid on the board, where the first repetition ends the game. The
// reason: a co-Büchi game is won by a strategy that looks at the position only. A
// player who follows it closes no cycle that contains a position with fewer than k
// on their side, for the opponent could go round that cycle forever. So the
// repetition, when it comes, gives the player k.
//
// What one player is sure of bounds what the other can take. For each position the
// table stores what the player to move is sure of, and what the opponent is sure of.
//
// # When a search may use a bound
//
// A search may use a bound at a position that starts a stretch: right after a
// capture, or at the start of the game. It may also use one wherever no position
// since the last capture can recur: a strategy is not disturbed by a history that
// it never meets.
//
// # Resolved values
//
// Where the bounds of a small level differ, a search with history can find the
// value of a position at the start of a stretch ([Config.Resolve]). It resolves all
// positions of up to 15 seeds in little more than a minute, all but a few of eight seeds in
// seconds. The levels above gain from it, because they rest on those below. Of the positions
// with twelve seeds, sharp bounds alone determine 23 %, on resolved levels nearly all. Resolved values do not follow from their successors as
// bounds do, because a successor has another history.
//
// # Caveats
//
// The bounds of abapa are valid, but not the tightest possible. A value is for play
// until the seeds run out: it ignores that a majority ends the game, and it does
// not say how long the game takes.
package endgame
