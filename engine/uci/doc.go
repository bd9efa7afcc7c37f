// Package uci serves an engine over a text protocol: the universal chess
// interface with the boards and moves of the engine's game. For oware that is
// the dialect of Sala Soler 2014, extended.
//
// [New] takes the engine, [Server.Serve] a reader and a writer: standard input
// and output, a connection, or pipes in a test.
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
// A board B and moves M are written as the game's description says
// ([games.Game]), moves in one word or several. In oware moves are letters: A to
// F when South is to move, a to f for North. A letter in the wrong case is
// refused: it names no move of the side to move. In chess the dialect is the standard
// one: boards in FEN, which go up to the word moves, and moves as e2e4 and e7e8q.
//
// The first limit that is reached ends a search. A go without any of depth,
// nodes, movetime, mate, infinite, ponder and the clock of the side to move
// searches for one second. Clocks are those of the side that moves first (w) and
// of the other (b). The initials of the game's own names are other names for
// them: stime, ntime, sinc and ninc for oware's South and North. [search.TimeBudget]
// and the progress of the search decide how much of a clock a move takes. With
// mate N the search is 2N−1 plies deep, or ends when a win in N moves is proven;
// if there is none, an info string says so, with "so far" if something else
// ended the search. It looks at every line, evaluates as the game does by
// default, and uses no endgame tables; the hash table is empty before and after.
//
// After go infinite the best move is held back until stop, and after go ponder
// until stop or ponderhit, even if the search has ended. At ponderhit the
// search continues under the movetime or the clock that came with ponder (one
// second, if there was no limit at all), which begins to run then. A search
// that has already had its share of the clock by pondering answers at once.
// During a search go, setoption, ucinewgame and quit stop that one first: its bestmove is
// sent. A search with limits is carried out when the input ends, or when quit came in one
// piece with go, as in a pipe. A position that comes during a search is that of the next go.
//
// # Answers
//
//	info depth D [multipv I] score cp X|mate M [wdl W D L] nodes N nps N time MS pv FfEe
//	info nodes N nps N time MS what a search took that its nodes ended in an iteration
//	info string …
//	bestmove F [ponder f]
//	bestmove (none)            the game is over, or the position was refused; the option
//	                           No Move makes it 0000
//
// Scores are for the side to move, in hundredths of the game's unit: centi-seeds
// in oware. Heuristic ones lie within ±10000; 20000−n is a proven win in n plies,
// n−20000 a proven loss; from 14000 to 16000 is a win that an endgame table
// knows of. In chess a proven win in M moves is score mate M, a loss mate -M; other
// games have no score mate. Repetitions of the positions before the one
// to search count.
//
// Every go is answered by one bestmove. Words that are not understood are skipped, before a
// command and after go; a number out of range becomes the nearest one that is in it; without
// any legal move of searchmoves all moves are searched. An info string says so each time, and
// what was expected.
//
// After a position that was refused, and after a line longer than 1 MiB, which is thrown
// away, the bestmove is (none) until the next position or ucinewgame: a move for the position
// before would be a move in another game.
//
// # Options
//
// A game has the options of what it has: OwnBook, Book and BookMargin belong to
// games with books, Tables to those with endgame tables.
//
//	Hash        table size in MiB, 1 to 4096
//	Clear Hash  forgets earlier searches
//	OwnBook     play from the book; true by default, unless train uci --book none
//	Book        path of a book, default for the program's own, none, or <empty> for
//	            the one of the engine, which is the program's own if it has none
//	BookMargin  play any move of the book within a given number of points of the best, at
//	            random; 0, the default, plays the best
//	BookVariety even: all moves within the margin alike; weighted: the better the
//	            likelier; guarded: alike, but if the best move loses points, only
//	            moves above both best − margin and −margin
//	Weights     an evaluation by name or a weights file by path, <empty> for the
//	            evaluation of the engine
//	Rules       a rule set of the game; a change sets up the start position
//	Threads     of the search, 1 by default; with more, scores vary
//	Tables      endgame tables: a file or folder of them, none, or <empty> for those
//	            of the program
//	MultiPV     report a given number of best lines of every search, each with its exact score
//	Move Overhead  milliseconds of a clock that are kept back, 10 by default
//	DrawSearch  true, the default: a draw is worth as much as a level game;
//	            false: a quarter of a unit less to the side to move at the
//	            root, which then avoids it, unless Contempt says otherwise
//	Contempt    how much less than a level game a draw is worth, in hundredths of
//	            the unit, 0 by default; below 0 it is worth more. Like all scores it
//	            is in units of the evaluation: package kroo/features/oware reports what
//	            they are worth at the end of the game
//	UCI_ShowWDL add the chances of a win, a draw and a loss in permille to each score, if
//	            the weights are calibrated ("train weights calibrate"), as those of oware are
//	Level       best, the default, or beginner, easy, medium, hard, expert: how strong
//	            the engine plays, with nodes, noise and book margin of its own; the
//	            weak ones play no book
//	            ([kroo/engine.Levels]). It counts for go without infinite and mate, and not
//	            in analysis
//	No Move     what the best move of a game that is over is called: (none), or 0000
//	            for programs that know only that, as the best-known oware program
//	UCI_AnalyseMode  true: no book, and neither contempt nor DrawSearch
//	UCI_EngineAbout  what the engine is, to be read only
//	Ponder      accepted for the client's sake: it decides when to send go ponder
//
// With [Config.Tuning] the fields of [search.Tuning] are options as well, by the same
// names. Those that are not set are as the evaluation has them. A search for go mate
// has none of them: it looks at all moves.
//
// Weights and books serve only the rules they were made for: under other rules
// the game's default evaluation takes over (captured seeds in oware) and there
// is no book. A book that does not name its rules counts as one for the game's
// first rule set, as oware books of Sala Soler 2014 are.
//
// The book answers unless the search is infinite, for a win (mate), restricted to
// some moves, or in analysis. It knows no history, so it is passed over when the
// position, or the one after a move it could choose, has been on the board
// before; and a move that the endgame tables refute is not played. An info string
// says that a move is from the book and what it was chosen from. The move to ponder
// on is then the best reply of the book, if it has one.
package uci
