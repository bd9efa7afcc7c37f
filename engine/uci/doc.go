// Package uci serves an oware engine over a text protocol: the universal chess
// interface, with the boards and moves of oware (the dialect of Sala Soler
// 2014, extended).
//
// [New] takes what to play with, [Server.Serve] a reader and a writer: standard
// input and output, a connection, or pipes in a test.
//
// # Commands
//
//	uci                        id, the options, uciok
//	isready                    readyok, also during a search
//	ucinewgame                 forgets the hash table; the position is the start
//	setoption name N [value V] sets an option or presses a button; N in any case
//	position startpos [moves M…]
//	position [fen] B [moves M…]
//	go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder]
//	   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [searchmoves M…]
//	stop                       ends the search
//	ponderhit                  the expected move was played
//	d                          draws the board
//	quit                       ends the service, as the end of the input does
//
// A board B is that of [oware.ParseBoard], moves M are letters, in one word or
// several: A to F when South is to move, a to f for North. A move in the wrong
// case is refused, since it is not a move of the player to move.
//
// The first limit that is reached ends a search. A go without any of depth,
// nodes, movetime, mate, infinite, ponder and the player's own clock searches
// for one second. Clocks are South's (w, who moves first) and North's (b);
// stime, ntime, sinc and ninc are other names for them. How much of a clock a
// move takes is up to [search.TimeBudget] and to how settled the search is. With
// mate N the search is 2N−1 plies deep, or ends when a win in N moves of the
// player is proven; if there is none, an info string says so, with "so far" if
// something else ended the search. It looks at every line, counts captured seeds
// only, and uses no tables; the hash table is empty before and after.
//
// After go infinite the best move is held back until stop, and after go ponder
// until stop or ponderhit, even if the search has ended. At ponderhit the
// search goes on under the movetime or the clock that came with ponder (one
// second, if there was no limit at all), which begins to run then. A search
// that has already had its share of the clock by pondering answers at once.
// A go during a search stops that one first, and so do quit and the end of the
// input; its bestmove is sent. The commands position, setoption and ucinewgame
// are refused during a search.
//
// # Answers
//
//	info depth D [multipv I] score cp X [wdl W D L] nodes N nps N time MS pv FfEe
//	info string …
//	bestmove F [ponder f]
//	bestmove (none)            the game is over
//
// Scores are in centi-seeds for the player to move. Heuristic ones lie within
// ±10000; 20000−n is a win in n plies that is proven, n−20000 such a loss; from
// 14000 to 16000 is a win that an endgame table knows of.
// There is no score mate. Repetitions with the positions before the one to
// search count.
//
// A line that is not understood is answered by an info string that says what
// was expected, and otherwise ignored: after a wrong position the old one
// stands, after a wrong go there is no search. A line longer than 1 MiB is
// thrown away.
//
// # Options
//
//	Hash        table size in MiB, 1 to 4096
//	Clear Hash  forgets earlier searches
//	OwnBook     play from the book; true by default if there is one
//	Book        path of a book, <empty> for the one of the Config
//	BookMargin  play any move of the book within so many points of the best, at
//	            random; 0, the default, plays the best
//	Weights     path of a weights file, <empty> for the evaluator of the Config
//	Rules       abapa, awari or simple; a change sets up the start position
//	Threads     of the search, 1 by default; with more, scores vary
//	Tables      endgame tables: a file or folder of them, none, or <empty> for those
//	            of the program
//	MultiPV     tell so many best lines of every search, each with its exact score
//	Move Overhead  milliseconds of a clock that are kept back, 10 by default
//	DrawSearch  true, the default: a draw is worth as much as a level game;
//	            false: a quarter of a seed less to the player to move at the
//	            root, who so avoids it, unless Contempt says otherwise
//	Contempt    how much less than a level game a draw is worth, in centi-seeds,
//	            0 by default; below 0 it is worth more
//	UCI_ShowWDL tell chances of win, draw and loss in permille (a model of games
//	            of this engine, see wdl.go)
//	UCI_AnalyseMode  true: no book, and neither contempt nor DrawSearch
//	UCI_EngineAbout  what the engine is, to be read only
//	Ponder      accepted for the client's sake: it decides when to send go ponder
//
// Weights and books serve only the rules they were made for: under other rules
// the evaluation is the difference of the captured seeds and there is no book.
// A book that does not name its rules is taken for an abapa one, as those of
// Sala Soler 2014 are. The evaluator of the Config serves the Rules of
// the Config.
//
// The book answers unless the search is infinite, for a win (mate), restricted to
// some moves, or in analysis.
// It knows no history, so it is passed over when the position, or the one
// after a move it could choose, has been on the board before.
package uci
