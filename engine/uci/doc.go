// Package uci serves an engine over the universal chess interface (UCI), with the
// boards and moves of the engine's game. For oware it extends the dialect of Sala
// Soler 2014.
//
// [New] returns a server for an engine. [Server.Serve] serves a reader and a writer:
// standard input and output, a connection, or pipes in a test.
//
// # Commands
//
//	uci                        answers id, the options, uciok
//	isready                    answers readyok, also during a search; when idle, everything that a
//	                           search needs (weights, tables, hash table) is then in memory
//	ucinewgame                 clears the hash table and sets the start position
//	setoption name N [value V] sets an option; case does not matter in N
//	position startpos [moves M…]
//	position [fen] B [moves M…]
//	go [depth N] [nodes N] [movetime MS] [infinite] [ponder]
//	   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [searchmoves M…]
//	stop                       ends the search
//	ponderhit                  the expected move was played
//	d                          prints the board
//	quit                       ends the session, like the end of the input
//
// The game defines the notation of boards B and moves M ([games.Game]). Moves are in
// one word or several. In oware they are letters: A to F for South, a to f for North;
// a letter of the opponent's is an error. In chess the dialect is the standard one:
// boards in FEN, up to the word moves, and moves such as e2e4 and e7e8q.
//
// The first limit reached ends a search. A go without depth, nodes, movetime, infinite,
// ponder and the clock of the side to move searches for one second. w is
// the side that moves first, b the other. The initials of the game's names are
// accepted too: stime, ntime, sinc and ninc for oware's South and North.
// [search.TimeBudget] and the progress of the search determine the time for a move.
//
// After go infinite the best move is held back until stop, and after go ponder until
// stop or ponderhit, even if the search has ended. At ponderhit the search continues
// under the movetime or the clock of its go (one second without any limit), which
// starts then. A search that has used its share of the clock by pondering answers
// immediately. During a search, go, setoption, ucinewgame and quit stop it first and
// its bestmove is sent. A limited search is completed when the input ends, or when
// quit came together with go, as in a pipe. A position sent during a search is for
// the next go.
//
// # Answers
//
//	info depth D [multipv I] score cp X|mate M [wdl W D L] nodes N nps N time MS pv FfEe
//	info nodes N nps N time MS totals of a search that its node limit ended within an iteration
//	info string …
//	bestmove F [ponder f]
//	bestmove (none)            the game is over, or the position was rejected; 0000 with
//	                           the option No Move
//
// Scores are for the side to move, in hundredths of the game's unit: centi-seeds in
// oware. Heuristic scores are within ±10000; 20000−n is a proven win in n plies,
// n−20000 a proven loss; 14000 to 16000 is a win by an endgame table. In chess a
// proven win in M moves is score mate M, a loss mate -M; other games have no score
// mate. Repetitions of earlier positions of the game count.
//
// Every go is answered by one bestmove. Unknown words before a command and after go
// are skipped, numbers out of range are clamped, and without a legal move in
// searchmoves all moves are searched. An info string reports each.
//
// After a position with an error, and after a line longer than 1 MiB, which is
// dropped, the bestmove is (none) until the next position or ucinewgame: a move in
// the earlier position would belong to another game.
//
// # Options
//
// Games without books do not have OwnBook, Book, BookMargin and BookVariety; games
// without endgame tables do not have Tables.
//
//	Hash, Threads  MiB of hash table (1 to 4096), threads of the search; with several,
//	            scores vary
//	Clear Hash  clears the hash table
//	OwnBook     play from the book; true by default, unless train uci --book none
//	Book        path of a book, default for the program's book, none, or <empty> for
//	            the engine's book, or the program's if it has none
//	BookMargin, BookVariety  as [engine.BookPolicy]; the margin is in points
//	Weights     name of an evaluation or path of a weights file, <empty> for the
//	            engine's evaluation
//	Rules       rule set of the game; changing it sets the start position
//	Tables      endgame tables: a file or a folder, none, or <empty> for the default
//	MultiPV     number of best lines to report, each with its exact score
//	Move Overhead  milliseconds of the clock to reserve per move, 10 by default
//	Contempt    cost of a draw for the side to move at the root, in hundredths of the
//	            unit, 0 by default; negative to prefer draws. Like all scores it is in
//	            units of the evaluation: package kroo/features/oware relates them to
//	            the end of the game
//	UCI_ShowWDL add the chances of a win, a draw and a loss in permille to each score, if
//	            the weights are calibrated ("train weights calibrate")
//	Level       strength: best, the default, or one of [engine.Levels]; ignored with
//	            infinite and in analysis
//	No Move     bestmove of a game that is over: (none), or 0000 for programs that
//	            accept only that, such as the best-known oware program
//	UCI_AnalyseMode  true: no book and no contempt
//	Ponder      accepted but ignored: the client decides when to send go ponder
//
// With [Config.Tuning] the fields of [search.Tuning] are options too, with the same
// names. Fields that are not set follow the evaluation.
//
// Weights and books are used only under their rules. Under other rules the game's
// default evaluation is used, and no book. A book without a name of rules is for the
// game's first rule set, like the oware books of Sala Soler 2014.
//
// The book is used unless go has infinite or searchmoves, or in analysis. It
// does not include history, so it is not used if the position, or the one after a
// candidate move, has been on the board before. A move that the endgame tables refute
// is not played. An info string reports a book move and its alternatives. The move to
// ponder is then the best reply in the book, if any.
package uci
