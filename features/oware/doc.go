// Package oware has oware's pattern features, the linear functions fitted to them, and the
// evaluator compiled from such a function. Programs that also import the rules import it under
// another name, such as patterns.
//
// [Sets] are antisymmetric counts as in Sala Soler 2014:
//
//   - "thesis": captured seeds, and the number of a side's houses with fewer than 1, 2, 3, 4, 5
//     seeds or more than 7, 8, 10, 11, 12, 13;
//   - "thesis4": the four that remain after the thesis's backward elimination: captures, <1,
//     <3, >12;
//   - "captures": captured seeds alone;
//   - "wide": all counts, including the thesis's twelve.
//
// To add a feature, list its definition in a set. A feature that is not a sum over houses and
// stores needs no Place: [Counts] evaluates it, explanations assign it to the whole board, and
// exports of tables refuse it.
//
// A [Set] is a list of families of pattern features, such as store+houses+pairs, and the
// numbering of their columns ([Parse]). A [Model] is a weight in points (1000/24 per seed) for
// each column, with its origin. [Compile] turns it into an [Evaluator], a few integer tables whose
// speed does not depend on the number of columns; [NewCounts] evaluates a model of the Sets
// within 0.53 centi-seeds. [Find] finds weights by name, the program's own ([Default]) or
// published ones ([Named]), or reads a file of any kind.
//
// # The mover's view
//
// Positions are seen by the player to move: houses A…F are the mover's from the left, a…f the
// other side's, both in sowing order, whoever is South. One function serves both players. It is
// not antisymmetric under passing the turn, since the move itself has a value.
//
// # Buckets and tables
//
// Patterns of two houses and more see a house in one of eight buckets: 0, 1, 2, 3, 4–5, 6–8,
// 9–11, 12 and more seeds. The evaluator keeps the houses as four aligned triples, ABC, DEF, abc,
// def, nine bits each, and has a table of 2^18 entries for each pair of triples; every pattern
// within two triples is added to one of these tables. Exact counts of a house, and features of
// the two stores alone, have small tables of their own.
//
// # What a value is worth
//
// Weights fitted by the loss in winning chances, such as those of [Default], predict labels in
// centi-seeds, not the final margin. In 400 self-play games of the default weights (10 000 nodes
// per move), a seed of score corresponds to 1.29 ± 0.03 seeds of final difference: to 3.09 ± 0.14
// while 41 to 48 seeds are in play, 2.51 ± 0.10 at 33 to 40, 1.78 ± 0.05 at 25 to 32, 1.31 ± 0.03
// at 17 to 24, 0.9 below. (± is a standard error by game. Proven scores are left out. A game ends
// when a side has 25 seeds.) Scores of 1 to 4 seeds correspond to nearly three times as much,
// those above 8 to about their own size. The header's Calibration is from the same games. The
// commands are
//
//	train match --a weights=default,vary=on --b weights=default,vary=on --nodes 10000 --pairs 200 --opening-plies 8 --seed 5 -o games.ogn
//	train weights calibrate games.ogn
//
// # Files
//
// Package features describes the bytes of a weights file and the section
// of a model. A compiled evaluator has 1 + 0, 6 or 6 × stages sections with little-endian
// numbers. The first is:
//
//	4 bytes   stages of the game, 1 to 4
//	1 byte    binary places of a pattern entry, 1 to 4
//	1 byte    arrangement of the pattern tables, 2
//	2 bytes   0
//	stores    64 × 64 int32, [own store][other store], 1/256 centi-seed
//	houses    for each stage 12 × 64 int32, [A…F a…f][seeds], 1/256 centi-seed
//
// Each of the others is a pattern table, [second triple][first triple] int16, the low bytes of
// all entries before the high ones. The pairs of triples are in the order 01 02 03 12 13 23, once
// for all stages or for each stage.
//
// A triple's index is the bucket of its first house plus 8 times that of the second plus 64 times
// that of the third.
//
// Pattern tables are stored as differences from bucket 7. To undo them, take the six houses in
// turn, and for each add the entry in which the house is in bucket 7 to the seven others, modulo
// 2^16. Then, if each stage has tables, add those of the first stage to the others. The header's
// hash is of the tables for play.
//
// For play, a pattern entry becomes a byte: the nearest whole number of units, halves up. The
// unit of a table is its largest absolute entry divided by 127, rounded up to a whole entry.
//
// The value of a position is the sum of one entry in stores, twelve in houses and six in
// patterns, in centi-seeds, rounded to the nearest whole number, halves up. Entries and units of
// patterns are divided by two to the power of the binary places. The stage is the number of seeds
// in play times the number of stages divided by 49, rounded down.
//
// Caveats: a function is fitted for some rules (Model.CheckRules) but evaluates any position;
// values are not limited to ±24 seeds, the search clamps them.
package oware
