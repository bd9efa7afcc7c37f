// Package search searches two-player games: a fast searcher, plain ones to
// check it by, and the scale of scores they share.
//
// A game is any type that satisfies [Position]; what a position is worth when
// the search ends there is up to an [Evaluator]. [NewSearcher] makes a
// [Searcher], iterative-deepening principal variation search with a hash table;
// its Search answers with a [Result], within [Limits], what a [Query] asks.
// [Minimax], [AlphaBeta] and [Negascout] give the score of one depth the slow
// way. [Points] is the scale that labels are in.
//
// The value of a position may depend on the positions before it, because of
// repetitions. The searcher counts those of the game's history and of its own
// lines and never uses a stored value where another history could matter:
// with Options.StrictDepth its scores are those of Minimax.
//
// Caveats: a Searcher is for one goroutine at a time. History and root must be
// of one game, by its rules: a position that recurs sooner than the game's
// MinCycle allows is not seen. Clear the searcher before a game under other
// rules if the rules are no part of the game's Key, as in oware.
package search
