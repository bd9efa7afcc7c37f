// Package run walks through a training run: from random positions to a report,
// inside one folder, as a [Config] says.
//
// A run is a list of stages. Its manifest holds, for every finished stage, what
// went in, the checksums of what came out, and its figures. A run that was
// stopped continues from its manifest: it checks finished stages and skips them,
// and the long stages (labels, match, book) continue from journals of their own.
//
// Caveats: a run is reproducible to the byte, whatever the number of workers,
// when every limit in its configuration is by nodes or depth. Limits by time
// make labels, games and book depend on the machine.
package run
