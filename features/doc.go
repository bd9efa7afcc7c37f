// Package features defines feature sets, which describe positions by numbers, and the linear
// functions fitted to them. It is independent of the game: the packages below it define the
// features of oware, Othello, chess and tic-tac-toe.
//
//   - [Columns] is the interface of every feature set, with four columns or millions: it lists
//     the columns that are not zero in a position. [Patterns] are a game's sets made of families
//     of columns.
//   - [Set] is a small antisymmetric set as in Sala Soler 2014: each [Feature] is a number for
//     either side, and its column is the mover's number minus the other side's. [Sets] are a
//     game's sets by name.
//   - [Model] is a weight for each column of a set, with its origin. [Model.Parts] breaks down
//     the value of a position for explanations, pages and comparisons. Engines play with
//     [Tables] compiled from a model, or with the model itself ([Direct]).
//   - [Open] reads weights files of any kind: weights of a Set are JSON by name ([Weights]),
//     those of patterns and tables are packed ([Packed]). [Opened] explains and exports
//     them; [Loaded] is the same without the type of the game's positions.
//
// Points are the unit of labels: ±[games.MaxPoints] is a won or lost game.
//
// # Packed files
//
// A packed file has this layout, with little-endian numbers:
//
//	8 bytes   the magic "kroowts\n"
//	4 bytes   version of the format, 2
//	4 bytes   kind: 1 a model, 2 a compiled evaluator
//	4 bytes   length of the header in bytes, at most 1 MiB
//	header    JSON, see Header
//	4 bytes   number of sections that follow
//	section   8 bytes of length, and a Zstandard frame (RFC 8878) of that length, with a
//	          window of at most 1 MiB; …
//	32 bytes  SHA-256 of all bytes before it
//
// A model has one section, a float32 for each column: the first (lowest) bytes
// of all columns, then the second, third and fourth bytes. Package features/oware
// describes the sections of its compiled evaluator; other games have none.
//
// Caveat: [ParseWeights] and openPacked do not check the set that a file names; [Open] does.
package features
