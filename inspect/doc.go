// Package inspect says what a file holds. [File] tells datasets, weights, books,
// game records and manifests of runs apart by their content; most kinds are described by
// the packages that read them (book.Describe and the like). [Dataset] describes
// a dataset in depth, with filters, an evaluation to compare labels with and a
// page of plots; [Open] reads one to be looked at again and again ([View]). [LoadWeights] reads weights of any kind, to be summed up,
// exported or put side by side ([Compare]); [Explain] takes the value of a
// position apart.
//
// Caveat: a dataset is held in memory, some hundred bytes a row.
package inspect
