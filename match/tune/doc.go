// Package tune finds values for numeric options of a program, by games of the program
// against itself.
//
// [Run] tunes, by simultaneous perturbation (Spall 1998): every pair of games moves all
// options at once, and the values go towards the winner. [ReadParameters] reads which
// options those are. A [Result] has the values, and a curve of each.
package tune
