// Package games defines the interface between the rules of a game and the rest of the program.
//
// A [Game] describes one game to code that works for any: its start position, board text, move
// names, random positions and the value of its results. Each game's own package has a function
// Descriptor that returns its Game.
//
// Everything that games have in common is built on Game: a [Line] is a game in progress with its
// history, a [Record] is a game as stored in files, [Perft] counts leaves of the game tree.
//
// Caveats: this package imports only the standard library, and no game. A search requires more
// of a position than [Position] does. Sides alternate: where a game allows a pass, the pass is a
// move.
package games
