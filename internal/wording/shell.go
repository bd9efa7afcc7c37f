package wording

import (
	"os"
	"path/filepath"
	"strings"
)

// Program is the word that this program was started by, so that a command that it prints
// can be given as it stands: train, ./train, or go run ./cmd/train.
func Program() string { return program(os.Args[0]) }

func program(name string) string {
	if strings.Contains(filepath.ToSlash(name), "/go-build") { // go run builds there
		return "go run ./cmd/" + strings.TrimSuffix(filepath.Base(name), ".exe")
	}
	return Quote(name)
}

const safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+:,./-="

// Path is [Quote] for the name of a file: one that begins with - would be read as a flag.
func Path(name string) string {
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return Quote(name)
}

// Quote returns a word as a POSIX shell takes it: in single quotes if it holds anything that
// could mean something to a shell.
func Quote(word string) string {
	if word != "" && word[0] != '=' && strings.Trim(word, safe) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
