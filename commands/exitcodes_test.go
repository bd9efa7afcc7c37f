//go:build unix

package commands

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A file that is missing is a failure, whichever command is to read it, and whichever flag or
// operand names it. What takes a name as well as a file may call the name unknown.
func TestAMissingFileIsAFailure(t *testing.T) {
	t.Parallel()
	a := &attack{T: t, setup: copyOf(t, "", attackSetup...)}
	dir := a.fresh()
	tried, missing := 0, 0
	root := newRoot()
	seen := map[*cobra.Command]bool{}
	lines := slices.Clone(pathCommands)
	for _, c := range attackedCommands {
		if c.beside == "" && c.visits == nil {
			lines = append(lines, c.line)
		}
	}
	for _, line := range lines {
		for _, line := range pathLines(t, root, line, seen) {
			if tried++; !long() && tried%6 != 0 {
				continue
			}
			line = strings.ReplaceAll(line, "PATH", "none.parquet")
			_, errs, code := train(t, dir, strings.Fields(strings.ReplaceAll(line, "ADDRESS", "127.0.0.1:1"))...)
			if !strings.Contains(errs, "no such file") {
				continue
			}
			if missing++; code != exitFailed {
				t.Errorf("train %s: exit %d: %s: want exit 1", line, code, errs)
			}
		}
	}
	if missing == 0 {
		t.Errorf("of %d lines none misses a file", tried)
	}
}

// A number that nothing is counted to is wrong usage, for every flag of every command.
func TestHugeNumbersAreWrongUsage(t *testing.T) {
	values := map[string][]string{"int": {"9223372036854775807", "-9223372036854775808"}, "float64": {"NaN", "Inf", "-Inf"}}
	values["int64"], values["numbers"] = values["int"], values["int"]
	flags := 0
	for _, cmd := range runnable(newRoot()) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			for _, value := range values[f.Value.Type()] {
				flags++
				if cmd.Flags().Set(f.Name, value) == nil {
					t.Errorf("%s --%s=%s is taken", cmd.CommandPath(), f.Name, value)
				}
			}
		})
	}
	if flags < 100 {
		t.Errorf("%d flags", flags)
	}
}
