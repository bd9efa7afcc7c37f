// Package regress fits the weights of evaluation functions to labelled positions, selects features
// and measures how well evaluations agree with labels.
//
// [Fit] fits two kinds of functions:
//
//   - Weights of an antisymmetric set ([features.Set]), by dense least squares, for any game with
//     such sets. [Tabulate] makes the table of features from labels. Fit removes validation rows
//     that are also in the training rows, fits all features, drops some by backward elimination,
//     and fits captures alone for comparison.
//   - Weights of pattern features, thousands to millions, for the side to move. Fit reads labels,
//     computes the features as it goes, minimises squared errors or errors in winning chances by
//     conjugate gradients, with a ridge per family of features, and writes the model and the
//     compiled weights. The result has the same bits for any number of cores.
//
// [Measure] compares any evaluation with datasets of labels.
//
// An antisymmetric function has no intercept: the prediction for a row is the sum of weight times
// (own − opponent's value). This is equivalent to doubling every row, with the position as each
// side sees it and separate weights for a feature of one's own and of the opponent's (Sala Soler
// 2014), with half the rows and half the columns. As in the thesis, the statistics of these fits
// are over the doubled rows, whose means are zero, and of unclamped predictions, which can lie
// beyond ±1000 points although labels cannot. Standard errors count every row once. They are
// ordinary ones, for independent rows of equal variance, if each row is its own group
// ([datasets.GroupOf]); rows of games get clustered ones (Liang and Zeger 1986).
//
// Caveat: the statistics of pattern fits and of Measure are defined differently: rows as labelled,
// not doubled, and predictions clamped to ±1000 points. Do not compare them with those of
// antisymmetric fits.
package regress
