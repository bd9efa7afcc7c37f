package commands

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"kroo/games"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// thisCommand is the command line as it was given, but for some flags, for work that
// continues when it is said again.
func thisCommand(without ...string) string {
	words := []string{wording.Program()}
	for _, w := range os.Args[1:] {
		if !slices.Contains(without, w) {
			words = append(words, wording.Quote(w))
		}
	}
	return strings.Join(words, " ")
}

// tryNext prints what to run next, as it can be run here: commands without the name of
// the program.
func tryNext(w io.Writer, commands ...string) {
	for i, c := range commands {
		fmt.Fprintf(w, "%s %s %s\n", [2]string{"next:", "  or:"}[min(i, 1)], wording.Program(), c)
	}
}

// unused is the name of a file or folder that is not there yet: base with the ending, or
// with a number between them.
func unused(base, ending string) string {
	name := base + ending
	for n := 2; ; n++ {
		_, err := vfs.Lstat(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			_, err = vfs.Lstat(name) // the system may have erred
		}
		if err != nil { // whoever makes it finds what else is wrong
			return name
		}
		name = fmt.Sprintf("%s-%d%s", base, n, ending)
	}
}

// flagsFor are the flags --game and --rules of a command, where they are not the default.
func flagsFor(info games.Info, rules string) (flags string) {
	if info.Name != allGames[0].info().Name {
		flags += " --game " + info.Name
	}
	if rules != info.Rules[0] {
		flags += " --rules " + rules
	}
	return flags
}

// matchFlagsFor are those of a match, which has to end.
func matchFlagsFor(info games.Info, rules string) string {
	flags := flagsFor(info, rules)
	if slices.Contains(info.Endless, rules) {
		flags += " --max-plies 200"
	}
	return flags
}

// quoted is a path as a shell and this program take it.
func quoted(path string) string { return wording.Path(path) }

// quotedPlayer is a weights file as --a and --b of a match take it.
func quotedPlayer(weights string) string {
	if strings.Contains(weights, "=") { // or it is read as KEY=VALUE
		weights = "weights=" + strings.ReplaceAll(weights, ",", `\,`)
	}
	return quoted(weights)
}
