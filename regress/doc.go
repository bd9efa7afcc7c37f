// Package regress fits the weights of an evaluation function to labelled
// positions by least squares, selects features and measures the fit.
//
// The function is antisymmetric and has no intercept: the prediction for a row
// is the sum of weight times (own − opponent's value). That is the same as
// doubling every row, the position as each player sees it, with one weight for
// a feature of one's own and another for the opponent's (Sala Soler 2014), but
// half the rows and half the columns.
//
// [Train] does everything that a table of features needs: it makes the matrix
// ([Matrix]), removes validation rows whose position was trained on
// ([Disjoint]), fits all features ([Fit]), drops features backward
// ([Backward]), fits captures alone for comparison, and returns the weights
// with statistics and residuals. [Split] divides rows by position.
//
// Statistics are over the doubled rows, whose means are zero, and of the
// unclamped linear prediction, as in the thesis: predictions may lie beyond
// ±1000 points where labels cannot. Standard errors count every row once.
// They take rows to be independent and of equal variance.
package regress
