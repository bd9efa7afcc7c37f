// Package play is a game between a person and the engine, without a user interface: a
// terminal or a browser displays a [State] and calls the methods of a [Game].
//
// [New] starts a game. On the person's turn, call [Game.Move], or [Game.Hint] for the
// engine's suggestion; on the engine's turn, call [Game.Answer]. [Game.Undo] and
// [Game.Resign] work at any time.
//
// A Game is not safe for concurrent use. It does not close its engine.
package play
