package commands

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

var (
	piped   = regexp.MustCompile(`^printf '([^']*)' \| (.*)$`)
	limited = regexp.MustCompile(`(?m)(?:^go |^set |--)depth (\d+)$`)
)

// answered matches the output of a search to the given depth, with a move.
func answered(service, depth string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^info depth ` + depth + ` [\s\S]*^bestmove \w+`)
}

// Every example that pipes UCI commands into the engine searches to its depth and prints a move.
func TestPipedExamplesOfTheDocumentsSearch(t *testing.T) {
	t.Parallel()
	dir, ran := stageFiles(t), 0
	for _, file := range documents(t) {
		text := testkit.Read(t, file)
		for _, line := range strings.Split(string(text), "\n") {
			m := piped.FindStringSubmatch(strings.TrimSpace(line))
			if m == nil {
				continue
			}
			args, ok := commandOf(m[2])
			input := strings.ReplaceAll(m[1], `\n`, "\n")
			asked := limited.FindStringSubmatch(input + "\n" + m[2])
			if !ok || asked == nil {
				t.Errorf("%s: %s: expected a search by depth, piped into this program", file, line)
				continue
			}
			cmd := exec.Command(os.Args[0], args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), asCommand+"=1")
			cmd.Stdin = strings.NewReader(input)
			out, err := cmd.CombinedOutput()
			if err != nil || !answered(args[0], asked[1]).Match(out) {
				t.Errorf("%s: %s: %v, printed\n%s", filepath.Base(file), line, err, out)
			}
			ran++
		}
	}
	if ran < 4 {
		t.Errorf("%d examples were run, expected 4 and more", ran)
	}
}
