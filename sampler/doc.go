// Package sampler draws positions and labels them.
//
// [Sample] writes positions by one of five methods, or by a mixture:
//
//   - "uniform": every board equally likely, with replacement, side one to move
//     (other games: as their descriptor draws). Most boards of oware have many
//     seeds in play, and so have most of these.
//   - "pps", probability proportional to size (oware): a board's probability is
//     proportional to the number of seeds captured, 48 less those in play, so
//     that late positions, rare among all boards, are drawn too.
//   - "games": games of an evaluation with itself. A game begins with a few
//     random moves; then searches of few nodes choose, and now and then chance.
//   - "book": the positions of an opening book and those a move after them.
//   - "file": recorded games, boards, or boards with people's own labels.
//   - "mix": several of these, by shares.
//
// Uniform and pps are those of Sala Soler 2014. That publication takes "size" to
// be something it does not define; seeds captured are our reading. They draw from
// one of two populations: "reachable", the boards without a store of exactly one
// seed, or "thesis", all. All other methods take each
// position once, its mirror image included.
//
// [Label] searches each position and writes what it is worth. [MeasureNoise] tells
// how much of such a label is chance.
//
// The same [Config] gives the same file, whatever the number of workers. Work that
// takes long is kept in a journal next to the output, so that the same call continues
// where another was stopped; [RemoveJournal] ends that. Tables are streamed: memory
// holds a few chunks of rows, and for samples without replacement eight bytes or
// so a position.
//
// Caveats: that a uniform board passes for reachable does not mean that a game
// leads to it. Neighbouring positions of a game are nearly the same row: split by
// game, as Config.Split does, or keep one of several (Config.Every).
package sampler
