// Package games is the seam between the games and the rest of the program.
//
// A [Game] describes one game to code that works for any: how its positions
// start, read and print, what its moves are called, how a draw of random
// positions works, what a result is worth. Each game's own package has a
// function Descriptor that returns its Game; commands choose among them by
// name. There is no registry.
//
// On a Game rest the pieces that are the same for all: a [Line] is a game in
// progress with its history, a [Record] is a game as files hold it, [Perft]
// counts what a move generator generates.
//
// Caveats: this package imports the standard library only, and none of the
// games. A search demands more of a position than [Position] does. All the
// games here alternate moves: a game with passes makes them moves.
package games
