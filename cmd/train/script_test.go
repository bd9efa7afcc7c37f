package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts of testdata/script are commands with their expected output, in the format of
// [testscript] with these commands:
//
//	train ARGS          must succeed
//	reads FILE train ARGS
//	                    must succeed with the file as standard input
//	exit N train ARGS   must exit with code N, print one line on standard error, and leave all
//	                    files unchanged
//	fails train ARGS    must fail, but may print or write
//	staged              copies the files of [stageFiles]
//	flip FILE           flips a bit in the middle of a file
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv(asCommand, "1")
			env.Setenv("PROGRAM", os.Args[0]) // for scripts of a shell
			docs, err := filepath.Abs("../../docs")
			env.Setenv("DOCS", docs)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"train": worksInScript, "reads": readsInScript, "exit": exitsInScript, "fails": failsInScript, "staged": stagedInScript, "flip": flippedInScript,
		},
	})
}

// inScript runs the program and returns its output, which the next commands of the script examine too, and its
// exit code.
func inScript(ts *testscript.TestScript, input string, args ...string) (stdout, stderr string, code int) {
	env := os.Environ()
	for _, name := range []string{"HOME", "TMPDIR", "PROGRAM"} {
		env = append(env, name+"="+ts.Getenv(name))
	}
	out, errs, code, err := runInCrew(context.Background(), order{Dir: ts.MkAbs("."), Args: args, Env: env, Input: input})
	ts.Check(err)
	fmt.Fprint(ts.Stdout(), out)
	fmt.Fprint(ts.Stderr(), errs)
	return out, errs, code
}

func worksInScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("expected `exit N train`: a failure has a code")
	}
	if _, _, code := inScript(ts, os.DevNull, args...); code != exitDone {
		ts.Fatalf("exit %d", code)
	}
}

func readsInScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "train" {
		ts.Fatalf("expected reads FILE train ARGS")
	}
	if _, _, code := inScript(ts, ts.MkAbs(args[0]), args[2:]...); code != exitDone {
		ts.Fatalf("exit %d", code)
	}
}

func exitsInScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "train" {
		ts.Fatalf("expected exit N train ARGS")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	before, err := filesIn(ts.MkAbs("."))
	ts.Check(err)
	out, errs, code := inScript(ts, os.DevNull, args[2:]...)
	if code != want {
		ts.Fatalf("exit %d: want %d", code, want)
	}
	if out != "" || strings.Count(errs, "\n") != 1 {
		ts.Fatalf("want no output and one line of error")
	}
	after, err := filesIn(ts.MkAbs("."))
	ts.Check(err)
	if !maps.EqualFunc(before, after, func(a, b []byte) bool { return string(a) == string(b) }) {
		ts.Fatalf("files have changed")
	}
}

// failsInScript is for a failure that leaves useful files or output.
func failsInScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 || args[0] != "train" {
		ts.Fatalf("expected fails train ARGS")
	}
	if _, _, code := inScript(ts, os.DevNull, args[1:]...); code != exitFailed {
		ts.Fatalf("exit %d: want %d", code, exitFailed)
	}
}

func stagedInScript(ts *testscript.TestScript, neg bool, args []string) {
	from, err := made("", stageLines...)
	ts.Check(err)
	ts.Check(os.CopyFS(ts.MkAbs("."), os.DirFS(from)))
}

func flippedInScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("expected a file")
	}
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	data[len(data)/2] ^= 4
	ts.Check(os.WriteFile(path, data, 0o644))
}

// stageFiles returns a new folder with a file of each kind.
func stageFiles(t *testing.T) string {
	t.Helper()
	return copyOf(t, "", stageLines...)
}

var stageLines = []string{
	"sample --method uniform --n 200 --seed 1 -o positions.parquet",
	"sample --method pps --n 150 --seed 2 --rules awari -o awari.parquet",
	"label positions.parquet -o labels.parquet --nodes 200 --hash 1 --weights captures --tables none",
	"sample --method games --n 150 --nodes 60 --weights captures --tables none --split 0.3 -o games.parquet",
	"label games.parquet -o games-labels.parquet --nodes 200 --hash 1 --weights captures --tables none",
	"sample --game tictactoe --method games --n 50 --nodes 40 -o ttt.parquet",
	"label ttt.parquet -o ttt-labels.parquet --depth 9 --full-width --hash 1",
	"sample --game chess --method games --n 400 --nodes 20 -o chess.parquet",
	"label chess.parquet -o chess-labels.parquet --nodes 20 --hash 1",
	"sample --game othello --n 300 -o othello.parquet",
	"label othello.parquet -o othello-labels.parquet --nodes 100 --hash 1",
	"features labels.parquet -o features.parquet --set thesis4",
	"fit features.parquet -o weights.json --select backward",
	"label awari.parquet -o awari-labels.parquet --nodes 200 --hash 1 --weights captures --tables none",
	"features awari-labels.parquet -o awari-features.parquet --set thesis4",
	"fit awari-features.parquet -o awari-weights.json",
	"match --a weights.json --b captures --pairs 2 --nodes 100 --hash 1 -o match.ogn",
	"book expand --weights weights.json --expansions 6 --nodes 200 --hash 1 -o book.bin",
}
