// Package play is a game between a person and the engine, without a screen:
// whatever draws it, a terminal or a browser, reads a [State] and calls the
// methods of a [Game].
//
// [New] begins a game. While it is the person's turn, [Game.Move] makes their
// move and [Game.Hint] is what the engine would play; while it is the
// engine's, [Game.Answer] lets it move. [Game.Undo] and [Game.Resign] work at
// any time.
//
// Caveats: a Game is for one goroutine at a time. It does not close its engine.
package play
