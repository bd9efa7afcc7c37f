// Package features describes positions by numbers, one a column, to which weights are
// fitted. It knows no game. The packages below it define the columns of oware (pattern
// features in features/oware, the thesis's counts in features/oware/thesis), Othello,
// chess and tic-tac-toe; features/weightsfile is the file format of pattern weights.
//
//   - [Columns] is what every feature set offers, whether it has four columns or
//     millions: the short list of columns that are not zero in a position.
//     [ParseSpec] reads the names of sets that are made of families of columns.
//   - [Set] is a small antisymmetric set in the manner of Sala Soler 2014: each
//     feature is a number of either side, and its column is the mover's number minus
//     the other side's. [Sets] are those of a game, found by name.
//   - [Weights] is a function fitted to a Set, as a JSON file holds it: points for
//     each unit of difference, and what they were fitted to. It is antisymmetric: a
//     position is worth as much to one side as it costs the other.
//
// Points are the unit of labels: ±[games.MaxPoints] is a game won or lost.
//
// Caveat: a weights file names its set, but [ParseWeights] does not look at the set.
// [Sets.Check] does.
package features
