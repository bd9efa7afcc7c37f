// Package pipeline holds the stages of a training run and the run itself.
//
// A stage is a function from files to files: [Sample], [Label], [Features],
// [Fit], [Match], [Book], [PlayFromBook], [Report]. The commands call them one
// at a time; [Run] walks through all of them inside one run folder, as a
// [Config] says, and keeps a manifest there: for every stage what went in, the
// checksums of what came out, and its figures. A run that was stopped goes on
// from its manifest: finished stages are checked and skipped, and the
// long stages (labels, match, book) go on from a journal of their own.
//
// Caveats: a run is reproducible to the byte, whatever the number of workers,
// when every limit in its configuration is by nodes or depth; limits by time
// make labels, games and book depend on the machine.
package pipeline
