package commands

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Removed commands and flags are errors that say what to use instead.
func TestRemovedFlagsAndCommandsSayWhatToUse(t *testing.T) {
	t.Parallel()
	refused := func(instead string, words ...string) {
		root := newRoot()
		root.SetArgs(words)
		err := root.Execute()
		if _, usage := errors.AsType[usageError](err); !usage || !strings.Contains(err.Error(), "was removed in 0.1.0: "+instead) {
			t.Errorf("train %s: %v", strings.Join(words, " "), err)
		}
	}
	for line := range strings.Lines(removed) {
		name, instead, listed := strings.Cut(strings.TrimSpace(line), ": ")
		if !listed {
			continue
		}
		words := strings.Fields(name)
		flag, isFlag := strings.CutPrefix(words[len(words)-1], "--")
		switch {
		case !isFlag && !strings.ContainsAny(name, ".="):
			refused(instead, words...)
		case isFlag:
			if cmd, rest, err := newRoot().Find(words[:len(words)-1]); err != nil || len(rest) > 0 {
				t.Errorf("%s: no such command: %s, %v", name, cmd.Name(), err)
			}
			for _, cmd := range runnablePaths(newRoot(), words[:len(words)-1]) {
				refused(instead, append(cmd, "--"+flag+"=1")...)
			}
		}
	}
}

// runnablePaths returns the paths of a command and its subcommands.
func runnablePaths(root *cobra.Command, path []string) (paths [][]string) {
	cmd, _, err := root.Find(path)
	if err != nil {
		return nil
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.IsAvailableCommand() && c != root {
			paths = append(paths, strings.Fields(c.CommandPath())[1:])
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(cmd)
	return paths
}
