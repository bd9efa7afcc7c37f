package check

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/uci"
	"kroo/engine/uci/client"
	"kroo/internal/testkit"
)

// TestMain makes the test binary a UCI program: Kroo's own service with a fault.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == serviceArg {
		if err := serve(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	m.Run()
}

const serviceArg = "service"

// faults filter the input or the output of the service.
var faults = map[string]struct{ input, output func(line string) string }{
	"none":    {},
	"nodes":   {input: replace(`^go nodes .*`, "go depth 1")},
	"endless": {input: replace(`^go nodes .*`, "go infinite")},
	"deep":    {input: replace(`^go depth .*`, "go depth 9")},
	"boards":  {input: replace(`^position fen .*`, "position startpos")},
	"moves":   {input: replace(` moves .*`, "")},
	"stop":    {input: replace(`^stop`, "")},
	"mute":    {output: replace(` score cp \S+`, "")},
	"silent":  {output: replace(` nodes \S+| pv .*`, "")},
	"files":   {output: replace(`^option name OwnBook .*`, "option name BookFile type string default own.bin")},
	"south":   southView(),
}

func replace(pattern, by string) func(string) string {
	re := regexp.MustCompile(pattern)
	return func(line string) string { return re.ReplaceAllString(line, by) }
}

// southView reports scores for South, regardless of the side to move.
func southView() (f struct{ input, output func(string) string }) {
	north := false
	f.input = func(line string) string {
		if strings.HasPrefix(line, "position") {
			_, moves, _ := strings.Cut(line, " moves ")
			north = strings.HasSuffix(strings.Fields(line)[min(2, len(strings.Fields(line))-1)], "-N") != (len(strings.ReplaceAll(moves, " ", ""))%2 == 1)
		}
		return line
	}
	score := regexp.MustCompile(`score cp (-?\d+)`)
	f.output = func(line string) string {
		if !north {
			return line
		}
		return score.ReplaceAllStringFunc(line, func(text string) string {
			n, _ := strconv.Atoi(strings.TrimPrefix(text, "score cp "))
			return fmt.Sprintf("score cp %d", -n)
		})
	}
	return f
}

// serve runs the service between two filters.
func serve(fault string) error {
	e, err := engine.Open(context.Background(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{Nodes: 2000, HashMB: 1, Tables: engine.NoTables}}, "abapa")
	if err != nil {
		return err
	}
	s, err := uci.New(e, uci.Config{Name: "Checked"})
	if err != nil {
		return err
	}
	in, filteredIn := io.Pipe()
	said, out := io.Pipe()
	go func() { filter(os.Stdin, filteredIn, faults[fault].input); filteredIn.Close() }()
	over := make(chan struct{})
	go func() { filter(said, os.Stdout, faults[fault].output); close(over) }()
	err = s.Serve(context.Background(), in, out)
	out.Close()
	<-over
	return err
}

func filter(from io.Reader, to io.Writer, change func(string) string) {
	for lines := bufio.NewScanner(from); lines.Scan(); {
		line := lines.Text()
		if change != nil {
			line = change(line)
		}
		fmt.Fprintln(to, line)
	}
}

// Exactly the fault is found, and the report follows from it.
func TestFaultsAreFound(t *testing.T) {
	prepared := newProber(t.Context(), engine.Oware(), client.Command{})
	testkit.NoError(t, prepared.prepare())
	all := []string{"--nodes", "--depth", "--movetime"}
	for fault, want := range map[string]struct {
		wrong, detail string // the failing checks, and the detail of the first
		limits        []string
		plays, labels bool
	}{
		"none":    {"", "", all, true, true},
		"nodes":   {"nodes", "asked for 2000 nodes, it moves after ", all[1:], true, true},
		"endless": {"nodes", "asked for 2000 nodes, it searches until it is stopped", all[1:], true, true},
		"deep":    {"depth", "asked for depth 3, it searches to depth 9", []string{"--nodes", "--movetime"}, true, true},
		"boards":  {"boards, scores, end of game", "illegal", all, false, false},
		"moves":   {"moves", "illegal", all, false, true},
		"stop":    {"stop", "nor after stop", all, true, true},
		"mute":    {"scores, reports", "none", all, true, false},
		"south":   {"scores", "always for South", all, true, false},
		"silent":  {"nodes, reports", "it reports none", all[1:], true, true},
		"files":   {"own book", "see its options BookFile", all, true, true},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			command := client.Command{Path: os.Args[0], Args: []string{serviceArg, fault}, Hang: time.Second}
			p := newProber(t.Context(), engine.Oware(), command)
			p.samples = prepared.samples
			p.times = searchTimes{20 * time.Millisecond, 60 * time.Millisecond, 50 * time.Millisecond}
			var steps []int64
			r := testkit.Must(p.run(func(done, total int64, _ string) { steps = append(steps, done, total) }))(t)
			testkit.EqualSlices(t, steps[:4], []int64{0, 9, 1, 9}, "progress")
			if r.Program != "Checked" || r.Game != "oware" || r.Plays != want.plays || r.Labels != want.labels || !slices.Equal(r.Limits, want.limits) {
				t.Errorf("%+v", r)
			}
			testkit.Equal(t, r.NoBook == "option.OwnBook=false", (fault != "files"), "option that switches the book off: %q", r.NoBook)
			var wrong []string
			for _, f := range r.Findings {
				if f.OK {
					continue
				}
				if wrong = append(wrong, f.Check); len(wrong) == 1 && !strings.Contains(f.Detail, want.detail) {
					t.Errorf("%+v: want %q", f, want.detail)
				}
			}
			testkit.Equal(t, strings.Join(wrong, ", "), want.wrong, "wrong")
		})
	}
}

// A program that does not start gives an error, not a report.
func TestAProgramThatDoesNotStart(t *testing.T) {
	if r, err := Program(t.Context(), engine.Oware(), client.Command{Path: "false"}, nil); err == nil || r != nil {
		t.Errorf("%+v, error %v", r, err)
	}
}

// Every game has all kinds of samples.
func TestSamplesOfGames(t *testing.T) {
	p := newProber(t.Context(), engine.Oware(), client.Command{})
	testkit.NoError(t, p.prepare())
	q := newProber(t.Context(), engine.Chess(), client.Command{})
	testkit.NoError(t, q.prepare())
	if s := p.samples; len(s.boards) != 4*perSide || len(s.won) != 4 || s.over == nil || s.again == nil || s.open == s.start {
		t.Errorf("oware: %+v", s)
	}
	if s := q.samples; len(s.boards) != 4*perSide || len(s.won) != 4 || s.over == nil || s.again == nil || s.open == s.start {
		t.Errorf("chess: %+v", s)
	}
}
