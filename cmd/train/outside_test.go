package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// A game in a module of its own, copied outside the repository, gets all commands for any game.
func TestAGameFromOutside(t *testing.T) {
	t.Parallel()
	here := testkit.Must(filepath.Abs("../.."))(t)
	dir := filepath.Join(t.TempDir(), "kalah")
	testkit.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join(here, "examples", "kalah"))))
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("go", "mod", "edit", "-replace=kroo="+here)
	run("go", "vet", "./...")
	run("go", "test", ".")
	run("go", "build", "-pgo=off", "-gcflags=-l", "-o", "kalah", "./train") // inlining takes the compiler half of its time
	for _, c := range []struct{ args, want string }{
		{"perft --depth 4", "leaves"},
		{"sample --n 1000 -o p.parquet", "1000 standard positions"},
		{"label p.parquet -o l.parquet --nodes 2000", "nodes 2000"},
		{"inspect l.parquet", "1000 labels of kalah"},
		{"convert l.parquet -o l.csv", "1000 rows of labels"},
		{"features l.parquet -o f.parquet", "1000 rows of the set counts"},
		{"fit f.parquet -o w.json", "weights of store empty again"},
		{"inspect w.json", "set counts"},
		{"evaluate w.json l.parquet", "R doubled"},
		{"features --list", "counts"},
		{"--help", "Topics of kalah help"},
		{"match --help", "  kalah match --a weights.json"},
		{"match --a w.json --b level --pairs 4 --nodes 500 -o m.ogn", "against level"},
		{"inspect m.ogn", "8 games"},
		{"analyse m.ogn --depth 4", "South"},
		{"ogn split m.ogn split", "8 games written"},
		{"weights calibrate m.ogn", "8 games under standard rules"},
		{"study orders --depth 2 --positions 5", "minimal tree"},
		{"study algorithms --depth 3", "evaluation by"},
		{"--help", "Kroo for kalah"},
	} {
		if out := run("./kalah", strings.Fields(c.args)...); !strings.Contains(out, c.want) {
			t.Errorf("kalah %s prints %q: want %q", c.args, out, c.want)
		}
	}
	talk := exec.Command("./kalah", "uci")
	talk.Dir, talk.Stdin = dir, strings.NewReader("position startpos moves C pass F\ngo nodes 500\nquit\n")
	if out, err := talk.CombinedOutput(); err != nil || !strings.Contains(string(out), "bestmove") {
		t.Errorf("kalah uci: %v, %s", err, out)
	}
	play := exec.Command("./kalah", "play", "--nodes", "500")
	play.Dir, play.Stdin = dir, strings.NewReader("C\nA\nquit\n")
	if out, err := play.CombinedOutput(); err != nil || !strings.Contains(string(out), "North played pass") {
		t.Errorf("kalah play: %v, %s", err, out)
	}
}
