// Package shell writes words as a POSIX shell reads them, for commands that a person
// may copy.
package shell

import "strings"

const safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+:,./-="

// Quote returns a word as a shell takes it: in single quotes if it holds anything that
// could mean something to a shell.
func Quote(word string) string {
	if word != "" && word[0] != '=' && strings.Trim(word, safe) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
