// Package study measures searches in the way of the literature on mancala games, so that its tables
// can be compared with this engine's.
//
// [Algorithms], [Branching], [Orders] and [Tables] each run one study of a game ([Subject]). Each
// returns a [Result], which prints as a table and draws as a [report.Chart]. [Scale] calibrates the
// scores in recorded games. [Agreement] checks the moves of a book, [Noise] the scores of short
// searches. [LaMoSca] replays the published sessions of a chess program, [Figure3] compares fitted
// weights with a published table. [Cycles] counts the endgames of oware to which a game can return,
// [Solve] walks the tree of a small game and solves it with every searcher, [Proofs] proves endgames
// of oware by proof-number search, [Accuracy] counts the moves that keep the value proven by tables,
// and [History] the values that hold for any history.
//
// The textbook searches are written for this purpose, small and slow, besides those of package
// engine/search. Node counts are reproducible with any number of workers. Times depend on the
// machine and are only comparable with each other; where the system measures it they are processor
// time, so that other work has little effect.
package study
