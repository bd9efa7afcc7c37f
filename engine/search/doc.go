// Package search finds the best moves of two-player games. It has a fast searcher for
// any game, slow textbook searches to test it against, and time management.
//
// A game is any type that satisfies [Position]. [Knowledge] is the game's evaluation
// and, optionally, its endgame table and shortcuts. [NewSearcher] returns a [Searcher]:
// an iterative-deepening principal variation search with a hash table, whose Search
// answers a [Query] within [Limits] with a [Result]. A [Textbook] searches to one
// depth by minimax, alpha-beta or negascout. [TimeBudget] computes the time for a move
// under a game clock.
//
// Because of repetitions, the value of a position can depend on earlier positions. The
// searcher counts repetitions of the game's history and of its own line, and never uses
// a stored value where a different history could matter: with Options.StrictDepth its
// scores equal those of minimax.
//
// A Searcher is not safe for concurrent use. History and root must belong to one game
// and obey its rules: a position that recurs sooner than the game's MinCycle is not
// noticed.
package search
