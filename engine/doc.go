// Package engine has what plays: an evaluation, endgame tables, an opening book and
// the limits of a search, assembled once for all commands.
//
// [Oware], [Othello], [Chess] and [TicTacToe] are the kits of the games ([Kit]): what
// there is to play with, and how it is opened. [Open] makes an [Engine] from names and
// files as a command line gives them, [New] from an [Evaluation]. Its NewSearcher makes a
// searcher for each goroutine; all of them share the tables and the book. A [Config] has
// the limits and the size of the hash table.
//
// A [Player] chooses moves in a game: from the book, else by a search, the best or one
// near it, as a [BookPolicy], a [Level] and [Vary] say.
//
// [Bench] searches a fixed list of positions. Its node count, the [Signature], tells
// one version of the search from another.
//
// Caveats: an evaluation and a book are for the rules they were made under, and
// anything else is refused. Close the engine when no searcher is at work.
//
// The search itself is in kroo/engine/search.
package engine
