package uci

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kroo/book"
	"kroo/engine"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

var update = flag.Bool("update", false, "rewrite the transcripts")

// TestTranscripts replays the commands in testdata/*.txt to an oware server.
func TestTranscripts(t *testing.T) {
	testTranscripts(t, "testdata/*.txt", func(t *testing.T, dir string) service {
		b := fillFolder(t, dir)
		return newServer(t, setup{Name: "Kroo", Version: "1", Author: "the authors", Book: b, Seed: 1, Tables: engine.NoTables})
	})
}

// Tic-tac-toe has no books, endgame tables and weights.
func TestTranscriptsOfTicTacToe(t *testing.T) {
	testTranscripts(t, "testdata/tictactoe/*.txt", func(t *testing.T, _ string) service { return plainServer(t, engine.TicTacToe()) })
}

// Chess uses the standard dialect.
func TestTranscriptsOfChess(t *testing.T) {
	testTranscripts(t, "testdata/chess/*.txt", func(t *testing.T, _ string) service { return plainServer(t, engine.Chess()) })
}

// testTranscripts compares the output of a service with transcripts. Lines starting with "> " are sent,
// "~ " waits for a line with this prefix, "< " is expected output, "# " is a comment. Without "~ ", all
// output before the answer to an extra isready belongs to the command. serve returns the service and
// creates its files in a folder.
func testTranscripts(t *testing.T, pattern string, serve func(t *testing.T, dir string) service) {
	scripts, err := filepath.Glob(pattern)
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, path := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			want := testkit.Read(t, path)
			dir := t.TempDir()
			got := replay(t, string(want), dir, serve(t, dir))
			if *update {
				testkit.NoError(t, os.WriteFile(path, []byte(got), 0o644))
			}
			if d := cmp.Diff(string(want), got); d != "" && !*update {
				t.Errorf("transcript (-want +got):\n%s", d)
			}
		})
	}
}

// replay runs a script and returns its transcript.
func replay(t *testing.T, script, dir string, s service) string {
	c := dial(t, context.Background(), s)
	var out bytes.Buffer
	check := func(lines []string) {
		for _, l := range lines {
			out.WriteString(strings.TrimRight("< "+mask(l, dir), " ") + "\n")
		}
	}
	lines := strings.Split(strings.TrimSuffix(script, "\n"), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "<") {
			continue
		}
		out.WriteString(l + "\n")
		if !strings.HasPrefix(l, "> ") {
			continue
		}
		awaited := awaitedAfter(lines[i+1:])
		command := strings.ReplaceAll(l[2:], "$DIR", dir)
		c.send(command)
		word, _ := cutWord(command)
		switch {
		case word == "quit":
			rest, err := c.rest()
			if err != nil {
				t.Errorf("Serve: %v", err)
			}
			check(rest)
		case word == "isready":
			check(c.until("readyok"))
		case awaited != "":
			check(c.until(awaited))
		default:
			check(c.ask())
		}
	}
	return out.String()
}

// awaitedAfter returns the prefix to wait for after a command.
func awaitedAfter(lines []string) string {
	for _, l := range lines {
		if !strings.HasPrefix(l, "<") {
			prefix, found := strings.CutPrefix(l, "~ ")
			if !found {
				return ""
			}
			return prefix
		}
	}
	return ""
}

var clockNumbers = regexp.MustCompile(`\b(nodes|nps|time) \d+`)

// mask hides what varies from run to run, and node counts, which vary with the engine.
func mask(l, dir string) string {
	return strings.ReplaceAll(clockNumbers.ReplaceAllString(l, "$1 *"), dir, "$DIR")
}

// fillFolder creates the files that transcripts use. It returns the engine's book, which has the start
// position and the one after F.
func fillFolder(t *testing.T, dir string) *book.Book {
	t.Helper()
	file := func(name string) string { return filepath.Join(dir, name) }
	writeWeights(t, file("abapa.json"), oware.Abapa)
	writeWeights(t, file("awari.json"), oware.Awari)
	start := book.Entry{Key: oware.Start(oware.Awari).BookKey(), Scores: [6]int16{-18, -14, -8, -11, -21, 0}}
	writeBook(t, file("awari.bin"), book.Header{Fields: []book.Field{{Name: book.FieldRules, Value: "awari"}}}, start)
	writeBook(t, file("chess.bin"), book.Header{Fields: []book.Field{{Name: book.FieldRules, Value: "chess"}}}, start)
	wild := start
	wild.Scores[5] = 1001
	writeBook(t, file("wild.bin"), book.Header{}, wild)
	testkit.NoError(t, os.WriteFile(file("damaged.bin"), []byte("Kroo opening book\n"), 0o644))
	testkit.NoError(t, os.WriteFile(file("damaged.json"), []byte(`{"format":`), 0o644))
	// Values of the start from Sala Soler 2014; those after F are made up.
	after := oware.Start(oware.Abapa).Play(5)
	return writeBook(t, file("own.bin"), book.Header{},
		book.Entry{Key: after.BookKey(), Scores: [6]int16{-90, -80, -70, -60, -20, -5}},
		book.Entry{Key: oware.Start(oware.Abapa).BookKey(), Scores: [6]int16{-72, -34, -20, -37, -35, 5}})
}

func writeBook(t *testing.T, path string, h book.Header, entries ...book.Entry) *book.Book {
	t.Helper()
	testkit.NoError(t, book.Write(path, h, entries))
	return testkit.Must(book.Open(path))(t)
}

func writeWeights(t *testing.T, path string, r oware.Rules) {
	t.Helper()
	w, _ := patterns.Published("thesis4")
	w.Named.Rules = r.String()
	testkit.NoError(t, w.Save(path))
}
