// Package profile describes datasets in depth. [Of] reads one, with a filter, other
// datasets to look for the same situations in and an evaluation to compare labels with,
// and gives text, JSON and a page of plots; [Open] reads one to be looked at again and
// again ([View]). [Copy] writes the rows that a filter wants.
//
// Caveat: a dataset is held in memory, some hundred bytes a row.
package profile
