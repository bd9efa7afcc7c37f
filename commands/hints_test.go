package commands

import (
	"regexp"
	"strings"
	"testing"

	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

var suggested = regexp.MustCompile(`(?m)^(?:next:| {6}) train (.*)$`)

// Commands that the summary of a command suggests work as printed, and so do those that they
// suggest, and so on. KROO_LONG=1 runs them without smaller limits.
func TestSuggestedCommandsWork(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]string{
		"uniform":   "sample --n 120 -o 'my positions.parquet'",
		"awari":     "sample --method pps --n 120 --rules awari -o positions.parquet",
		"tictactoe": "sample --game tictactoe --method games --n 60 --nodes 40 -o positions.parquet",
		"lamosca":   "sample --game chess --rules lamosca --method games --n 300 --nodes 20 -o positions.parquet",
		"6x6":       "sample --game othello --rules 6x6 --n 300 -o positions.parquet",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if n := followed(t, dir, good(t, dir, shellWords(first)...)); n < 2 {
				t.Errorf("%d commands were suggested: expected label, and fit or features", n)
			}
		})
	}
	t.Run("run", func(t *testing.T) {
		t.Parallel()
		dir := copyOf(t, shortRun, "run --config short.toml --dir whole")
		followed(t, dir, string(testkit.Read(t, dir+"/printed")))
	})
}

// followed runs the suggested commands, and returns their number.
func followed(t *testing.T, dir, printed string) (n int) {
	t.Helper()
	for _, m := range suggested.FindAllStringSubmatch(printed, -1) {
		args := shellWords(m[1])
		if small := map[string]string{"match": "--pairs 1 --nodes 50 --tables none", "label": "--nodes 50 --hash 1 --tables none", "run": "--print-config"}[args[0]]; small != "" && !testenv.Long() {
			args = append(args, strings.Fields(small)...)
		}
		n += 1 + followed(t, dir, good(t, dir, args...))
	}
	return n
}
