// Package features says what a position is to a fit: a list of numbers by
// column. It knows no game; features/oware, features/oware/thesis and
// features/tictactoe define the columns of theirs.
//
//   - [Columns] is what every feature set offers: for each position the short
//     list of columns that are not zero. Sets of millions of columns go through
//     it as sets of four do.
//   - [Set] is a small antisymmetric set in the manner of Sala Soler 2014:
//     every feature is a number of either side, and a column is the difference
//     between them. [Sets] are those of a game, found by name.
//   - [Weights] is a function fitted to a Set, as a JSON file: points for each
//     unit of difference, with what they were fitted to. It is antisymmetric: a
//     position is worth as much to one side as it costs the other.
//
// Points are the unit of labels: ±[games.MaxPoints] is a game won or lost.
//
// Caveat: a weights file names its set; only [Sets.Check] compares the two.
package features
