// Package serve is the web server of the program: a board to play and analyse on, and pages of
// opening books, datasets, weights, other files, and training runs.
//
// [New] returns a [Server]; [Server.Serve] serves a listener until its context is done. Pages, style
// and scripts are embedded in the program and load nothing from elsewhere. The state of a game is in
// the browser: every request contains the rules, the first position and the moves, so the server keeps
// no games and the address of a page can be shared.
//
// A file is described by package run/inspect, as for train inspect, and rendered by package report.
//
// The load from visitors is limited. A few searches run at a time, each with limits of nodes and time;
// others wait in a fair queue. Connections, uploads and slow readers have limits. Files are read from
// one folder. One run is in progress at a time, and a new run has the settings of a preset. If other
// machines can reach the server, it requires a token.
//
// Caveats: the board is oware's. There is no encryption: put a proxy with TLS in front of a server on
// an untrusted network.
package serve
