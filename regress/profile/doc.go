// Package profile describes datasets in depth. [Of] reads one, with a filter, other
// datasets to look for the same situations in and an evaluation to compare labels with,
// and gives text, JSON and a page of plots; [Open] reads one to be looked at again and
// again ([View]). [Copy] writes the rows that a filter wants.
//
// [Of] needs the same memory for few and for many rows: it adds rows up as it reads them, and
// sorts what it has to compare in temporary files. A [View] has its rows in memory.
package profile
