package main

import (
	"slices"
	"strings"
)

// packages are the names that errors begin with in the libraries, where they tell a
// programmer who speaks. A person at a terminal is told what is wrong with what.
var packages = []string{
	"book", "datasets", "dropout", "endgame", "engine", "farm", "features", "inspect", "match", "othello", "oware", "play",
	"regress", "report", "run", "sampler", "sparse", "study", "thesis", "tictactoe", "uci", "analysis",
}

// plain is the text of an error without the names of packages at its beginning.
func plain(err error) string {
	text := err.Error()
	for {
		name, rest, found := strings.Cut(text, ": ")
		if !found || !slices.Contains(packages, name) {
			return text
		}
		text = rest
	}
}
