// Package inspect says what a file holds: a dataset, weights, a book, game
// records or a run's manifest. It tells them apart by their content.
package inspect
