// Package othello has Othello's features and evaluators: the disc difference,
// published square weights, and linear functions fitted to labels. Programs that use
// the rules as well import it under another name, such as squares.
//
// [Sets] has antisymmetric feature sets, as package features describes them: the
// discs of a side by classes of squares. Squares that symmetries of the board map
// onto each other are one class; the board of 8×8 has ten, that of 6×6 six. The
// class of the four squares in the middle, which are taken from the start, is left
// out, as in the published table: nine and five remain.
//
// [Figure3] are weights of the nine classes that an article of the magazine
// MCmicrocomputer printed for a program on a programmable calculator and on a home
// computer. [Discs] counts discs, [Dynamic] turns from the one to the other.
package othello
