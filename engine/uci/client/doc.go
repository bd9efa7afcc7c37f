// Package client drives another program that plays a game over the text
// protocol of package uci: the universal chess interface with the boards and
// moves of the game's description.
//
// [Start] runs a [Command] and shakes hands, [Client.NewGame] and
// [Client.Search] play, [Client.Close] ends the program. The program is not
// trusted. Whatever it does wrong comes back as an error that says what: it
// ended, did not answer, answered late, answered with a move that is not legal,
// or wrote something that is not the protocol. After such an error the program is
// gone, with everything that it started: make a new Client.
//
// A Command may also name another Protocol: then Client.Start, NewGame and Search do the
// same in that.
//
// Before its uciok a program may write what it likes (many greet). After it,
// the client overlooks up to a hundred lines before each answer that begin with no
// word of the protocol, since programs leave debugging prints in. More of them, a line
// longer than 64 KiB, or a bestmove without a move are faults. What is wrong inside
// an info line is passed over, and so are bytes that are no text.
//
// Before every search the client asks isready and drops what was written until
// readyok, so that a late answer is never taken for the next one.
//
// Caveats: a program that leaves its process group (a daemon) is not found
// when it is to be ended; on systems without process groups only the program
// itself is ended. When this program is itself killed by force (kill -9), Linux ends
// the programs that it has started, but not what those have started: these find
// their input closed, at which a UCI program ends. So a script that starts a program
// does it with exec. On other systems all of them only find their input closed.
// Times are measured here, so they contain the way through
// the pipes and the waiting for a processor: a Margin of some ten milliseconds
// is fair on a busy machine.
package client
