// Package games is the seam between the games and the rest of the program.
//
// A [Game] describes one game to code that works for any: how its positions
// start, read and print, what its moves are called, how random positions are
// drawn, what a result is worth. Each game's own package has a function
// Descriptor that returns its Game.
//
// What is the same for all games is built on a Game: a [Line] is a game in
// progress with its history, a [Record] is a game as stored in files, [Perft]
// counts what a move generator generates.
//
// Caveats: this package imports the standard library only, and none of the
// games. A search demands more of a position than [Position] does. Sides
// alternate: where a game allows a pass, the pass is a move.
package games
