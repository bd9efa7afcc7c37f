package nboard

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/othello"
)

var update = flag.Bool("update", false, "write the transcript")

func newServer(t testing.TB) *Server {
	t.Helper()
	e, err := engine.Open(engine.Othello(), "", "", engine.Config{HashMB: 1}, othello.Large.String())
	if err != nil {
		t.Fatal(err)
	}
	return &Server{Player: &engine.Player[othello.Position]{Engine: e, Searcher: e.NewSearcher()}, Name: "Kroo", Depth: 3}
}

// seconds are the parts of answers that vary.
var seconds = regexp.MustCompile(`(nodestats \d+ |=== \S+/)\d+\.\d\d`)

// TestTranscript plays the client of testdata/session.txt, whose lines begin with < for what
// the client sends, as the protocol's description has it, and with > for the answers. Before
// it sends on, the client waits for the answers that are there.
func TestTranscript(t *testing.T) {
	const path = "testdata/session.txt"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	toServer, send := io.Pipe()
	receive, fromServer := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- newServer(t).Serve(t.Context(), toServer, fromServer)
		fromServer.Close()
	}()
	answers := bufio.NewScanner(receive)
	var got strings.Builder
	want := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range want {
		if command, ok := strings.CutPrefix(line, "< "); ok {
			got.WriteString(line + "\n")
			if _, err := io.WriteString(send, command+"\n"); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if !answers.Scan() {
			t.Fatalf("no more answers, expected %s", line)
		}
		got.WriteString("> " + seconds.ReplaceAllString(answers.Text(), "${1}0.00") + "\n")
	}
	send.Close()
	for answers.Scan() {
		t.Errorf("one more answer: %s", answers.Text())
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	if *update {
		if err := os.WriteFile(path, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if got.String() != string(text) {
		t.Errorf("%s\nwant\n%s", got.String(), text)
	}
}

// TestPingStopsTheThinking: the answer to go is then not given.
func TestPingStopsTheThinking(t *testing.T) {
	s := newServer(t)
	var out strings.Builder
	begin := time.Now()
	in := "set depth 60\ngo\nping 7\nset depth 2\ngo\n"
	if err := s.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if strings.Count(out.String(), "===") != 1 || !strings.Contains(out.String(), "pong 7\n") || time.Since(begin) > 10*time.Second {
		t.Errorf("after %s: %s", time.Since(begin), out.String())
	}
}

// TestTimeOfTheGame: a move takes its share of the mover's time.
func TestTimeOfTheGame(t *testing.T) {
	s := newServer(t)
	var out strings.Builder
	in := "set depth 60\nset game (;GM[Othello]TI[0:02]B[F5//1];)\n"
	if err := s.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	want := search.Limits{Depth: 60}.UnderClock(2*time.Second, 0, 0, search.DefaultOverhead)
	if got := s.limits(true); got != want || got.Time > time.Second {
		t.Errorf("%+v, expected %+v", got, want)
	}
	if got := s.limits(false); got.Time != 0 {
		t.Errorf("hints: %+v", got)
	}
}

func TestContextEndsTheService(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, send := io.Pipe()
	defer send.Close()
	go func() {
		_, _ = io.WriteString(send, "set depth 60\ngo\n")
		cancel()
	}()
	if err := newServer(t).Serve(ctx, in, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// FuzzCommands: whatever the client sends, the service answers every ping.
func FuzzCommands(f *testing.F) {
	f.Add("nboard 2\nset game (;GM[Othello]B[F5];)\nmove F6\ngo\nhint 3")
	f.Add("set depth -1\nmove PA\nF5\nlearn\nset\n\x00")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 || strings.Contains(text, "quit") {
			return
		}
		s := newServer(t)
		var out strings.Builder
		err := s.Serve(t.Context(), strings.NewReader(text+"\nping 123456\n"), &out)
		if err != nil || !strings.HasSuffix(out.String(), "pong 123456\n") {
			t.Errorf("%q: error %v, answers %q", text, err, out.String())
		}
	})
}
