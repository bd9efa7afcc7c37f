package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"kroo/commands"
	"kroo/internal/testkit"
)

// If the output cannot be written at the end, the work is in the journal.
func TestOutputThatFailsAtTheEndLeavesTheJournal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good(t, dir, "sample", "--n", "60", "-o", "p.parquet")
	line := strings.Fields("label p.parquet --nodes 60000 --hash 1 --workers 1 --tables none -o l.parquet")
	cmd := command(dir, line...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	testkit.NoError(t, cmd.Start())
	for started := false; !started; time.Sleep(time.Millisecond) {
		_, err := os.Stat(filepath.Join(dir, "l.parquet.journal"))
		started = err == nil
	}
	inTheWay := filepath.Join(dir, "l.parquet")
	testkit.NoError(t, os.Mkdir(inTheWay, 0o777))
	cmd.Wait() // the exit code is checked
	if code := cmd.ProcessState.ExitCode(); code != exitFailed || !strings.Contains(errs.String(), "kept in l.parquet.journal") ||
		!strings.Contains(errs.String(), "  train label p.parquet") {
		t.Fatalf("exit %d, printed %q: want exit 1, the journal, and the command that resumes", code, errs.String())
	}
	testkit.NoError(t, os.Remove(inTheWay))
	begin := time.Now()
	good(t, dir, line...)
	t.Logf("written from the journal in %v", time.Since(begin))
}

func TestAStudyPrintsItsResultIfAFigureCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	notes := filepath.Join(dir, "study-orders.svg")
	testkit.NoError(t, os.WriteFile(notes, []byte("my notes"), 0o666))
	study := []string{"study", "orders", "--depth", "2", "--positions", "1", "--plots", "."}
	out, complaint, code := train(t, dir, study...)
	if code != exitFailed || !strings.Contains(out, "minimal tree") || !strings.Contains(complaint, "--force") {
		t.Errorf("exit %d, %q, %q: expected the result, and how to replace the file", code, out, complaint)
	}
	if left, err := os.ReadFile(notes); err != nil || string(left) != "my notes" {
		t.Errorf("%v, %q: the file was replaced", err, left)
	}
	if _, complaint, code := train(t, dir, append(study, "--force")...); code != exitDone {
		t.Errorf("with --force: exit %d, %q", code, complaint)
	}
}

// Names and tags of files may contain control characters, which a terminal would obey.
func TestControlCharactersOfFilesAreNotPrinted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const evil = "\x1b]0;owned\a\x1b[2J\u009b2J\r\x7f"
	ogn := "[South \"" + strings.ReplaceAll(evil, "\r", "") + "\"] F f *\n"
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "evil.ogn"), []byte(ogn), 0o644))
	header := "Another program\nWeights: " + evil + "\n\x00\n"
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "evil.bin"), []byte(header), 0o644))
	for _, line := range []string{"inspect evil.ogn", "inspect evil.ogn --json", "inspect evil.bin", "match --openings evil.bin --pairs 1", "inspect " + evil} {
		out, errs, _ := train(t, dir, strings.Split(line, " ")...)
		if text := out + errs; text == "" || strings.ContainsAny(text, "\x1b\a\r\x7f\u009b") {
			t.Errorf("train %q prints %q", line, text)
		}
	}
}

// In the locale C all text is ASCII: the help of every command, results, errors and a game.
func TestTheLocaleCGetsASCII(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var lines []string
	walkCommands(commands.Tree(), func(c *cobra.Command) { lines = append(lines, pathOf(c)+" --help") })
	lines = append(lines,
		"help players", "help sets", "help filters",
		"sample --n 50 -o p.parquet", "inspect p.parquet", "match --pairs 2 --nodes 50 -o m.ogn", "analyse m.ogn --nodes 50",
		"match tournament captures thesis4 --pairs 1 --nodes 50", "label p.parquet --nodes 50 -o l.parquet", "evaluate default l.parquet",
		"book expand --nodes 50 --expansions 3 -o b.bin", "book stats b.bin", "book query b.bin", "inspect b.bin", "features --list",
		"features l.parquet -o f.parquet --set thesis4", "inspect f.parquet", "fit f.parquet -o w.json", "inspect w.json --compare captures",
		"fit l.parquet --set store+houses -o w.weights", "inspect w.weights", "inspect b.bin --compare default",
		"evaluate captures --explain 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N", "weights calibrate m.ogn", "match llr --sprt 0,5 --pairs 1,2,3,2,1",
		"endgame query 0-1-0-0-2-0-1-0-0-0-1-0-21-22-S", "endgame build --seeds 2 -o t", "study algorithms --game tictactoe --depth 4",
		"run --print-config", "run --config short.toml --dir r", "inspect r", "inspect .", "play --nodes 50", "play --lesson",
		"sample --n x", "play --level hrd", "nonsense",
	)
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "short.toml"), []byte(shortRun), 0o666))
	typed := filepath.Join(t.TempDir(), "typed")
	testkit.NoError(t, os.WriteFile(typed, []byte("help\nmoves\nhint\neval\nA\nreview\nB\nlevel\nquit\n"), 0o666))
	for _, line := range lines {
		o := order{Dir: dir, Args: strings.Fields(line), Env: append(os.Environ(), "LC_ALL=C"), Input: typed}
		out, errs, _, err := runInCrew(t.Context(), o) // the last ones fail
		testkit.NoError(t, err)
		checkASCII(t, line, errs+out)
	}
}

