// Package study measures searches the way the literature on mancala games has
// done, so that its tables can be compared with this engine's. [Algorithms],
// [Branching], [Orders] and [Tables] each run one study of a [Subject], a
// game, and return a result that prints as a table ([Result.Rows]) and draws as a
// [report.Chart]. [Scale] does the same for recorded games: it reports what the
// scores in them are worth. [Agreement] judges the moves of a book, [Noise] the
// scores of short searches. [LaMoSca] plays the published sessions of a program for chess
// again, [Figure3] sets fitted weights next to a published table. [Cycles] counts the endgames of oware that a game can
// return to, [Solve] walks through a small game and solves it with every searcher, [Proofs]
// proves endgames of oware by proof-number search, [Accuracy] counts the moves that keep
// what tables prove, and [History] the values that hold whatever stood before.
//
// The textbook searches are written here for the purpose, small and slow, next
// to those of package engine/search. Node counts are the same every time,
// whatever the number of workers. Times are of this machine, and mean something
// only next to each other; where the system tells it they are those of the processor,
// so that other work hardly counts.
package study
