// Package features turns oware positions into a few numbers, holds the weights
// fitted to them, and makes of both an evaluation function for the engine.
//
// A [Set] is a named list of features; each gives one number for either side
// of a position. [ByName] finds a set:
//
//   - "thesis": the seeds captured, and the number of a side's houses that hold
//     fewer than 1, 2, 3, 4, 5 seeds or more than 7, 8, 10, 11, 12, 13 (Sala
//     Soler 2014);
//   - "wide": captures and every threshold up to 16 once, <1 to <6 and >6 to
//     >15, for a selection to begin with; a house with fewer than k seeds is
//     one that does not hold more than k-1, so the two counts of a threshold
//     are the same feature but for its sign;
//   - "thesis4": the four of them that survive his backward elimination:
//     captures, <1, <3, >12;
//   - "captures": the seeds captured alone.
//
// The fitted function is linear and antisymmetric: the sum over the features
// of a weight times (own − opponent's value), so that a position is worth as
// much to one player as it costs the other. [Weights] is that function as a
// JSON file, in points (1000/24 to a seed) per unit of difference, together
// with what it was fitted on. [Evaluator] computes it in centi-seeds from
// fixed-point tables, one lookup a house and store, within [MaxRounding].
//
// Caveats: an evaluator accepts positions of any rules; callers compare first
// with [Weights.CheckRules]. Its values are not limited to ±24 seeds; the
// search clamps them.
package features
