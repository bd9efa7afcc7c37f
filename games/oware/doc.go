// Package oware holds the rules of the mancala game oware in three rule sets,
// with notation, game records, ranking and perft. It imports the standard library
// and package games only.
//
// A [Position] is two machine words, seen from the side to move. Start with
// [Start], [ParseBoard] or [Unrank]; list moves with [Position.Legal] or
// [Position.AppendMoves]; make them with [Position.Play]. [Position.Terminal] tells
// whether a position ends the game, and [Position.Repetition] what a repeated one
// is worth. A [Game] keeps the history and applies both. A [Record] is a game with
// its tags and comments as in a file ([ParseOGN], [WriteOGN]). [Descriptor]
// describes oware to code that works for any game.
//
// Caveats: Play does not check its argument. A position does not know its history:
// Game and the search notice repetitions, Terminal does not.
package oware
