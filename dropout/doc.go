// Package dropout builds opening books by drop-out expansion (Lincke 2001): it grows a graph of
// searched positions towards the places where a game is most likely to leave the book.
//
// [Grow] starts at the root and expands one leaf after another: it adds all successors of the leaf
// and searches each new one with the engine or another program, on this machine or a farm. Then it
// writes the book; [Presets] are recipes for it. [Deepen] searches the leaves of a finished book
// again, from the book file alone.
//
// # Which leaf
//
// A leaf has the value h of its own search (search.Result.Steady, the mean of its last three
// iterations), an expanded node that of its best move. It has two expansion priorities, 0 for a leaf;
// lower is more urgent:
//
//	epb = 1 + min over the best moves s of epo(s)          the book's player moves
//	epo = 1 + min over all moves s of epb(s) + ω·loss(s)   the other side moves
//
// South's book is grown by descending from the root along the minima with South as the book's
// player, North's with North; one graph has the values of both. Loss is the difference between s and
// the opponent's best move, in seeds; values beyond ±24 seeds and proven ones count as ±24. So the
// book goes ω plies deeper for each seed that a reply does not give away. See [thesisOmega].
//
// Decided positions are never expanded. [Request].Cover is expanded before everything else.
//
// # Proofs
//
// Besides its value a node has an outcome: proven lower and upper bounds, each a loss, a draw or a
// win. They come from the rules, from the leaf's own search, and, after captures, where no earlier
// position can recur, from endgame tables. A value is clamped to its bounds.
//
// # Repetitions
//
// Positions are shared between lines. A move of an expanded node that would lead back to one of its
// ancestors is kept out of the graph, which therefore has no cycles: its value is the result that the
// rules give for the repetition, as a heuristic value, and nothing is expanded after it.
//
// # Workers
//
// Request.Width leaves are in flight at a time; none of them can be chosen again. Results are applied
// strictly in the order of the choice, not of arrival: with searches limited by depth or nodes the
// graph depends only on the [Request], including its width, and not on the workers. Use a width of at
// least twice the workers.
//
// # The log
//
// The log is a set of finished searches. An expansion takes the results that it needs from the log
// instead of the pool, so it resumes where it was stopped, and loses at most the searches in flight.
// The log may come from another width, ω or root, but not from other limits, weights, endgame tables
// or rules.
//
// Caveats: the graph is in memory, about 80 bytes per position. With searches limited by time the
// graph also depends on the log. A proof by a leaf's own search ignores the game that led to the leaf.
package dropout
