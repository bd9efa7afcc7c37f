// Package thesis holds the antisymmetric features of oware in the manner of
// Sala Soler 2014, and the evaluator of weights fitted to them.
//
// [Sets] are the feature sets:
//
//   - "thesis": the seeds captured, and the number of a side's houses that hold
//     fewer than 1, 2, 3, 4, 5 seeds or more than 7, 8, 10, 11, 12, 13;
//   - "thesis4": the four that the thesis's backward elimination leaves:
//     captures, <1, <3, >12;
//   - "captures": the seeds captured alone;
//   - "wide": all counts, from which the thesis's twelve are a choice.
//
// [Evaluator] computes fitted weights ([features.Weights]) in centi-seeds from
// fixed-point tables, one lookup a house and store, within 0.53 centi-seeds.
//
// Caveats: an evaluator accepts positions of any rules; who uses it compares them with
// those of the weights. Its values are not limited to ±24 seeds; the search clamps them.
package thesis
