// Package oware has oware's pattern features, the linear functions fitted to
// them, and the evaluator compiled from such a function. Programs that use the
// rules as well import it under another name, such as patterns.
//
// [Sets] are antisymmetric counts in the manner of Sala Soler 2014:
//
//   - "thesis": the seeds captured, and the number of a side's houses that hold
//     fewer than 1, 2, 3, 4, 5 seeds or more than 7, 8, 10, 11, 12, 13;
//   - "thesis4": the four that the thesis's backward elimination leaves:
//     captures, <1, <3, >12;
//   - "captures": the seeds captured alone;
//   - "wide": all counts, from which the thesis's twelve are a choice.
//
// To add a feature, list its definition in a set. One that is no sum over houses and stores
// needs no Place: [Counts] evaluates it, explanations count it to the whole board, and exports
// of tables refuse it.
//
// A [Set] is a list of families of pattern features, written store+houses+pairs, and
// numbers their columns; PatternSets.Families lists the families. [Set.AppendRow] gives
// the columns of a position that are not zero. A [Model] is a weight in points
// (1000/24 to a seed) for each column, with its origin.
// [Compile] makes an [Evaluator] of it, a few integer tables whose cost does
// not depend on the number of columns; [NewCounts] makes one of a model of the Sets, within
// 0.53 centi-seeds. PatternSets.Keep writes both files of a fit. [Find] gives weights by name,
// the program's own ([Default]) and published ones ([Named]), or reads a file of any kind.
//
// # The mover's view
//
// Everything is seen by the player to move: houses A…F are the mover's from
// the left, a…f the other side's, both in sowing order, whoever is South. One
// function serves both players. It is not antisymmetric under passing the
// turn, since to be on the move is itself worth something.
//
// # Buckets and tables
//
// Patterns of two houses and more see a house in one of eight buckets: 0, 1, 2,
// 3, 4–5, 6–8, 9–11, 12 and more seeds. The evaluator keeps the houses as four
// aligned triples, ABC, DEF, abc, def, nine bits each, and has a table of 2^18
// entries for each pair of triples; whatever pattern lies within two triples
// is a part of one of them. Exact counts of a house and everything that hangs
// on the two stores alone have small tables of their own. [Compile] refuses a
// family that fits none of these.
//
// # What a value is worth
//
// Weights fitted by the loss in winning chances, as those of [Default], value a
// position in centi-seeds of the labels they were fitted to, and not of the end
// of the game. In 400 games of the default weights with themselves (10 000 nodes a
// move), a seed of score represents 1.29 ± 0.03 seeds of final difference: for
// 3.09 ± 0.14 while 41 to 48 seeds are in play, 2.51 ± 0.10 at 33 to 40, 1.78 ± 0.05
// at 25 to 32, 1.31 ± 0.03 at 17 to 24, 0.9 below. (± is a standard error by game.
// Proven scores are left out. A game ends when a side has 25 seeds.) Scores of 1 to 4
// seeds represent nearly three times as much, those above 8 for what they say. The
// header's Calibration is from the same games. The commands are
//
//	train match --a weights=default,vary=on --b weights=default,vary=on --nodes 10000 --pairs 200 --opening-plies 8 --seed 5 -o games.ogn
//	train weights calibrate games.ogn
//
// # Files
//
// Package features describes the bytes of a weights file and the section
// of a model. A compiled evaluator has 1 + 0, 6 or 6 × stages sections, numbers
// little-endian. The first is:
//
//	4 bytes   stages of the game, 1 to 4
//	1 byte    binary places of a pattern entry, 1 to 4
//	1 byte    arrangement of the pattern tables, 0 to 2
//	2 bytes   0
//	stores    64 × 64 int32, [own store][other store], 1/256 centi-seed
//	houses    for each stage 12 × 64 int32, [A…F a…f][seeds], 1/256 centi-seed
//
// Each of the others is a pattern table, [second triple][first triple] int16,
// first the low bytes of all entries, then the high ones: the pairs of triples
// 01 02 03 12 13 23, in that order, for all stages or for each.
//
// A triple's index is the bucket of its first house plus 8 times that of the
// second plus 64 times that of the third.
//
// Pattern tables are stored as differences from bucket 7: to undo them, take the six
// houses in turn, and for each add the entry in which the house is in bucket 7 to the
// seven others, modulo 2^16. Then, if each stage has tables, add those of the first stage
// to the others. In arrangement 0, of files up to 2026-11-22, they are differences from
// the bucket before: running sums along each of the six houses in turn undo them. In
// arrangement 1, of files up to 2026-11-25, the header's hash is of these tables, in 2 of
// those for play.
//
// For play an entry of patterns becomes a byte: the nearest whole number of units, halves
// up. The unit of a table is its largest entry, without the sign, divided by 127, rounded
// up to a whole entry.
//
// The value of a position is the sum of its entry in stores, of twelve in houses and of
// six in patterns, in centi-seeds, rounded to the nearest whole number, halves up. Entries
// and units of patterns are divided by two to the power of the binary places. The stage is the number of seeds in play times stages divided by 49,
// rounded down.
//
// Caveats: a function is fitted under some rules (Model.CheckRules), but
// evaluates any position; values are not limited to ±24 seeds, the search
// clamps them.
package oware
