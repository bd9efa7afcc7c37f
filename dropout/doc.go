// Package dropout builds opening books by drop-out expansion (Lincke 2001):
// it grows a graph of searched positions towards the places where a game is
// most likely to leave the book.
//
// [Build] starts with the root and expands one leaf after another, that is, it
// adds all successors of the leaf and has each new one searched by a
// [engine.Pool]. [Graph.Entries] is the book; [WriteLeaves] writes where games
// that follow it drop out. [Grow] does it all with the engine, or with another
// program, and writes the book; [Presets] are recipes for it. [Deepen] searches leaves of a
// finished book again, which needs its file alone.
//
// # Which leaf
//
// A node has a heuristic value h, from its own search (search.Result.Steady, the
// mean of its last three iterations), and a propagated value p: h for a leaf, the
// best of its moves for an expanded node. It has two expansion priorities, 0 for a
// leaf and low for urgent:
//
//	epb = d + min over the best moves s of epo(s)          the book's player moves
//	epo = d + min over all moves s of epb(s) + ω·loss(s)   the other side moves
//
// South's book is grown by descending from the root along the minima with
// South as the book's player, North's with North; one graph keeps the values
// of both. Loss is how much worse s is than the opponent's best move, in seeds,
// values beyond ±24 seeds and proven ones counting as ±24. So ω is how many
// plies deeper the book goes for each seed that a reply does not give away:
// ω = 0 treats all replies alike, a large ω follows the best line only. See
// [book.DefaultOmega]. [book.Costs] has the arithmetic.
//
// The depth increment d is 1. With Config.Fractional it is log2(1+k)/2 for k
// moves within one seed of the best: half a ply where there is one sensible
// move, one where there are three. Lines of equal depth are then about equally
// likely.
//
// What is decided is never expanded: a leaf whose result is proven, a move into
// a decided position, a node whose own result follows from its moves. With
// Config.Window neither is a leaf whose value is far from that of the root.
// [Config].Cover is expanded before all others.
//
// # Proofs
//
// A node has an outcome besides its value: what is proven at least and at most,
// a loss, a draw or a win. It comes from the rules, from the leaf's own search,
// and from endgame tables, whose bounds hold where no earlier position can
// recur and so count for moves that capture. A value that contradicts a proof
// gives way to it: a position with a sure draw is worth 0 at least.
//
// # Repetitions
//
// Positions are shared between lines, and a move of an expanded node may lead
// back to one of its ancestors. What that is worth depends on the game that led
// there. Such a move, the one that would close a cycle when it is added, is
// kept out of the graph, which so stays without cycles: the move counts as what
// the rules give when its position is repeated, in seeds, as a heuristic value
// that is never proven, and nothing is expanded behind it. [Stats] counts them.
//
// # Workers
//
// Config.Width leaves are in flight at a time. A leaf in flight cannot be chosen
// again, so that the next choice goes elsewhere. The searches of all leaves in
// flight form one queue, which the workers of the pool empty without waiting for
// each other. Results are applied strictly in the order of the choice, not of
// arrival: with searches limited by depth or nodes the graph depends on the
// [Config] alone, on its width, but not on the number or the speed of workers.
// Take a width of twice the workers at least.
//
// # The log
//
// The log is a set of finished searches. An expansion takes what it needs from
// there instead of from the pool, and otherwise does what it does without a log.
// So it continues where it was stopped, and loses at most the searches in hand.
// The log may come from another width, ω, root and so on, but not from other
// limits, weights, endgame tables or rules.
//
// Caveats: the graph is in memory, about 100 bytes per node. With searches limited
// by time the graph depends on the log as well. A proof by a leaf's own search
// knows nothing of the game that led to the leaf.
package dropout
