package gtp

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
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
	p := &engine.Player[othello.Position]{Engine: e, Searcher: e.NewSearcher()}
	return &Server{Player: p, Name: "Kroo", Version: "1", Limits: search.Limits{Depth: 3}}
}

func answers(t testing.TB, s *Server, in string) string {
	t.Helper()
	var out strings.Builder
	if err := s.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Errorf("%q: %v", in, err)
	}
	return out.String()
}

// TestTranscript plays the client of testdata/session.txt, whose lines begin with < for what
// the client sends; the others are the answers.
func TestTranscript(t *testing.T) {
	const path = "testdata/session.txt"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t)
	s.known = s.commands()
	s.clear()
	var got strings.Builder
	s.out = &got
	for line := range strings.Lines(string(text)) {
		if command, ok := strings.CutPrefix(line, "< "); ok {
			got.WriteString(line)
			if _, err := s.take(t.Context(), strings.TrimSuffix(command, "\n")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if got.String() != string(text) {
		t.Errorf("%s\nwant\n%s", got.String(), text)
	}
}

// TestAPassNeedNotBeTold: the move of the other side says so, and undo takes both back.
func TestAPassNeedNotBeTold(t *testing.T) {
	toPass := "" // Kroo plays itself until a side has to pass
	s := newServer(t)
	s.Limits.Depth = 1
	answers(t, s, "")
	d := othello.Descriptor()
	for {
		p := s.line.Position()
		if _, pass := d.LeftOut(p); pass {
			break
		}
		if _, _, over := s.line.Over(); over {
			t.Fatal("no pass in the game")
		}
		colour := colours[d.SideToMove(p)]
		m, err := s.genmove(t.Context(), []string{colour})
		if err != nil {
			t.Fatal(err)
		}
		toPass += "play " + colour + " " + m + "\n"
	}
	passes := colours[d.SideToMove(s.line.Position())]
	moves := colours[1-d.SideToMove(s.line.Position())]
	told := answers(t, newServer(t), toPass+"play "+passes+" PASS\ngenmove "+moves+"\nshowboard\n")
	for name, commands := range map[string]string{
		"untold":        "genmove " + moves + "\nshowboard\n",
		"undone":        "genmove " + moves + "\nundo\ngenmove " + moves + "\nshowboard\n",
		"generated":     "genmove " + passes + "\ngenmove " + moves + "\nshowboard\n",
		"illegal first": "play " + moves + " A1\nplay " + moves + " PASS\ngenmove " + moves + "\nshowboard\n",
	} {
		out := answers(t, newServer(t), toPass+commands)
		if board := told[strings.LastIndex(told, "= \n "):]; !strings.HasSuffix(out, board) {
			t.Errorf("%s: %s\nexpected the board of\n%s", name, out, told)
		}
	}
}

// TestPassesBehindTheEnd: both sides pass there, as players of Go end a game.
func TestPassesBehindTheEnd(t *testing.T) {
	s := newServer(t)
	game := "" // the shortest: black takes all discs in nine plies
	for i, m := range strings.Fields("e6 f4 e3 f6 g5 d6 e7 f5 c5") {
		game += "play " + colours[i%2] + " " + m + "\n"
	}
	out := answers(t, s, game+"final_score\ngenmove white\nplay black pass\nplay w d3\nundo\nundo\nfinal_score\nundo\nfinal_score\n")
	want := "= B+13\n\n= PASS\n\n= \n\n? move d3 after the end of the game (a side without discs)\n\n= \n\n= \n\n= B+13\n\n= \n\n? cannot score: the game is not over\n\n"
	if !strings.HasSuffix(out, want) {
		t.Errorf("%q, expected %q", out, want)
	}
}

func TestClock(t *testing.T) {
	const overhead = search.DefaultOverhead
	under := func(left time.Duration, moves int) search.Limits {
		return search.Limits{}.UnderClock(left, 0, moves, overhead)
	}
	for name, tt := range map[string]struct {
		commands string
		spent    []time.Duration // by black
		want     search.Limits
	}{
		"none":                      {"", nil, search.Limits{Time: ofMove}},
		"no limit":                  {"time_settings 0 10 0\n", nil, search.Limits{Time: ofMove}},
		"of the game":               {"time_settings 60 0 0\n", nil, under(time.Minute, 0)},
		"spent":                     {"time_settings 60 0 0\n", []time.Duration{5 * time.Second}, under(55*time.Second, 0)},
		"used up":                   {"time_settings 60 0 0\n", []time.Duration{time.Hour}, under(0, 0)},
		"periods":                   {"time_settings 0 30 5\n", nil, under(30*time.Second, 5)},
		"in a period":               {"time_settings 0 30 5\n", []time.Duration{time.Second}, under(29*time.Second, 4)},
		"the next period":           {"time_settings 0 30 2\n", []time.Duration{time.Second, time.Second}, under(30*time.Second, 2)},
		"main time, then a period":  {"time_settings 60 30 5\n", []time.Duration{time.Hour}, under(30*time.Second, 5)},
		"as the client says":        {"time_settings 60 0 0\ntime_left b 7 0\n", nil, under(7*time.Second, 0)},
		"for moves":                 {"time_left black 7.5 3\n", nil, under(7500*time.Millisecond, 3)},
		"of the other side":         {"time_left white 7 0\n", nil, search.Limits{Time: ofMove}},
		"a new game begins anew":    {"time_settings 60 0 0\ntime_left b 7 0\nclear_board\n", nil, under(time.Minute, 0)},
		"what cannot be is refused": {"time_settings 60 0 0\ntime_settings -1 0 0\ntime_settings NaN 0 0\ntime_left b 1e9 0\ntime_left b 1 -1\n", nil, under(time.Minute, 0)},
	} {
		s := newServer(t)
		out := answers(t, s, tt.commands)
		for _, took := range tt.spent {
			s.clock.spend(othello.Dark, took)
		}
		if got := s.clock.limits(search.Limits{}, othello.Dark); got != tt.want || strings.Contains(out, "?") != strings.Contains(name, "refused") {
			t.Errorf("%s: %+v, expected %+v; answers %q", name, got, tt.want, out)
		}
	}
	var c clock
	if got := c.limits(search.Limits{Nodes: 5}, othello.Dark); got != (search.Limits{Nodes: 5}) {
		t.Errorf("a limit of its own: %+v", got)
	}
}

// TestContextEndsTheService in the middle of a search, which is then not answered.
func TestContextEndsTheService(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newServer(t)
	s.Limits = search.Limits{Depth: 60}
	in, send := io.Pipe()
	defer send.Close()
	go func() {
		_, _ = io.WriteString(send, "genmove black\n")
		time.Sleep(50 * time.Millisecond)
		cancel()
	}()
	var out strings.Builder
	if err := s.Serve(ctx, in, &out); !errors.Is(err, context.Canceled) || out.String() != "" {
		t.Errorf("error %v, answers %q", err, out.String())
	}
}

// FuzzCommands: whatever the client sends, every command is answered once, and the last as
// always.
func FuzzCommands(f *testing.F) {
	f.Add("1 protocol_version\n2 play b F5\n3 genmove w # now\n\nundo\n")
	f.Add("time_settings 1 1 1\ntime_left w 0 0\ngenmove b\nplay white pass\nboardsize 19\nkomi x")
	f.Add("clear_board\nlist_commands\nshowboard\ngogui-rules_legal_moves\n\x00\xff99999999999999999999 name")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 || strings.Contains(text, "quit") || strings.Count(text, "genmove") > 5 {
			return
		}
		s := newServer(t)
		s.Limits = search.Limits{Nodes: 200}
		out := answers(t, s, text+"\n123456 protocol_version\n")
		if !strings.HasSuffix(out, "=123456 2\n\n") {
			t.Errorf("%q: answers %q", text, out)
		}
		for answer := range strings.SplitSeq(strings.TrimSuffix(out, "\n\n"), "\n\n") {
			if answer[0] != '=' && answer[0] != '?' {
				t.Errorf("%q: answer %q", text, answer)
			}
		}
	})
}
