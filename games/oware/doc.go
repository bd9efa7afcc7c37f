// Package oware holds the rules of the mancala game oware in three rule sets,
// with notation, game records, ranking and perft. It imports the standard
// library only.
//
// A [Position] is two machine words, seen from the player to move. Start from
// [Start], [ParseBoard] or [Unrank], ask [Position.Legal] or
// [Position.AppendMoves], make moves with [Position.Play]; [Position.Terminal]
// tells when a position ends the game and [Position.Repetition] what a repeated
// one is worth. A [Game] keeps the history and applies both; a [Record] is a
// game with its tags and comments, as files hold it ([ParseOGN],
// [Record.Write]).
//
// Caveats: Play trusts its argument; a position does not know its history, so
// repetitions are seen by Game and by the search, never by Terminal.
package oware
