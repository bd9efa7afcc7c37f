// Package engine assembles what plays a game: an evaluation, endgame tables, an opening book and the
// limits of a search.
//
// [Oware], [Othello], [Chess] and [TicTacToe] return the kits of the games ([Kit]): what an engine
// can play with, and how to open it. [Open] makes an [Engine] from names and files as given on a
// command line. [Engine.NewSearcher] makes a searcher for one goroutine;
// all searchers share the tables and the book. A [Config] sets the limits and the size of the hash
// table.
//
// A [Player] chooses moves in a game: from the book, or else by a search, the best move or one near
// it, according to a [BookPolicy], a [Level] and [Vary].
//
// [Bench] searches a fixed list of positions. Its node count, the [Signature], distinguishes
// versions of the search.
//
// Caveats: an evaluation and a book are for the rules they were made under; any others are refused.
// Close the engine only when no searcher is running.
//
// The search itself is in kroo/engine/search.
package engine
