// Package oware implements the rules of the mancala game oware in five rule sets ([Rules]), with
// notation, ranking and perft. It imports only the standard library and package games.
//
// A [Position] is two machine words, seen from the side to move. Get one from [Start],
// [ParseBoard] or [Unrank]; list moves with [Position.Legal] or [Position.AppendMoves]; make
// them with [Position.Play]. [Position.Terminal] reports whether a position ends the game, and
// [Position.Repetition] what a repeated position is worth. [Descriptor] describes oware to code
// that works for any game, such as lines of play and game records ([games.Line],
// [games.Record]).
//
// Caveats: Play does not check its argument. A position has no history: games.Line and the
// search detect repetitions, Terminal does not.
package oware
