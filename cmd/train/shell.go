package main

import (
	"os"
	"strings"
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
func quoted(w string) string {
	if w != "" && !strings.ContainsAny(w, " \t\n\"'`$\\*?[]#~;&|<>(){}!") {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
