// Package wording formats counts, times and rates for people, quotes commands for a shell, and puts
// untrusted text on one line.
package wording

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// OneLine replaces each line break and tab in s by a space, and each other unprintable character
// and each run of invalid UTF-8 by a question mark.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsGraphic(r):
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return '?'
	}, strings.ToValidUTF8(s, "?"))
}

// longest is the greatest length of a text returned by Short, in bytes.
const longest = 300

// Short returns [OneLine] of s, trimmed and with single spaces. Longer text than 300 bytes is cut
// and ends in "…".
func Short(s string) string {
	s = strings.Join(strings.Fields(OneLine(s)), " ")
	if len(s) <= longest {
		return s
	}
	const more = "…"
	end := longest - len(more)
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return strings.TrimSpace(s[:end]) + more
}

// Row names a row of a file, counted from 0, in a message. There rows count from 1, as in train inspect.
func Row(row int64) string { return fmt.Sprintf("row %d", row+1) }

// Count formats a number and a word with a regular plural: Count(2, "game") is "2 games".
func Count[N int | int64](n N, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// Span formats a number of seconds, such as "2m10s". It returns "" beyond the range of a Duration,
// some 290 years.
func Span(seconds float64) string {
	nanoseconds := seconds * float64(time.Second)
	if !(nanoseconds < math.MaxInt64) {
		return ""
	}
	return time.Duration(max(nanoseconds, 0)).Round(time.Second).String()
}

// Rate formats a rate per second, minute, hour or day, the shortest in which there is at least one
// event: "2.5 games/s", or "2.5/s" without words. It returns "" for rarer events.
func Rate(perSecond float64, words string) string {
	for _, per := range []struct {
		seconds float64
		name    string
	}{{1, "s"}, {60, "min"}, {3600, "h"}, {86400, "day"}} {
		n, unit := perSecond*per.seconds, "/"+per.name
		if words != "" {
			unit = " " + words + unit
		}
		switch {
		case n >= 100 && n < 1e18:
			return fmt.Sprintf("%.0f%s", n, unit)
		case n >= 1 && n < 100:
			return fmt.Sprintf("%.1f%s", n, unit)
		}
	}
	return ""
}

// Program returns the command that started this program, to print in commands for copying: train,
// ./train, or go run ./cmd/train.
func Program() string {
	built, ok := debug.ReadBuildInfo()
	if !ok {
		built = &debug.BuildInfo{}
	}
	return program(os.Args[0], built)
}

func program(name string, built *debug.BuildInfo) string {
	if strings.Contains(filepath.ToSlash(name), "/go-build") { // built by go run
		return "go run ." + strings.TrimPrefix(built.Path, built.Main.Path)
	}
	return ShellQuote(name)
}

const safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+:,./-="

// Path quotes a file name like [ShellQuote], and prefixes one that begins with - so that it is not read
// as a flag.
func Path(name string) string {
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return ShellQuote(name)
}

// ShellQuote quotes a word for a POSIX shell, in single quotes if it contains a special character.
func ShellQuote(word string) string {
	if word != "" && word[0] != '=' && strings.Trim(word, safe) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
