// Package search searches two-player games. It has one fast searcher, slow and
// plain ones to check it by, time management, and the scale of scores.
//
// A game is any type that satisfies [Position]. [Knowledge] says what the
// searcher knows of it besides its rules: an evaluation, and where there are
// any an endgame table and shortcuts. [NewSearcher] makes a [Searcher], which
// is an iterative-deepening principal variation search with a hash table. Its
// Search answers a [Query] within [Limits] with a [Result]. [SearchTextbook]
// gives the score of one depth the slow way, by minimax, alpha-beta, negascout or
// MTD(f); [SearchUCT] and [SearchProofNumber] need no evaluation. [TimeBudget] shares out
// a game clock.
//
// The value of a position can depend on the positions before it, because of
// repetitions. The searcher counts repetitions of the game's history and of its
// own line, and never uses a stored value where another history could matter:
// with Options.StrictDepth its scores are those of minimax.
//
// Caveats: a Searcher is for one goroutine at a time. History and root must
// belong to one game and obey its rules: the searcher does not see a position
// that recurs sooner than the game's MinCycle allows.
package search
