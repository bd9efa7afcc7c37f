// Package datasets has the tables that the training stages hand on to each
// other: drawn positions, their labels, and the features of labelled positions.
//
// Every kind of table has a row type. [Write] and [Scan] stream rows and hold a
// chunk of them in memory, however many there are; [Read]
// gives all rows at once. The name's ending chooses the format: ".parquet"
// (snappy, for databases and data frames), ".arrow" (Arrow IPC, uncompressed, which is
// what readers in web pages take), or ".csv". The rows are the same in all of them.
//
// The package knows a game by the description that it is given. Rows hold positions;
// files have their board text and, where the game numbers its positions, that number.
// Column names need no quotes in SQL: own_lt_1 counts the mover's houses with fewer
// than one seed. The file's metadata holds the [Meta] as plain pairs (kroo.rules =
// abapa), and a line for each column that tells its unit (column.label = points …).
//
// A table is a file and its manifest, FILE.manifest.json, which holds the
// file's length and SHA-256, and a [Meta] that says what made it. Readers
// check the file against the manifest before they decode anything, then every
// value: a file that was cut, damaged, mixed up or made by hand gives an error
// that names it, never wrong rows. The file is written before its manifest, so
// an interrupted write is noticed. The same rows and meta give the same bytes.
//
// Caveats: the manifest must travel with its file; rows are checked one by one, so that
// a label belongs to its position is up to who wrote it.
package datasets
