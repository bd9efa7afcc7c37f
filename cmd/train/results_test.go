package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Results that cannot be written are a failure, whatever the command.
func TestAFullOutputIsAFailure(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	defer full.Close()
	t.Parallel()
	dir := t.TempDir()
	good(t, dir, "book", "expand", "--weights", "captures", "--expansions", "2", "--nodes", "50", "-o", "b.bin")
	for _, line := range []string{
		"perft --depth 2", "book query b.bin", "book verify b.bin", "book export b.bin", "inspect b.bin",
		"match llr --sprt 0,5 --pairs 1,2,3,2,1", "match --pairs 1 --nodes 10", "match tournament captures thesis4 --pairs 1 --nodes 10",
		"study algorithms --game tictactoe --depth 4", "endgame query 0-1-0-0-2-0-1-0-0-0-1-0-21-22-S", "endgame stats",
		"run --print-config", "features --list", "weights info thesis4", "weights export thesis4", "evaluate thesis4 --explain 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N",
		"sample --n 50 -o p.parquet", "--help", "uci",
	} {
		cmd := command(dir, strings.Fields(line)...)
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr, cmd.Stdin = full, &errs, strings.NewReader("isready\n")
		cmd.Run() // the exit code tells
		if code := cmd.ProcessState.ExitCode(); code != exitFailed || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("train %s > /dev/full: exit %d, printed %q: want exit 1 and no space left", line, code, errs.String())
		}
	}
}

// Names and tags come from files: a terminal must not obey them.
func TestControlCharactersOfFilesAreNotPrinted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const evil = "\x1b]0;owned\a\x1b[2J\u009b2J\r\x7f"
	ogn := "[South \"" + strings.ReplaceAll(evil, "\r", "") + "\"] F f *\n"
	if err := os.WriteFile(filepath.Join(dir, "evil.ogn"), []byte(ogn), 0o644); err != nil {
		t.Fatal(err)
	}
	header := "Another program\nWeights: " + evil + "\n\x00\n"
	if err := os.WriteFile(filepath.Join(dir, "evil.bin"), []byte(header), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"inspect evil.ogn", "inspect evil.ogn --json", "inspect evil.bin", "match --openings evil.bin --pairs 1", "inspect " + evil} {
		out, errs, _ := train(t, dir, strings.Split(line, " ")...)
		if text := out + errs; text == "" || strings.ContainsAny(text, "\x1b\a\r\x7f\u009b") {
			t.Errorf("train %q prints %q", line, text)
		}
	}
}

// What a command tells to do next is quoted for a shell.
func TestHintsAreQuoted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if out := good(t, dir, "sample", "--n", "60", "-o", "a;b c.parquet"); !strings.Contains(out, "train label 'a;b c.parquet' -o") {
		t.Errorf("printed %q", out)
	}
	if out := good(t, dir, "label", "a;b c.parquet", "--nodes", "50", "--hash", "1", "-o", "$l.parquet"); !strings.Contains(out, "train features '$l.parquet' -o") {
		t.Errorf("printed %q", out)
	}
	if got := quotedPlayer("a=b,c.weights"); got != `'weights=a=b\,c.weights'` {
		t.Error(got)
	}
}
