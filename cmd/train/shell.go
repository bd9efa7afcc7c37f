package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"kroo/internal/shell"
)

// thisCommand is the command line as it was given, for work that goes on when
// it is said again.
func thisCommand() string {
	words := []string{shell.Program()}
	for _, w := range os.Args[1:] {
		words = append(words, quoted(w))
	}
	return strings.Join(words, " ")
}

// tryNext prints what to run next, as it can be run here: commands without the name of
// the program.
func tryNext(w io.Writer, commands ...string) {
	for i, c := range commands {
		fmt.Fprintf(w, "%s %s %s\n", [2]string{"next:", "  or:"}[min(i, 1)], shell.Program(), c)
	}
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
