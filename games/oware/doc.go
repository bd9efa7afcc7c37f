// Package oware has the rules of the mancala game oware in five rule sets ([Rules]),
// with notation, ranking and perft. It imports the standard library and package games
// only.
//
// A [Position] is two machine words, seen from the side to move. Start with
// [Start], [ParseBoard] or [Unrank]; list moves with [Position.Legal] or
// [Position.AppendMoves]; make them with [Position.Play]. [Position.Terminal] reports
// whether a position ends the game, and [Position.Repetition] what a repeated one
// is worth. [Descriptor] describes oware to code that works for any game, such as
// lines of play and game records ([games.Line], [games.Record]).
//
// Caveats: Play does not check its argument. A position does not know its history:
// games.Line and the search notice repetitions, Terminal does not.
package oware
