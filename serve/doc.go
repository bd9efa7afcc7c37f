// Package serve shows the project in a browser: a board to play and analyse on, the tree
// of an opening book, datasets, weights, and runs.
//
// [New] makes a [Server], [Server.Serve] answers on a listener until its context is done.
// Pages, style and scripts are part of the program; they load nothing from elsewhere.
// A game lives in the browser: every request names its rules, first position and moves,
// so the server remembers no games and a page can be shared by its address.
//
// What a visitor can make the server do is bounded: searches run at a few seats with a
// fair queue before them, each limited in nodes and time; requests, uploads, connections
// and answers to slow readers have limits; files come from one folder; one run at a time
// is in work, a new one with the settings of a preset. A server that is reached from
// other machines asks for a token.
//
// Caveats: the boards are oware's. There is no encryption: put a proxy with TLS before a
// server that strangers can reach.
package serve
