// Package dropout builds opening books by drop-out expansion (Lincke 2001): it grows a graph of
// searched positions towards the places where a game is most likely to leave the book.
//
// [Grow] starts at the root and expands one leaf after another: it adds all successors of the leaf
// and searches each new one with the engine or another program, on this machine or a farm. Then it
// writes the book; [Presets] are recipes for it. [Refine] searches the leaves of a finished book
// again, from the book file alone.
//
// # Which leaf
//
// A node has a heuristic value h, from its own search (search.Result.Steady, the mean of its last
// three iterations), and a propagated value p: h for a leaf, the best of its moves for an expanded
// node. It has two expansion priorities, 0 for a leaf; lower is more urgent:
//
//	epb = 1 + min over the best moves s of epo(s)          the book's player moves
//	epo = 1 + min over all moves s of epb(s) + ω·loss(s)   the other side moves
//
// South's book is grown by descending from the root along the minima with South as the book's
// player, North's with North; one graph has the values of both. Loss is the difference between s and
// the opponent's best move, in seeds; values beyond ±24 seeds and proven ones count as ±24. So the
// book goes ω plies deeper for each seed that a reply does not give away: ω = 0 treats all replies
// alike, a large ω follows only the best line. The arithmetic is in priority.go.
//
// Decided positions are never expanded: a leaf with a proven result, a move into a decided position,
// a node whose own result follows from its moves. [Request].Cover is expanded before everything else.
//
// # Proofs
//
// Besides its value a node has an outcome: proven lower and upper bounds, each a loss, a draw or a
// win. They come from the rules, from the leaf's own search, and from endgame tables. Bounds of
// tables are valid only where no earlier position can recur, so they are used after captures. A
// value is clamped to its bounds: a position with a sure draw is worth at least 0.
//
// # Repetitions
//
// Positions are shared between lines, and a move of an expanded node may lead back to one of its
// ancestors. Its value depends on the game that led there. Such a move, the one that would close a
// cycle when it is added, is kept out of the graph, which therefore remains acyclic: its value is
// the result that the rules give for the repetition, in seeds, as a heuristic value that is never
// proven, and nothing is expanded after it. [Summary] counts these moves.
//
// # Workers
//
// Request.Width leaves are in flight at a time. A leaf in flight cannot be chosen again, so the next
// choice goes elsewhere. The searches of all leaves in flight form one queue, which the workers of
// the pool empty without waiting for each other. Results are applied strictly in the order of the
// choice, not of arrival: with searches limited by depth or nodes the graph depends only on the
// [Request], including its width, and not on the number or speed of workers. Use a width of at least
// twice the workers.
//
// # The log
//
// The log is a set of finished searches. An expansion takes the results that it needs from the log
// instead of the pool, and is otherwise unchanged. So it resumes where it was stopped, and loses at
// most the searches in flight. The log may come from another width, ω, root and so on, but not from
// other limits, weights, endgame tables or rules.
//
// Caveats: the graph is in memory, about 80 bytes per position. With searches limited by time the graph
// also depends on the log. A proof by a leaf's own search ignores the game that led to the leaf.
package dropout
