// Package client runs another program that plays a game, over the text protocol of package uci: the
// universal chess interface with the boards and moves of the game's description.
//
// [Start] starts a [Command] and completes the handshake, [Client.NewGame] and [Client.Search] play,
// and [Client.Close] ends the program. The program is not trusted. Its faults are returned as errors
// with the reason: it ended, did not answer, answered late, answered with an illegal move, or wrote
// something outside the protocol. Such an error ends the program, with everything that it started:
// make a new Client.
//
// A Command may also name another Protocol, which Start, NewGame and Search then use.
//
// Before its uciok a program may write anything (many print a greeting). After it, the client
// ignores up to a hundred lines per answer that do not begin with a word of the protocol, since
// programs leave debugging prints in. More of them, a line longer than 64 KiB, or a bestmove without
// a move are faults. Errors inside an info line are ignored, and so are bytes that are not text.
//
// Before every search the client sends isready and drops everything up to readyok, so that a late
// answer is never taken for the next one.
//
// Caveats: a program that leaves its process group (a daemon) cannot be ended; on systems without
// process groups only the program itself is ended. When this program is killed (kill -9), Linux ends
// the programs that it started, but not what those started: their input is closed, at which a UCI
// program ends. So a script that starts a program should use exec. On other systems, their input is
// closed in all cases. Times are measured here, so they include the pipes and waiting for a
// processor: on a busy machine use a Margin of some ten milliseconds.
package client
