// Package tune finds values for numeric options of a program, by games of the program
// against itself.
package tune
