// Package run executes a training run, from random positions to a report, in one folder and as
// configured by a [Config].
//
// A run is a list of stages. Its manifest contains, for every finished stage, the hash of
// settings and inputs, the checksums of the outputs, and the results. An interrupted run resumes
// from its manifest: it verifies and skips finished stages, and the long stages (labels, match,
// book) resume from journals of their own.
//
// Caveats: a run is reproducible to the byte, with any number of workers, if every limit in its
// configuration is by nodes or depth. With time limits, labels, games and book depend on the
// machine.
package run
