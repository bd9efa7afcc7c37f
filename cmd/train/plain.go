package main

import (
	"slices"
	"strings"
)

// packages are the names that errors begin with in the libraries, where they tell a
// programmer who speaks. A person at a terminal is told what is wrong with what.
var packages = []string{
	"analysis", "book", "chess", "client", "datasets", "dropout", "elo", "endgame", "engine", "farm", "features",
	"features/chess", "features/othello", "features/oware", "features/oware/thesis", "features/tictactoe",
	"inspect", "journal", "match", "othello", "oware", "play", "regress", "report", "run", "sampler", "serve", "sparse",
	"study", "tictactoe", "uci", "wal",
}

// plain is the text of an error without the names of packages at its beginning.
func plain(err error) string { return plainText(err.Error()) }

func plainText(text string) string {
	for {
		name, rest, found := strings.Cut(text, ": ")
		if !found || !slices.Contains(packages, name) {
			return text
		}
		text = rest
	}
}
