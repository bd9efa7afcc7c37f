// Package study repeats measurements of the literature, so that its tables can be compared with
// this engine's.
//
// A study of any game takes a [Subject]: [Algorithms] and [Orders]. [Accuracy] is about endgames of
// oware. [LaMoSca] replays the published sessions of a chess program, [Figure3] compares fitted
// weights with a published table. Each returns a [Result], whose document has a table and a
// [report.Chart].
//
// The textbook searches here are small and slow, unlike those of kroo/engine/search. Node counts are
// reproducible with any number of workers. Times depend on the machine and are only comparable with
// each other; they are processor time where the system measures it, so that other work has little
// effect.
package study
