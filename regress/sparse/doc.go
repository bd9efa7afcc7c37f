// Package sparse fits linear functions with up to millions of weights to labelled rows that have
// few nonzero columns, most of them with value 1, such as evaluations made of patterns. Rows are
// streamed, all cores are used, and the result has the same bits for any number of cores.
//
// The caller implements [Rows]: labelled rows, in blocks that can be read repeatedly. [Prepare]
// reads them once, counts the columns and returns a [Matrix], for any number of fits:
//
//   - [Matrix.Fit] minimises squared errors, or errors in winning chances ([Loss]),
//     plus a ridge by family of columns ([Group]).
//   - [Matrix.ChooseRidge] chooses the ridges by cross-validation.
//   - [Evaluate] compares any weights with any rows.
//
// Packed rows take two bytes per frequent column and four per rare one. They stay in memory as far
// as [Layout].CacheBytes allows; the rest is read and packed again in each of some hundred passes.
// In addition a fit takes about 24 bytes per row and, for each column that occurs, 100 bytes plus 8
// for each of 4 to 16 accumulators.
//
// Caveats: products with directions are computed in float32, which slows convergence beyond a
// tolerance of about 1e-6 per round; gradients are summed in float64, so that the result is as
// precise as its tolerance. With millions of weights there are 4 accumulators, and more than 4
// cores do not help. A Matrix is not safe for concurrent use.
package sparse