// checkASCII checks that there is text, and that all of it is ASCII.
func checkASCII(t *testing.T, what, text string) {
	t.Helper()
	if text == "" {
		t.Errorf("%s: no output", what)
	}
	for line := range strings.Lines(text) {
		if strings.ContainsFunc(line, func(c rune) bool { return c > unicode.MaxASCII }) {
			t.Errorf("%s: %q", what, line)
		}
	}
}

// The extension of an output decides its form, or is refused.
func TestExtensionsOfOutputs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, want := range map[string]string{"w.c": "/*", "w.H": "/*", "w.json": "{"} {
		good(t, dir, "weights", "export", "captures", "-o", name)
		if text := string(testkit.Read(t, filepath.Join(dir, name))); !strings.HasPrefix(text, want) {
			t.Errorf("%s begins with %.20q", name, text)
		}
	}
	good(t, dir, "sample", "--n", "3", "-o", "p.csv")
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "games.ogn"), []byte("1. F f *\n"), 0o666))
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "p.toml"), []byte("[[parameter]]\noption = \"x\"\nc_end = 1\nr_end = 0.1\n"), 0o666))
	for line, want := range map[string]string{
		"weights export captures --format json -o x.c":           ".json",
		"weights export captures --format c -o x.json":           ".c or .h",
		"weights export captures -o x.txt":                       ".json",
		"weights calibrate w.json games.ogn -o x.weights":        ".json",
		"analyse games.ogn -o x.txt":                             ".ogn",
		"match --pairs 1 --nodes 1 -o x.csv --force":             ".ogn",
		"match openings --plies 1 --nodes 1 -o x.csv":            ".ogn",
		"match tournament captures level1 -o x.json":             ".ogn",
		"book expand --nodes 1 --expansions 1 -o x.json":         ".bin",
		"book prune default -o x.csv":                            ".bin",
		"book merge default default -o x.weights":                ".bin",
		"book deepen default -o x.book":                          ".bin",
		"inspect w.json --html x.pdf":                            ".html",
		"sample --n 1 -o x.json":                                 ".parquet, .arrow or .csv",
		"label p.csv -o x.txt":                                   ".parquet, .arrow or .csv",
		"convert p.csv -o x.ogn":                                 ".parquet, .arrow or .csv",
		"adopt p.csv -o x.ogn":                                   ".parquet, .arrow or .csv",
		"evaluate captures p.csv --predictions x.json":           ".parquet, .arrow or .csv",
		"tune p.toml --player cmd=true --iterations 1 -o x.toml": ".json",
		"features p.csv -o x.json":                               ".parquet, .arrow or .csv",
		"inspect . -o x.parquet":                                 ".csv",
	} {
		_, errs, code := train(t, dir, strings.Fields(line)...)
		if code != exitUsage || !strings.Contains(errs, "expected a name that ends in "+want) {
			t.Errorf("%s: exit %d, %q: want %q", line, code, errs, want)
		}
	}
}

// Every dataset that a command makes records the command, so that inspect can say how to make it again.
func TestDatasetsRecordTheirCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, line := range []string{
		"sample --n 60 -o p.parquet",
		"label p.parquet -o l.parquet --nodes 50 --hash 1 --weights captures --tables none",
		"features l.parquet -o f.parquet --set thesis4",
		"evaluate captures l.parquet --predictions e.parquet",
		"convert l.parquet --where phase<=30 -o c.parquet", // not as label makes them
	} {
		words := strings.Fields(line)
		good(t, dir, words...)
		out := words[len(words)-1]
		if words[0] == "label" || words[0] == "features" {
			out = words[3]
		}
		manifest := string(testkit.Read(t, filepath.Join(dir, out+".manifest.json")))
		if !strings.Contains(manifest, `"made": "train `+words[0]+" ") {
			t.Errorf("%s: the record of %s does not name the command:\n%.1500s", line, out, manifest)
		}
	}
}
