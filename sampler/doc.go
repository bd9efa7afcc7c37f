// Package sampler draws positions and labels them.
//
// [Sample] writes positions by one of four methods, or by a mixture:
//
//   - "uniform": every board equally likely, with replacement, side one to move
//     (in other games as their descriptor defines). Most boards of oware, and so
//     most of these, have many seeds in play.
//   - "pps", probability proportional to size (oware): a board's probability is
//     proportional to the number of captured seeds, 48 minus those in play, so
//     that late positions, rare among all boards, are included.
//   - "games": self-play of an evaluation. A game begins with a few random
//     moves; then short searches, and occasionally chance, choose the moves.
//   - "file": the positions of recorded games, or boards of your own.
//   - "mix": several of these, by shares.
//
// Uniform and pps are from Sala Soler 2014, which does not define "size"; captured
// seeds are our interpretation. Both draw from one of two populations: "reachable",
// the boards in which no store has exactly one seed, or "thesis", all boards. All
// other methods use each position once, mirror images included.
//
// [Label] searches each position and writes its score. [MeasureNoise] measures how
// much of such a label is noise.
//
// The same [Config] gives the same file with any number of workers. Long work is
// kept in a journal next to the output, from which the same call resumes;
// [RemoveJournal] deletes it. Tables are streamed: memory use is a few chunks of
// rows and, for samples without replacement, about eight bytes per position.
//
// Caveats: a board of the population "reachable" is not necessarily reachable in a
// game. Neighbouring positions of a game are nearly the same row: split by game, as
// Config.Split does, or keep one of several (Config.Every).
package sampler
