// Package datasets reads and writes the tables that training stages exchange: drawn positions,
// their labels, and the features of labelled positions.
//
// A [Row] is a row of any kind of table. [Write] and [Scan] stream rows, with one chunk of them in
// memory; [Read] returns all rows at once. [Adopt] imports tables of other programs. The extension selects the format: ".parquet" (snappy,
// for databases and data frames), ".arrow" (Arrow IPC, uncompressed, as browsers need it) or
// ".csv". The rows are the same in all of them.
//
// Functions take the description of the game. Rows contain positions; files contain their board
// text and, if the game numbers its positions, that number. Column names need no quotes in SQL:
// own_lt_1 counts the mover's houses with fewer than one seed. The file's metadata has the [Meta]
// as plain pairs (kroo.rules = abapa), and a line for each column with its unit (column.label =
// points …).
//
// A table is a file and its manifest, FILE.manifest.json, with the file's length and SHA-256, and a
// [Meta] that describes its origin. Readers check the file against the manifest before decoding
// anything, then check every value: a file that is truncated, corrupt, swapped or edited gives an
// error that names it, never wrong rows. The file is written before its manifest, so an interrupted
// write is detected. The same rows and meta give the same bytes.
//
// Caveats: the manifest must accompany its file. Rows are checked one by one; whether a label
// belongs to its position is the writer's responsibility.
package datasets
