// Package tune tunes numeric options of a program by games of the program against itself.
//
// [Run] tunes by simultaneous perturbation (SPSA, Spall 1998): every pair of games changes all
// options at once, and the values move towards the winner. [ReadParameters] reads the options to
// tune. A [Result] has the values, and a curve of each.
package tune
