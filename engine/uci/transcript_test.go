package uci

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kroo/book"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

var update = flag.Bool("update", false, "rewrite the transcripts")

// TestTranscripts replays the commands in testdata/*.txt to an oware server.
func TestTranscripts(t *testing.T) {
	testTranscripts(t, "testdata/*.txt", func(t *testing.T, dir string) service {
		b := fillFolder(t, dir)
		return newServer(t, setup{Name: "Kroo", Version: "1", Book: b, Seed: 1, Tables: engine.NoTables})
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
		word, _ := client.CutWord(command)
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
	w, _ := owarefeatures.FindPublished("thesis4")
	w.Named.Rules = r.String()
	testkit.NoError(t, w.Save(path))
}

// service is a Server of any game.
type service interface {
	Serve(ctx context.Context, in io.Reader, out io.Writer) error
}

// setup is the configuration of an oware server; the zero value counts captured seeds under abapa rules.
type setup struct {
	Name, Version string
	Seed          uint64
	Rules         string
	Eval          search.Evaluator[oware.Position] // for Rules
	Book          *book.Book
	HashMB        int
	Tables        string
	Tuning        bool
}

func newServer(t testing.TB, s setup) *Server[oware.Position] {
	t.Helper()
	if s.Rules == "" {
		s.Rules = "abapa"
	}
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{HashMB: s.HashMB, Tables: engine.NoTables}}, s.Rules))(t)
	t.Cleanup(func() { e.Close() })
	if s.Eval != nil {
		e.Eval = engine.Evaluation[oware.Position]{Evaluator: s.Eval, Name: "of the test", Rules: s.Rules}
	}
	e.Spec.Search.Tables = s.Tables // opened when a search needs them
	if s.Book != nil {
		e.Book = engine.OwareBook{Book: s.Book}
	}
	return testkit.Must(New(e, Config{Name: s.Name, Version: s.Version, Seed: s.Seed, Tuning: s.Tuning}))(t)
}

// client is the other end of a session.
type peer struct {
	t     testing.TB
	in    *io.PipeWriter
	lines chan string // closed when Serve has returned
	err   error       // of Serve, once lines is closed
}

// dial starts a session and reads all its output, so that it never blocks.
func dial(t testing.TB, ctx context.Context, s service) *peer {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &peer{t: t, in: inW, lines: make(chan string, 1<<16)}
	served := make(chan error, 1)
	go func() {
		served <- s.Serve(ctx, inR, outW)
		outW.Close()
	}()
	go func() {
		for sc := bufio.NewScanner(outR); sc.Scan(); {
			c.lines <- sc.Text()
		}
		c.err = <-served
		close(c.lines)
	}()
	t.Cleanup(func() { inW.Close(); inR.Close() })
	return c
}

func (c *peer) send(commands ...string) {
	c.t.Helper()
	for _, s := range commands {
		if _, err := io.WriteString(c.in, s+"\n"); err != nil {
			c.t.Fatalf("sending %q: %v", s, err)
		}
	}
}

// until returns the lines up to the first with the prefix.
func (c *peer) until(prefix string) (got []string) {
	c.t.Helper()
	for l := range c.lines {
		got = append(got, l)
		if strings.HasPrefix(l, prefix) {
			return got
		}
	}
	c.t.Fatalf("the service ended before a line %q, after %q", prefix, got)
	return nil
}

// ask sends commands and returns all output until they are executed.
func (c *peer) ask(commands ...string) []string {
	c.t.Helper()
	c.send(commands...)
	c.send("isready")
	got := c.until("readyok")
	return got[:len(got)-1]
}

// rest returns the remaining lines and the error of Serve.
func (c *peer) rest() (got []string, err error) {
	for l := range c.lines {
		got = append(got, l)
	}
	return got, c.err
}

func lastOf(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[len(lines)-1]
}

// count counts the lines with the prefix.
func count(lines []string, prefix string) (n int) {
	for _, l := range lines {
		if strings.HasPrefix(l, prefix) {
			n++
		}
	}
	return n
}

// plainServer returns a server with a game's default evaluation and no book.
func plainServer[P search.Position[P]](t testing.TB, k engine.Kit[P]) *Server[P] {
	t.Helper()
	e := testkit.Must(engine.Open(t.Context(), k, engine.Spec{Search: engine.Config{HashMB: 1}}, k.Game.Rules[0]))(t)
	t.Cleanup(func() { e.Close() })
	return testkit.Must(New(e, Config{Name: "Kroo", Version: "1"}))(t)
}
