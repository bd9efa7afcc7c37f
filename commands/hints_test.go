package commands

import (
	"regexp"
	"strings"
	"testing"

	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

var suggested = regexp.MustCompile(`(?m)^ {7}train (.*)$`)

// Commands that the summary of a run suggests work as printed. KROO_LONG=1 runs them without
// smaller limits.
func TestSuggestedCommandsWork(t *testing.T) {
	t.Parallel()
	dir := copyOf(t, shortRun, "run --config short.toml --dir whole")
	for _, m := range suggested.FindAllStringSubmatch(string(testkit.Read(t, dir+"/printed")), -1) {
		args := shellWords(m[1])
		if small := map[string]string{"match": "--pairs 1 --nodes 50 --tables none", "run": "--print-config"}[args[0]]; small != "" && !testenv.Long() {
			args = append(args, strings.Fields(small)...)
		}
		good(t, dir, args...)
	}
}
