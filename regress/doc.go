// Package regress fits the weights of evaluation functions to labelled
// positions, selects features and measures how well functions agree with labels.
//
// Two kinds of functions:
//
//   - Weights of an antisymmetric set (features.Set), by dense least squares.
//     [Tabulate] makes a table of features from labels. [Fit] leaves out
//     validation rows that were trained on, fits, drops features by backward
//     elimination, and fits captures alone for comparison. It serves every game that has such sets.
//   - Weights of oware's and Othello's pattern features, thousands to millions, from
//     the view of the side to move. [Fit] reads labels, makes rows as it
//     goes, solves by package regress/sparse and writes the model and the tables
//     compiled from it.
//
// [Measure] compares any evaluation with datasets of labels.
//
// An antisymmetric function has no intercept: the prediction for a row is the
// sum of weight times (own − opponent's value). That is the same as doubling
// every row, the position as each side sees it, with one weight for a feature of
// one's own and another for the opponent's (Sala Soler 2014), but half the rows
// and half the columns. The statistics of its fits are over the doubled rows,
// whose means are zero, and of the unclamped linear prediction, as in the thesis:
// predictions may lie beyond ±1000 points where labels cannot. Standard errors
// count every row once. They are ordinary ones, of independent rows of equal variance, if
// each row is a group of its own ([datasets.GroupOf]); rows of games get clustered ones (Liang and Zeger 1986).
//
// Caveat: the statistics of a fit of patterns and of Measure are others: rows as they are
// labelled, not doubled, predictions clamped to ±1000 points. The two kinds do not
// belong into one table.
package regress
