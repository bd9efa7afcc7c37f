// Package study measures searches the way the literature on mancala games has
// done, so that its tables can be set beside this engine's: [Algorithms],
// [Branching], [Tables] and [Depths] each run one study and return a result that
// prints as a table ([Result.Rows]) and draws as a [report.Chart].
//
// The searches compared are textbook ones written here for the purpose, small
// and slow, next to the ones of package engine. Node counts are the same every
// time, whatever the number of workers; times are of this machine, and mean
// something only beside each other.
package study
