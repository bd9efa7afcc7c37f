package wording

import (
	"os"
	"path/filepath"
	"strings"
)

// Program returns the command that started this program, to print in commands for copying: train,
// ./train, or go run ./cmd/train.
func Program() string { return program(os.Args[0]) }

func program(name string) string {
	if strings.Contains(filepath.ToSlash(name), "/go-build") { // built by go run
		return "go run ./cmd/" + strings.TrimSuffix(filepath.Base(name), ".exe")
	}
	return Quote(name)
}

const safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+:,./-="

// Path quotes a file name like [Quote], and prefixes one that begins with - so that it is not read
// as a flag.
func Path(name string) string {
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return Quote(name)
}

// Quote quotes a word for a POSIX shell, in single quotes if it contains a special character.
func Quote(word string) string {
	if word != "" && word[0] != '=' && strings.Trim(word, safe) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
