// Package oware holds the rules of the mancala game oware in three rule sets,
// with notation, game records, ranking and perft. Beside the standard library it
// imports the seam of all games alone, package games.
//
// A [Position] is two machine words, seen from the side to move. Begin with
// [Start], [ParseBoard] or [Unrank], list moves with [Position.Legal] or
// [Position.AppendMoves], make them with [Position.Play]. [Position.Terminal]
// tells whether a position ends the game, [Position.Repetition] what a repeated
// one is worth. A [Game] keeps the history and applies both. A [Record] is a
// game with its tags and comments, as files hold it ([ParseOGN], [WriteOGN]).
// [Descriptor] is oware as code that works for any game sees it.
//
// Caveats: Play trusts its argument. A position does not know its history: Game
// and the search see repetitions, Terminal does not.
package oware
