package main

import (
	"os"
	"strings"

	"kroo/internal/shell"
)

// thisCommand is the command line as it was given, for work that goes on when
// it is said again.
func thisCommand() string {
	words := []string{"train"}
	for _, w := range os.Args[1:] {
		words = append(words, quoted(w))
	}
	return strings.Join(words, " ")
}

// quoted is a word as a shell takes it.
func quoted(w string) string { return shell.Quote(w) }

// quotedPlayer is a weights file as --a and --b of a match take it.
func quotedPlayer(weights string) string {
	if strings.Contains(weights, "=") { // or it is read as KEY=VALUE
		weights = "weights=" + strings.ReplaceAll(weights, ",", `\,`)
	}
	return quoted(weights)
}
