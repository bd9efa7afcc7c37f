// Package sampler draws positions to be labelled: at random, with replacement,
// South to move, from all boards on which the game is not over and that can
// occur in play as far as the stores tell (none holds exactly one seed).
//
// There are two methods, those of Sala Soler 2014:
//
//   - "uniform": every such board is equally likely. Most have many seeds in
//     play, as most boards do.
//   - "pps", probability proportional to size: a board's probability is
//     proportional to the number of seeds captured, 48 less those in play, so
//     that late positions, rare among all boards, are drawn too. Boards with no
//     seed captured are never drawn.
//
// [Draw] returns positions; [Sample] writes them to a table of package
// datasets. The same [Config] gives the same positions, and the same file.
//
// Caveat: that a board passes does not mean that a game leads to it.
package sampler
