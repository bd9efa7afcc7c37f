// Package features describes positions by numbers, one a column, and the functions fitted to
// them. It knows no game. The packages below it define the columns of oware, Othello, chess
// and tic-tac-toe.
//
//   - [Columns] is what every feature set offers, whether it has four columns or
//     millions: the short list of columns that are not zero in a position.
//     [Patterns] are a game's sets made of families of columns; [ParseSpec] reads their names.
//   - [Set] is a small antisymmetric set in the manner of Sala Soler 2014: each [Feature]
//     is a number of either side, and its column is the mover's number minus
//     the other side's. A feature is one definition. [Sets] are those of a game, found by name.
//   - [Model] is a weight for each column of a set, with its origin. [Model.Parts] takes the
//     value of a position apart: explanations, pages and comparisons use it. Engines
//     play with [Tables] compiled from a model, or with the model itself ([Direct]).
//   - [Open] reads weights files of any kind: weights of a Set are in JSON, by name ([Weights]),
//     those of patterns and tables packed ([Packed]). [Opened] explains, exports and compares
//     them; [Loaded] is the same without the type of the game's positions.
//
// Points are the unit of labels: ±[games.MaxPoints] is a game won or lost.
//
// # Packed files
//
// A packed file is, numbers little-endian:
//
//	8 bytes   the magic "kroowts\n"
//	4 bytes   version of the format, 2
//	4 bytes   kind: 1 a model, 2 a compiled evaluator
//	4 bytes   length of the header in bytes, at most 1 MiB
//	header    JSON, see Header
//	4 bytes   sections that follow
//	section   8 bytes of length, and a Zstandard frame (RFC 8878) so long, which refers
//	          at most 1 MiB back; …
//	32 bytes  SHA-256 of all bytes before it
//
// In version 1, of files up to 22 November 2026, a section is a DEFLATE stream (RFC 1951).
// Both are read.
//
// A model has one section, a float32 for each column: the first (lowest) bytes
// of all columns, then the second, third and fourth bytes. Package features/oware
// describes the sections of its compiled evaluator; other games have none.
//
// Caveat: [ParseWeights] and openPacked do not look at the set that a file
// names. [Open] does.
package features
