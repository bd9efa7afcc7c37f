// Package dropout builds opening books by drop-out expansion (Lincke 2001):
// it grows a graph of searched positions towards the places where a game is
// most likely to leave the book.
//
// [Build] starts with the root and expands one leaf after another, that is, it
// adds all successors of the leaf and has each new one searched by a
// [farm.Pool]. [Graph.Entries] is the book, [Graph.Diagram] shows where a game
// that follows it drops out. Given a log, Build goes on where an earlier run,
// however it ended, has stopped.
//
// # Which leaf
//
// A node has a heuristic value h, from its own search, and a propagated value
// p: h for a leaf, the best of its moves for an expanded node. It has two
// expansion priorities, 0 for a leaf and low for urgent:
//
//	epb = 1 + min over the best moves s of epo(s)          the book's player moves
//	epo = 1 + min over all moves s of epb(s) + ω·loss(s)   the other side moves
//
// South's book is grown by descending from the root along the minima with
// South as the book's player, North's with North; one graph keeps the values
// of both. Loss is how much worse s is than the opponent's best move, in seeds,
// values beyond ±24 seeds and proven ones counting as ±24. So ω is how many
// plies deeper the book goes for each seed that a reply does not give away:
// ω = 0 treats all replies alike, a large ω follows the best line only. See
// [DefaultOmega].
//
// A leaf whose result is proven is never expanded; its priority is infinite.
// Building ends when that of the root is, for every side asked for.
//
// # Repetitions
//
// Positions are shared between lines, and a move of an expanded node may lead
// back to one of its ancestors. What that is worth depends on the game that led
// there. Such a move, the one that would close a cycle when it is added, is
// kept out of the graph, which so stays without cycles: the move counts as what
// the rules give when its position is repeated, in seeds, as a heuristic value
// that is never proven, and nothing is expanded behind it.
//
// # Reproducibility
//
// Leaves are chosen in batches of a fixed size, and results are applied in the
// order of the choice, not of arrival: with searches limited by depth or nodes
// the graph depends on the [Config] alone. With searches limited by time it
// depends on the log as well.
//
// Caveats: the graph is in memory, about 200 bytes a node. Going on from a log
// repeats the bookkeeping, not the searches.
package dropout
