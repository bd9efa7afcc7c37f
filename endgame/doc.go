// Package endgame builds, checks, stores and probes tables of oware endings:
// what the player to move is sure to get of the seeds in play, for every
// position with few of them.
//
// [Build] makes a table, [Open] maps one from a file, [Default] is the one that
// comes with the program, and [Table.Probe] looks a position up.
//
// # What the values are
//
// A value is the difference that the seeds in play will make for the player to
// move: what he takes of them less what his opponent takes. It says nothing of
// the seeds in the stores, and the rule that a majority ends the game is left
// out: with more than 24 a player has won whatever becomes of the rest.
//
// Under awari and simple rules a game that never ends is one that repeats, and
// the seeds in play are then split equally: every position has one value, and
// lower and upper bound are the same.
//
// Under abapa a repetition ends the game and each player takes the seeds on his
// own side, so that what a position is worth depends on where the cycle was
// entered, which no table can know. What it can hold is bounds: what a player is
// sure of whatever the other does, at the start of a stretch without captures,
// when no position of the game can recur yet.
//
//   - Crude: a game without end is worth nothing. A player is sure of k seeds if
//     he can force a capture, or an end for want of moves, that leaves him at
//     least k in all. The set of such positions is an attractor.
//   - Sharp: a game without end is worth, at worst, the least that he has on
//     his own side in the positions that come up for ever. He is sure of k if he
//     can force an exit worth k, or else that from some time on he always has k on
//     his side (a co-Büchi game). The set of such positions is the least fixed
//     point of: the attractor of what is known, and of the positions from which
//     he can stay among positions with k on his side.
//
// Why that holds on the board, where the first repetition ends the game: games
// of this kind are won by strategies that look at nothing but the position. A
// player who follows his closes no cycle without k on his side in all of it, for
// it could be gone round for ever. So the repetition, when it comes, pays him k.
//
// What one player is sure of bounds the other: the table holds, for each
// position, what the player to move is sure of and what his opponent is.
//
// # Using it
//
// A bound may be used in a search at a position that has not had a quiet move
// since the last capture (or since the start of the game), and, since a
// strategy that meets only positions without a past is not disturbed by them,
// wherever no position since the last capture can recur.
//
// # Settled values
//
// Where the bounds of a small level differ, a search with history can find what
// a position is worth at the beginning of a stretch ([Config.Settle]): all
// positions of up to seven seeds, in seconds, and most of those with eight and
// nine. It is worth more than it costs, since levels above rest on those below:
// of the positions with twelve seeds sharp bounds alone settle 23 %, on levels
// settled up to nine 85 %. Settled values do not follow from one another as bounds
// do, because the position after a move has another history.
//
// # Caveats
//
// The bounds of abapa are not the best there are. A value of a table is for play
// to the end: it neither knows that a majority ends the game nor how long it takes.
package endgame
