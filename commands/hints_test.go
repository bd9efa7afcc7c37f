package commands

import (
	"regexp"
	"strings"
	"testing"

	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

var suggested = regexp.MustCompile(`(?m)^(?:next:|  or:| {7}) +train (.*)$`)

// Commands that a command suggests work as printed, and so do those that they suggest, and so on.
// KROO_LONG=1 runs them without smaller limits.
func TestSuggestedCommandsWork(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]string{
		"uniform":     "sample --n 120 -o 'my positions.parquet'",
		"dash":        "sample --n 120 -o -my.parquet",
		"awari":       "sample --method pps --n 120 --rules awari -o positions.parquet",
		"simple":      "sample --n 120 --rules simple -o positions.csv",
		"validation":  "sample --method games --n 200 --every 8 --nodes 60 --split 0.3 -o games.parquet",
		"tictactoe":   "sample --game tictactoe --method games --n 60 --nodes 40 -o positions.parquet",
		"chess":       "sample --game chess --method games --n 300 --every 15 --nodes 20 -o positions.parquet",
		"lamosca":     "sample --game chess --rules lamosca --method games --n 300 --nodes 20 -o positions.parquet",
		"othello":     "sample --game othello --n 300 -o positions.parquet",
		"othello 6x6": "sample --game othello --rules 6x6 --n 300 -o positions.parquet",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			followed(t, t.TempDir(), first)
		})
	}
	t.Run("run", func(t *testing.T) {
		t.Parallel()
		dir := copyOf(t, shortRun, "run --config short.toml --dir whole")
		printed := testkit.Read(t, dir+"/printed")
		follow(t, dir, "run", string(printed))
	})
}

// followed runs a command, and then those that it suggests.
func followed(t *testing.T, dir, line string) {
	t.Helper()
	args := shellWords(line)
	if small := map[string]string{"match": "--pairs 1 --nodes 50 --tables none", "label": "--nodes 50 --hash 1 --tables none", "run": "--print-config"}[args[0]]; small != "" && !testenv.Long() {
		args = append(args, strings.Fields(small)...)
	}
	out, errs, code := train(t, dir, args...)
	if code != exitDone {
		t.Errorf("train %s: exit %d: %s", strings.Join(args, " "), code, errs)
		return
	}
	follow(t, dir, line, out)
}

// follow runs the suggested commands.
func follow(t *testing.T, dir, line, printed string) {
	t.Helper()
	for _, m := range suggested.FindAllStringSubmatch(printed, -1) {
		t.Logf("%s: %s", line, m[1])
		followed(t, dir, m[1])
	}
}
