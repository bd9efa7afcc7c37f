// Package sparse fits linear functions of up to millions of weights to
// labelled rows that hold few of very many columns, most of them with value 1:
// evaluation functions made of patterns. Rows stream, all cores work, and the
// result has the same bits for any number of them.
//
// [Rows] is what the caller provides: labelled rows in blocks that can be read
// again and again. [Prepare] reads them once, counts the columns and makes a [Matrix], of which
// many fits can be made:
//
//   - [Matrix.Fit] minimises squares, or errors in winning chances ([Loss]),
//     plus a ridge by family of columns ([Group]).
//   - [Matrix.ChooseRidge] chooses the ridges by cross-validation.
//   - [Evaluate] compares any weights with any rows.
//
// Rows are packed to two bytes a frequent column and four a rare one and kept
// in memory as far as [Layout].CacheBytes allows; the rest is read and packed
// again in each of some hundred passes. Next to them a fit takes about 24 bytes
// a row, and for each column that a row has 100 bytes and 8 more for
// each of 4 to 16 accumulators.
//
// Caveats: products with directions are computed in float32, which slows
// convergence beyond a tolerance of about 1e-6 a round; gradients are summed in
// float64, so that the result is as exact as its tolerance says. With millions
// of weights there are 4 accumulators, and more than 4 cores do not help. A
// Matrix is not safe for concurrent use.
package sparse
