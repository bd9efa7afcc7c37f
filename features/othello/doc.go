// Package othello has Othello's features and evaluators: the disc difference, published square
// weights, and linear functions fitted to labels. Programs that also import the rules import it
// under another name, such as squares.
//
// [Sets] has antisymmetric feature sets (see package features): a side's discs by class of square.
// Squares that symmetries of the board map onto each other form a class: ten on the board of 8×8,
// six on 6×6. The class of the four central squares, occupied from the start, is left out, as in
// the published table, so nine and five remain.
//
// [Figure3] is a table of weights of the nine classes, printed in an article of the magazine
// MCmicrocomputer for a programmable calculator and a home computer. [Discs] counts discs,
// [Dynamic] changes gradually from the table to counting discs.
package othello
