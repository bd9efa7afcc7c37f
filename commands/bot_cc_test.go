//go:build cc

// The test of this file needs a C++ compiler, g++.

package commands

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// TestBotPlaysAWholeMatch compiles the bot that weights export writes, and has it play train
// cg by the arena's protocol: no game may end by a forfeit.
func TestBotPlaysAWholeMatch(t *testing.T) {
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), asCommand+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v: %.2000s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	program := testkit.Must(filepath.Abs(os.Args[0]))(t)
	run(program, "weights", "export", "default", "--format", "bot", "-o", "bot.cpp")
	run("g++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-o", "bot", "bot.cpp")
	out := run(program, "match", "--a", "cmd=./bot,protocol=cg", "--b", "cmd="+program+" cg,protocol=cg,name=cg", "--rules", "arena",
		"--movetime", "50ms", "--margin", "1m", "--pairs", "2", "--opening-plies", "4", "-o", "match.ogn")
	if !strings.Contains(out, "bot against cg: ") || strings.Contains(out, "forfeits") {
		t.Errorf("the match: %s", out)
	}
}
