package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVersionIsTold(t *testing.T) {
	dir := t.TempDir()
	flag, command := good(t, dir, "--version"), good(t, dir, "version")
	if flag != command || !strings.HasPrefix(flag, "Kroo ") || !strings.Contains(flag, "bench-") || strings.Count(flag, "\n") != 1 {
		t.Errorf("--version prints %q, version %q", flag, command)
	}
}

func TestShellsComplete(t *testing.T) {
	dir := t.TempDir()
	for shell, want := range map[string]string{"bash": "__start_train", "zsh": "#compdef train", "fish": "complete -c train"} {
		if out := good(t, dir, "completion", shell); !strings.Contains(out, want) {
			t.Errorf("%s: no %q in %d bytes", shell, want, len(out))
		}
	}
	if _, errs, code := train(t, dir, "completion", "cmd.exe"); code != exitUsage || !strings.Contains(errs, "expected bash, zsh or fish") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

func TestEveryCommandHasItsPage(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, "man", "man1")
	for _, name := range []string{"train.1", "train-book-expand.1", "train-play.1", "train-match-tournament.1"} {
		page, err := os.ReadFile(filepath.Join(dir, "man1", name))
		if err != nil || !strings.Contains(string(page), ".SH EXAMPLE") {
			t.Errorf("%s: %d bytes, %v", name, len(page), err)
		}
	}
}

// A game is played, saved, analysed, annotated, and written one game a file.
func TestGamesFromTheTerminalToOtherPrograms(t *testing.T) {
	dir := t.TempDir()
	cmd := command(dir, "play", "--level", "beginner", "--hash", "1")
	cmd.Stdin = strings.NewReader("help\nF\nsave g.ogn\nsave g.ogn\nlevel\nlevel silly\nnew\nload g.ogn\nload none.ogn\nquit\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"South played F", "North played ", "save FILE", "saved to g.ogn", "g.ogn is there already", "at the level beginner", `level "silly": expected beginner`, "none.ogn: no such file",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("printed %s\nwant %q in it", out, want)
		}
	}
	table := good(t, dir, "analyse", "g.ogn", "--nodes", "2000", "--hash", "1", "--book", "default", "-o", "a.ogn")
	if !strings.Contains(table, "South person, North Kroo beginner") || !strings.Contains(table, "book") || !strings.Contains(table, "South: 1 move,") {
		t.Errorf("printed %s", table)
	}
	annotated, err := os.ReadFile(filepath.Join(dir, "a.ogn"))
	if err != nil || !strings.HasPrefix(string(annotated), `[Variant "Oware Abapa"]`) || strings.Count(string(annotated), "{analysis:") != 2 {
		t.Errorf("%v:\n%s", err, annotated)
	}
	if json := good(t, dir, "analyse", "g.ogn", "--nodes", "2000", "--hash", "1", "--json"); !strings.Contains(json, `"best_score"`) {
		t.Errorf("printed %s", json)
	}
	if out := good(t, dir, "ogn", "split", "a.ogn", "games"); out != "1 game written to games\n" {
		t.Errorf("printed %q", out)
	}
	if out := good(t, dir, "ogn", "split", "a.ogn", "games"); out != "1 game written to games\n" {
		t.Errorf("again, with the same games there: printed %q", out)
	}
	if _, errs, code := train(t, dir, "ogn", "split", "g.ogn", "games"); code != exitFailed || !strings.Contains(errs, "not empty") {
		t.Errorf("over other games: exit %d: %s", code, errs)
	}
}

// A dataset goes to other formats and back, and serves there.
func TestConvertedDatasetsServe(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, strings.Fields("sample --method uniform --n 60 --seed 1 -o p.parquet")...)
	good(t, dir, strings.Fields("label p.parquet -o l.csv --nodes 100 --hash 1")...)
	good(t, dir, "convert", "l.csv", "l.arff")
	good(t, dir, "convert", "l.arff", "l.parquet")
	if out := good(t, dir, "inspect", "l.arff"); !strings.Contains(out, "60 labels of oware under abapa rules") || !strings.Contains(out, "█") {
		t.Errorf("printed %s", out)
	}
	if err := os.Remove(filepath.Join(dir, "l.csv.manifest.json")); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := train(t, dir, "inspect", "l.csv"); code != exitFailed || !strings.HasPrefix(errs, "train: l.csv: its manifest") || !strings.Contains(errs, "train adopt l.csv") {
		t.Errorf("without a manifest: exit %d: %s", code, errs)
	}
	good(t, dir, "adopt", "l.csv", "--rules", "abapa")
	if out := good(t, dir, "inspect", "l.csv"); !strings.Contains(out, "nothing vouches") {
		t.Errorf("printed %s", out)
	}
}
