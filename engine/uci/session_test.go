package uci

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kroo/book"
	"kroo/endgame"
	"kroo/engine"
	"kroo/engine/search"
	owarefeatures "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/mapfile"
	"kroo/internal/testkit"
)

var ctx = context.Background()

// running returns a client with an infinite search running.
func running(t *testing.T, ctx context.Context) *peer {
	c := dial(t, ctx, newServer(t, setup{HashMB: 1}))
	c.send("go infinite")
	c.until("info depth 3")
	return c
}

func TestStopEndsASearch(t *testing.T) {
	c := running(t, ctx)
	if got := c.ask("stop"); !legalBest(lastOf(got)) {
		t.Errorf("after stop: %q", got)
	}
	if got := c.ask("stop", "d"); count(got, "bestmove") != 0 {
		t.Errorf("a second stop sent another best move: %q", got)
	}
}

var bestLine = regexp.MustCompile(`^bestmove [A-F]( ponder [a-f])?$`)

// legalBest reports whether a line is a legal bestmove of the start position.
func legalBest(l string) bool { return bestLine.MatchString(l) }

// Searches in piped input are completed.
func TestLimitedSearchesFinishWhenTheInputEnds(t *testing.T) {
	for _, end := range []string{"quit\n", ""} {
		var out bytes.Buffer
		testkit.NoError(t, newServer(t, setup{}).Serve(t.Context(), strings.NewReader("position startpos moves Ff\ngo depth 6\n"+end), &out))
		if got := out.String(); !strings.Contains(got, "info depth 6 ") || !strings.Contains(got, "\nbestmove ") {
			t.Errorf("go depth 6 before %q: %q", end, got)
		}
	}
}

func TestTheEndStopsTheSearch(t *testing.T) {
	for name, end := range map[string]func(c *peer, cancel func()){
		"quit":             func(c *peer, _ func()) { c.send("quit") },
		"end of the input": func(c *peer, _ func()) { c.in.Close() },
		"context":          func(_ *peer, cancel func()) { cancel() },
	} {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		c := running(t, ctx)
		end(c, cancel)
		if got, err := c.rest(); !legalBest(lastOf(got)) || (name == "context") != errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %q and returned %v", name, got, err)
		}
	}
}

// Serve must not wait for a blocked reader.
func TestContextEndsAnIdleService(t *testing.T) {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	r, w := io.Pipe()
	defer w.Close()
	if err := newServer(t, setup{}).Serve(ctx, r, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("Serve returned %v", err)
	}
}

func TestGoStopsTheSearchBefore(t *testing.T) {
	c := running(t, ctx)
	c.send("go depth 1 searchmoves B")
	got := c.until("bestmove B")
	testkit.Equal(t, count(got, "bestmove"), 2, "two searches ended with %q", got)
}

func TestMovetimeEndsASearch(t *testing.T) {
	c := dial(t, ctx, newServer(t, setup{HashMB: 1}))
	c.send("go movetime 1")
	if got := c.until("bestmove"); !legalBest(lastOf(got)) {
		t.Errorf("got %q", got)
	}
}

func TestPonderhitStartsTheClock(t *testing.T) {
	for _, limits := range []string{"movetime 1", "wtime 1 btime 1"} {
		c := dial(t, ctx, newServer(t, setup{HashMB: 1}))
		c.send("go ponder " + limits)
		if got := c.until("info depth 6"); count(got, "bestmove") != 0 {
			t.Errorf("pondering ended by %s: %q", limits, got)
		}
		c.send("ponderhit")
		if got := c.until("bestmove"); !legalBest(lastOf(got)) {
			t.Errorf("got %q", got)
		}
	}
}

func TestGoWithoutLimitsTakesOneSecond(t *testing.T) {
	for text, want := range map[string]goCommand{
		"":               {limits: search.Limits{Time: time.Second}},
		"ponder":         {limits: search.Limits{Time: time.Second}, ponder: true},
		"infinite":       {infinite: true},
		"depth 3":        {limits: search.Limits{Depth: 3}},
		"nodes 7 ponder": {limits: search.Limits{Nodes: 7}, ponder: true},
		"movetime 20 depth 5 nodes 9 searchmoves CA C infinite": {
			limits: search.Limits{Depth: 5, Nodes: 9, Time: 20 * time.Millisecond}, only: []oware.Move{2, 0}, infinite: true},
	} {
		got, doubts := parseGo(oware.Descriptor(), oware.Start(oware.Abapa), text, 0)
		if len(doubts) > 0 || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("go %s: got %+v, %q; want %+v", text, got, doubts, want)
		}
	}
}

func TestGoUnderAClock(t *testing.T) {
	soft, hard := search.TimeBudget(60*time.Second, 2*time.Second, 0, 10*time.Millisecond)
	lastSoft, lastHard := search.TimeBudget(60*time.Second, 2*time.Second, 1, 10*time.Millisecond)
	testkit.Equal(t, lastHard, 60*time.Second-10*time.Millisecond, "the time of the last move of a period")
	for text, want := range map[string]search.Limits{
		"wtime 60000 btime 5 winc 2000":              {Soft: soft, Time: hard},
		"wtime 60000 winc 2000 movestogo 1":          {Soft: lastSoft, Time: lastHard},
		"movestogo 1 btime 5 wtime 60000 winc 2000":  {Soft: lastSoft, Time: lastHard},
		"btime 5 binc 5":                             {Time: time.Second}, // the other player's
		"wtime 60000 winc 2000 depth 3":              {Depth: 3, Soft: soft, Time: hard},
		"wtime 60000 winc 2000 movetime 1":           {Soft: soft, Time: time.Millisecond},
		"wtime 60000 infinite":                       {},
		"stime 60000 ntime 5 sinc 2000 ninc 5":       {Soft: soft, Time: hard},
		"ntime 60000 stime 60000 sinc 2000 depth 3":  {Depth: 3, Soft: soft, Time: hard},
		"wtime 60000 winc 2000 movestogo 0 movetime": {Soft: soft, Time: hard},
	} {
		got, doubts := parseGo(oware.Descriptor(), oware.Start(oware.Abapa), text, 10*time.Millisecond)
		if (len(doubts) > 0) != strings.HasSuffix(text, "movetime") || got.limits != want {
			t.Errorf("go %s: %+v, %q; want %+v", text, got.limits, doubts, want)
		}
	}
}

// The output agrees with a search by the searcher, including the history.
func TestInfoIsTheSearchersResult(t *testing.T) {
	for _, rules := range []oware.Rules{oware.Abapa, oware.Awari, oware.Simple} {
		c := dial(t, ctx, newServer(t, setup{Rules: rules.String(), HashMB: 1, Tables: engine.NoTables}))
		changed := 0
		for seed := range uint64(30) {
			start, g := quietGame(rules, seed)
			want := searchLines(g.Position(), g.History())
			if slices.Compare(want, searchLines(g.Position(), nil)) != 0 {
				changed++
			}
			c.send(fmt.Sprintf("position %s moves %s", start, gameText(start, g)))
			if _, _, over := g.Over(); over {
				want = []string{"bestmove (none)"}
			}
			c.send("ucinewgame", fmt.Sprintf("position %s moves %s", start, gameText(start, g)), "go depth 4")
			var got []string
			for _, l := range c.until("bestmove") {
				if !strings.HasPrefix(l, "info string") {
					got = append(got, withoutClock(l))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, seed %d: got\n%s\nwant\n%s", rules, seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		if changed == 0 {
			t.Errorf("%s: the history never mattered", rules)
		}
	}
}

// quietGame plays at random from a board where two seeds circle, until shortly before or at a
// repetition.
func quietGame(rules oware.Rules, seed uint64) (start oware.Position, g *games.Line[oware.Position]) {
	r := rand.New(rand.NewPCG(seed, 3))
	start, err := oware.ParseBoard(rules, "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S")
	if err != nil {
		panic(err)
	}
	g = oware.Descriptor().NewLine(start)
	for range 8 + r.IntN(40) {
		moves := g.Position().AppendMoves(nil)
		if _, _, over := g.Over(); over {
			break
		}
		if err := g.Play(moves[r.IntN(len(moves))]); err != nil {
			panic(err)
		}
	}
	return start, g
}

func gameText(start oware.Position, g *games.Line[oware.Position]) string { return g.Text() }

// searchLines returns the info lines of a new searcher to depth 4.
func searchLines(p oware.Position, history []oware.Position) (lines []string) {
	s := search.NewSearcher(search.Knowledge[oware.Position]{Eval: owarefeatures.Captures{}}, search.Options{HashMB: 1})
	r := s.Search(ctx, p, history, search.Limits{Depth: 4}, search.Query{Info: func(r search.Result) {
		lines = append(lines, fmt.Sprintf("info depth %d score cp %d nodes %d pv %s", r.Depth, r.Score, r.Nodes, oware.Descriptor().LineNames(p, r.PV)))
	}})
	best := "bestmove " + oware.Descriptor().MoveNames(p, r.Best)
	if len(r.PV) > 1 {
		best += " ponder " + oware.MoveName(r.PV[1], p.ToMove().Other())
	}
	return append(lines, best)
}

var clockWords = regexp.MustCompile(`(nps|time) \d+ `)

func withoutClock(l string) string { return clockWords.ReplaceAllString(l, "") }

// bookOf returns a book with one position.
func bookOf(t *testing.T, p oware.Position, scores [6]int16) *book.Book {
	return writeBook(t, filepath.Join(t.TempDir(), "b.bin"),
		book.Header{Fields: []book.Field{{Name: book.FieldRules, Value: p.Rules().String()}}},
		book.Entry{Key: p.BookKey(), Scores: scores})
}

func TestBookMarginChoosesBySeed(t *testing.T) {
	b := bookOf(t, oware.Start(oware.Abapa), [6]int16{-72, -34, -20, -37, -35, 5})
	play := func(seed uint64) (moves string) {
		c := dial(t, ctx, newServer(t, setup{Book: b, Seed: seed}))
		for _, l := range c.ask("setoption name BookMargin value 39", strings.Repeat("go\n", 40)) {
			if m, ok := strings.CutPrefix(l, "bestmove "); ok {
				moves += m[:1]
			}
		}
		return moves
	}
	first := play(1)
	if len(first) != 40 || first != play(1) {
		t.Errorf("seed 1 plays %s, then %s", first, play(1))
	}
	if first == play(2) {
		t.Errorf("seeds 1 and 2 both play %s", first)
	}
	for _, m := range "ABCDEF" {
		testkit.Equal(t, strings.ContainsRune("BCF", m), strings.ContainsRune(first, m), "margin 39 plays %s: expected B, C and F", first)
	}
}

// An engine without a book uses the default book.
func TestOwnBookPlaysFromTheDefaultBook(t *testing.T) {
	c := dial(t, ctx, newServer(t, setup{Tables: engine.NoTables}))
	c.send("go depth 1")
	if got := c.until("bestmove"); count(got, "info string book ") != 0 {
		t.Errorf("by default: got %q", got)
	}
	c.send("setoption name OwnBook value true", "go depth 1")
	if got := c.until("bestmove"); count(got, "info string book F") != 1 || count(got, "bestmove F ponder ") != 1 {
		t.Errorf("OwnBook: got %q", got)
	}
	c.send("setoption name Rules value awari", "go depth 1")
	if got := c.until("bestmove"); count(got, "info string book F") != 1 {
		t.Errorf("under awari: got %q", got)
	}
	c.send("setoption name Book value default", "setoption name Rules value abapa", "go depth 1")
	if got := c.until("bestmove"); count(got, "info string book F") != 1 {
		t.Errorf("Book = default, then abapa again: got %q", got)
	}
	c.send("setoption name Rules value simple", "go depth 1")
	if got := c.until("bestmove"); count(got, "info string book ") != 0 || count(got, "info string no book: there is no default book for simple") != 1 {
		t.Errorf("under simple: got %q", got)
	}
}

// The default of OwnBook does not depend on the rules at the start, which may have no book.
func TestOwnBookIsOnUnderRulesWithoutABook(t *testing.T) {
	for _, rules := range []string{"abapa", "simple"} {
		for path, want := range map[string]string{"": "true", engine.NoBook: "false"} {
			e := testkit.Must(engine.Open(ctx, engine.Oware(), engine.Spec{Book: path, OwnBook: true,
				Search: engine.Config{HashMB: 1, Tables: engine.NoTables}}, rules))(t)
			defer e.Close()
			c := dial(t, ctx, testkit.Must(New(e, Config{}))(t))
			c.send("uci")
			testkit.Equal(t, count(c.until("uciok"), "option name OwnBook type check default "+want), 1, "%s, book %q", rules, path)
		}
	}
}

func TestWeightsAreSearchedWith(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.json")
	writeWeights(t, path, oware.Abapa)
	e := testkit.Must(engine.Oware().Evaluation(path, "abapa"))(t)
	want := e.Evaluate(oware.Start(oware.Abapa).Play(0))
	c := dial(t, ctx, newServer(t, setup{}))
	c.ask("setoption name Weights value " + path)
	c.send("go depth 1 searchmoves A")
	if l := c.until("bestmove")[0]; !strings.HasPrefix(l, fmt.Sprintf("info depth 1 score cp %d ", -want)) {
		t.Errorf("got %q, expected %d by the weights", l, -want)
	}
}

func TestEvaluatorServesItsRulesOnly(t *testing.T) {
	seven := search.EvaluatorFunc[oware.Position](func(oware.Position) int { return 7 })
	c := dial(t, ctx, newServer(t, setup{Rules: "awari", Eval: seven, HashMB: 1, Tables: engine.NoTables}))
	for rules, want := range map[string]string{"awari": "cp -7 ", "simple": "cp 0 "} {
		c.ask("setoption name Rules value " + rules)
		c.send("go depth 1")
		if l := c.until("bestmove")[0]; !strings.Contains(l, want) {
			t.Errorf("%s: got %q, want %s", rules, l, want)
		}
	}
}

func TestBookOfUnknownRulesIsNotPlayed(t *testing.T) {
	b := writeBook(t, filepath.Join(t.TempDir(), "b.bin"),
		book.Header{Fields: []book.Field{{Name: book.FieldRules, Value: "chess"}}},
		book.Entry{Key: oware.Start(oware.Abapa).BookKey(), Scores: [6]int16{0, 0, 0, 0, 0, 5}})
	c := dial(t, ctx, newServer(t, setup{Book: b, HashMB: 1}))
	c.send("uci", "go depth 1")
	got := c.until("bestmove")
	if count(got, "info depth 1 ") != 1 || !slices.Contains(got, "info string no book: it is for chess") {
		t.Errorf("got %q", got)
	}
}

func TestLongLinesAreDropped(t *testing.T) {
	var out bytes.Buffer
	blank := strings.Repeat(" ", maxLine-len("isready\n"))
	in := blank + "isready\n" + blank + " isready\n" + strings.Repeat("x", 3*maxLine) + "\nisready\r\n" + blank + blank + "isready"
	testkit.NoError(t, newServer(t, setup{}).Serve(ctx, strings.NewReader(in), &out))
	note := fmt.Sprintf("info string line longer than %d bytes: ignored\n", maxLine)
	if want := "readyok\n" + note + note + "readyok\n" + note; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// Every go gets one bestmove, whatever follows it: otherwise the client would wait until its time runs
// out.
func TestEveryGoIsAnswered(t *testing.T) {
	c := dial(t, ctx, newServer(t, setup{HashMB: 1, Tables: engine.NoTables}))
	answered := func(command string) {
		t.Helper()
		c.send("position startpos", command)
		got := c.until("bestmove")
		if best := lastOf(got); len(best) < len("bestmove A") || !strings.Contains("ABCDEF", best[9:10]) {
			t.Errorf("%q: %q", command, got)
		}
	}
	answered("go movetime 0")
	answered("hm go nodes 1") // unknown words before a command are skipped as well
	for _, word := range []string{"depth", "nodes", "movetime", "wtime", "btime", "winc", "stime", "movestogo", "searchmoves", "perft", ""} {
		for _, value := range []string{"", "0", "-1", "1.5", "x", "99999999999999999999", "-99999999999999999999"} {
			answered("go " + word + " " + value + " depth 1")
			answered("go depth 1 nodes 50 " + word + " " + value + " depth 1")
		}
	}
	if got := c.ask(); len(got) != 0 {
		t.Errorf("a go was answered twice: %q", got)
	}
}

// A dropped line may have been a position: the position before it is not the client's.
func TestNoGoAnswersForAnotherPosition(t *testing.T) {
	for _, wrong := range []string{"position startpos moves A a A", "position", "position fen 4-4", "position startpos moves " + strings.Repeat("Ff", maxLine/2)} {
		c := dial(t, ctx, newServer(t, setup{HashMB: 1, Tables: engine.NoTables}))
		c.send("position startpos moves F", wrong, "go depth 1")
		testkit.Equal(t, lastOf(c.until("bestmove")), "bestmove (none)", "after %.40q", wrong)
		c.send("position startpos moves F", "go depth 1")
		testkit.Equal(t, lastOf(c.until("bestmove")), "bestmove a", "after a right position")
	}
}

// A valid or invalid game of thousands of moves in one line gives short output.
func TestAnswersStayShort(t *testing.T) {
	var out bytes.Buffer
	long := strings.Repeat("F\x01\xffz", maxLine/8)
	in := "position " + long + "\nposition startpos " + long + "\nposition startpos moves " + long + "\n" + long +
		"\ngo " + long + "\ngo depth " + long + "\nsetoption name " + long + "\nsetoption name Hash value " + long +
		"\nsetoption name Rules value " + long + "\nsetoption name Book value " + long + "\nsetoption name Weights value " + long + "\n"
	testkit.NoError(t, newServer(t, setup{}).Serve(ctx, strings.NewReader(in), &out))
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 15 { // one to each line, and to each go also why it has no move, and that
		t.Errorf("%d answers to 11 lines", len(lines))
	}
	for _, l := range lines {
		if !strings.HasPrefix(l, "info string ") && l != "bestmove (none)" || len(l) > 4000 {
			t.Errorf("%.300q (%d bytes)", l, len(l))
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestReadErrorIsReturned(t *testing.T) {
	broken := errors.New("broken")
	var out bytes.Buffer
	err := newServer(t, setup{}).Serve(ctx, io.MultiReader(strings.NewReader("isready\nisre"), failing{broken}), &out)
	if !errors.Is(err, broken) {
		t.Errorf("Serve returned %v", err)
	}
	if want := "readyok\ninfo string unknown command \"isre\""; !strings.HasPrefix(out.String(), want) {
		t.Errorf("got %q", out.String())
	}
}

// The input stays open and a search is running: only the write error ends the service.
func TestWriteErrorEndsTheService(t *testing.T) {
	broken := errors.New("broken")
	r, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, "go infinite\n")
	if err := newServer(t, setup{}).Serve(ctx, r, failing{broken}); !errors.Is(err, broken) {
		t.Errorf("Serve returned %v", err)
	}
}

type lineWriter struct{ t *testing.T }

func (w lineWriter) Write(b []byte) (int, error) {
	if !bytes.HasSuffix(b, []byte("\n")) {
		w.t.Errorf("wrote part of a line: %q", b)
	}
	return len(b), nil
}

func TestLinesAreWrittenWhole(t *testing.T) {
	in := "uci\nisready\nd\ngo depth 2\nfoo\ngo infinite\nstop\n"
	testkit.NoError(t, newServer(t, setup{Name: "two\nlines"}).Serve(ctx, strings.NewReader(in), lineWriter{t}))
}

func TestSessionsAreIndependent(t *testing.T) {
	s := newServer(t, setup{HashMB: 1, Seed: 5})
	a, b := dial(t, ctx, s), dial(t, ctx, s)
	a.send("setoption name Rules value awari", "setoption name Tables value none", "position startpos moves F", "go infinite")
	a.until("info depth 2")
	b.send("go depth 2")
	b.until("bestmove")
	if got := b.ask("d"); !slices.Contains(got, "rules abapa") || !slices.Contains(got, "moves ABCDEF") {
		t.Errorf("the second session has %q", got)
	}
	a.send("quit")
	if _, err := a.rest(); err != nil {
		t.Error(err)
	}
	if got := b.ask("isready"); len(got) != 0 { // the first readyok ends ask
		t.Errorf("the second session got %q", got)
	}
}

func TestSearchesAreReproducible(t *testing.T) {
	play := func() (got []string) {
		c := dial(t, ctx, newServer(t, setup{HashMB: 1}))
		for range 2 {
			c.send("ucinewgame", "position startpos moves Ff", "go depth 8")
			for _, l := range c.until("bestmove") {
				got = append(got, withoutClock(l))
			}
		}
		return got
	}
	got := play()
	if again := play(); !slices.Equal(got, again) {
		t.Errorf("got %q, then %q", got, again)
	}
	if half := len(got) / 2; !slices.Equal(got[:half], got[half:]) {
		t.Errorf("ucinewgame remembers: %q", got)
	}
}

// A capture that loses by the table is recognized at depth 1: by the tables that the engine has opened,
// which a session leaves open for the next, or that a session opens.
func TestTablesAreUsed(t *testing.T) {
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Search: engine.Config{HashMB: 1}}, "abapa"))(t)
	defer e.Close()
	opened := testkit.Must(New(e, Config{}))(t)
	for i, s := range []*Server[oware.Position]{opened, opened, newServer(t, setup{HashMB: 1}), newServer(t, setup{HashMB: 1, Tables: engine.NoTables})} {
		c := dial(t, ctx, s)
		c.send("position fen 0-0-0-0-0-1-1-0-0-0-0-12-14-20-S", "go depth 1")
		if got := c.until("bestmove"); strings.Contains(got[0], "score cp -150") == (i == 3) {
			t.Errorf("server %d: %q", i, got)
		}
		c.send("quit")
		_, err := c.rest()
		testkit.NoError(t, err)
	}
}

// The tables of the option remain when the rules change.
func TestTablesOptionOutlivesTheRules(t *testing.T) {
	c := dial(t, ctx, newServer(t, setup{HashMB: 1}))
	c.send("setoption name Tables value none", "setoption name Rules value awari", "setoption name Rules value abapa",
		"position fen 0-0-0-0-0-1-1-0-0-0-0-12-14-20-S", "go depth 1")
	if got := strings.Join(c.until("bestmove"), "\n"); strings.Contains(got, "score cp -150") {
		t.Errorf("the tables are used:\n%s", got)
	}
}

// A search opens nothing: readyok comes after all that the options name is open.
func TestNothingIsLoadedAfterReadyok(t *testing.T) {
	s := newServer(t, setup{HashMB: 1})
	k := &s.engine.Kit
	tables, evaluation, books := k.Tables, k.Evaluation, k.Book
	opened := atomic.Int32{}
	k.Tables = func(path, rules string) (engine.Tables[oware.Position], error) {
		opened.Add(1)
		return tables(path, rules)
	}
	k.Evaluation = func(name, rules string) (engine.Evaluation[oware.Position], error) {
		opened.Add(1)
		return evaluation(name, rules)
	}
	k.Book = func(path, rules string) (engine.Book[oware.Position], error) {
		opened.Add(1)
		return books(path, rules)
	}
	for _, options := range [][]string{
		nil,
		{"Rules value awari", "Hash value 2"},
		{"Weights value default", "Tables value <empty>"},
		{"Book value default", "OwnBook value true"},
	} {
		c := dial(t, ctx, s)
		for _, o := range options {
			c.send("setoption name " + o)
		}
		c.send("isready")
		c.until("readyok")
		before := opened.Load()
		c.send("go nodes 100", "position startpos moves F", "go nodes 100")
		c.until("bestmove")
		c.until("bestmove")
		testkit.Equal(t, opened.Load(), before, "%v: files opened", options)
	}
	if opened.Load() == 0 {
		t.Error("nothing was opened")
	}
}

// Named tables are verified when opened, which the service reports.
func TestNamedTablesAreReported(t *testing.T) {
	built := testkit.Must(endgame.Build(ctx, endgame.Config{Rules: oware.Abapa, Bounds: endgame.Sharp, Seeds: 3}, nil))(t)
	path := filepath.Join(t.TempDir(), "three.endgame")
	testkit.NoError(t, built.Write(path))
	const want = "info string endgame tables: sharp of 3 seeds"
	c := dial(t, ctx, newServer(t, setup{HashMB: 1, Tables: engine.NoTables}))
	c.send("setoption name Tables value "+path, "isready")
	if got := c.until("readyok"); !strings.HasPrefix(got[0], want) {
		t.Errorf("by option: %q, want %q", got, want)
	}
	c = dial(t, ctx, newServer(t, setup{HashMB: 1, Tables: path}))
	c.send("isready", "go depth 1")
	if got := c.until("bestmove"); !slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, want) }) {
		t.Errorf("by flag: %q, want %q", got, want)
	}
}

// A level limits the nodes of a search, but not in analysis.
func TestALevelLimitsTheSearch(t *testing.T) {
	c := dial(t, ctx, newServer(t, setup{HashMB: 1, Tables: engine.NoTables}))
	deepest := func(commands ...string) string {
		c.send(commands...)
		last := ""
		for _, l := range c.until("bestmove") {
			if strings.HasPrefix(l, "info depth ") {
				last = strings.Fields(l)[2]
			}
		}
		return last
	}
	if d := deepest("setoption name OwnBook value false", "setoption name Level value beginner", "go depth 9"); d == "9" {
		t.Error("a beginner searches 9 plies deep")
	}
	testkit.Equal(t, deepest("setoption name UCI_AnalyseMode value true", "go depth 9"), "9", "analysis at a level ends at depth")
	testkit.Equal(t, deepest("setoption name UCI_AnalyseMode value false", "setoption name Level value best", "go depth 9"), "9", "the best level ends at depth")
}

// A service whose files are truncated continues without them and reports it.
func TestFilesChangedWhileInUse(t *testing.T) {
	defer func(old int64) { mapfile.Small = old }(mapfile.Small)
	mapfile.Small = 0
	dir := t.TempDir()
	if _, err := endgame.BuildFile(t.Context(), endgame.Config{Rules: oware.Abapa, Bounds: endgame.Crude, Seeds: 8}, dir, nil); err != nil {
		t.Fatal(err)
	}
	tables := filepath.Join(dir, endgame.FileName(oware.Abapa))
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{HashMB: 1, Tables: tables}}, "abapa"))(t)
	defer e.Close()
	s := testkit.Must(New(e, Config{}))(t)
	testkit.NoError(t, os.Truncate(tables, 100))
	const commands = "position 1-0-2-0-2-0-1-0-1-0-1-2-19-19-S\ngo depth 12\nisready\ngo depth 12\nquit\n"
	var out strings.Builder
	testkit.NoError(t, s.Serve(t.Context(), strings.NewReader(commands), &out))
	if text := out.String(); strings.Count(text, "bestmove") != 2 || strings.Count(text, "endgame tables no longer used: "+tables) != 1 {
		t.Errorf("output %s", text)
	}
}

// writes receives every write.
type writes chan string

func (w writes) Write(b []byte) (int, error) {
	w <- string(b)
	return len(b), nil
}

func TestHeldLinesAreWrittenWithTheNext(t *testing.T) {
	w := make(writes, 9)
	o := newOutput(w)
	o.wait = time.Hour
	o.hold("one")
	o.hold("two")
	o.text("")
	o.hold("three")
	o.writeLine("four %d", 4)
	o.text("")
	close(w)
	var got []string
	for text := range w {
		got = append(got, text)
	}
	if want := []string{"one\ntwo\n", "three\nfour 4\n"}; !slices.Equal(got, want) {
		t.Errorf("writes %q, want %q", got, want)
	}
}

// Held lines are written even if no other line follows.
func TestHeldLinesAreWrittenInTime(t *testing.T) {
	w := make(writes)
	o := newOutput(w)
	for _, line := range []string{"one", "two"} {
		o.hold(line)
		testkit.Equal(t, <-w, line+"\n", "<-w")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestAFailedWriteIsReported(t *testing.T) {
	o := newOutput(broken{})
	o.hold("one")
	<-o.failed
	if o.writeLine("two"); o.error() == nil {
		t.Error("no error")
	}
}

// Without Config.Tuning, the search settings are not offered and cannot be set.
func TestSettingsOfTheSearchAreHidden(t *testing.T) {
	c := dial(t, ctx, newServer(t, setup{HashMB: 1}))
	for _, l := range c.ask("uci", "setoption name Futility value 10") {
		if strings.Contains(l, "option name Futility") {
			t.Errorf("the service offers %q", l)
		}
		if strings.Contains(l, "unknown option") {
			return
		}
	}
	t.Error("an option that is not offered can be set")
}

// The settings are offered with the values of the evaluation. Setting these changes nothing, other values
// change the search, and values out of range are rejected.
func TestSettingsOfTheSearchAreOptions(t *testing.T) {
	c := dial(t, ctx, newServer(t, setup{HashMB: 1, Tuning: true}))
	announced := c.ask("uci")
	nodes := func(commands ...string) string {
		c.send(append(commands, "setoption name Clear Hash", "go depth 12")...)
		last := ""
		for _, l := range c.until("bestmove") {
			if _, after, ok := strings.Cut(l, " nodes "); ok {
				last = strings.Fields(after)[0]
			}
		}
		return last
	}
	plain := nodes()
	own := new(search.Tuning).WithDefaults(false)
	for _, setting := range own.Settings() {
		line := fmt.Sprintf("option name %s type spin default %d min %d max %d", setting.Name, *setting.Value, setting.Min, setting.Max)
		testkit.Equal(t, count(announced, line), 1, "%q is not among what is announced", line)
		testkit.Equal(t, nodes(fmt.Sprintf("setoption name %s value %d", setting.Name, *setting.Value)), plain, "%s as it", setting.Name)
		text := fmt.Sprintf("setoption name %s value %d", setting.Name, setting.Max+1)
		if got := c.ask(text); count(got, "info string setoption: "+setting.Name) != 1 {
			t.Errorf("%s: %q", text, got)
		}
	}
	if got := nodes("setoption name Futility value 500"); got == plain {
		t.Errorf("a different margin: still %s nodes", got)
	}
	testkit.Equal(t, nodes("setoption name Futility value 300"), plain, "the margin set back")
}

// Settings that the client has not set follow the active evaluation.
func TestSettingsFollowTheEvaluation(t *testing.T) {
	c := dial(t, ctx, newServer(t, setup{HashMB: 1, Tuning: true}))
	plain := dial(t, ctx, newServer(t, setup{HashMB: 1}))
	search := []string{"setoption name Weights value default", "go depth 10"}
	c.send(search...)
	plain.send(search...)
	score := func(lines []string) (s string) {
		for _, l := range lines {
			if _, after, ok := strings.Cut(l, "info depth 10 "); ok {
				s, _, _ = strings.Cut(after, " nps ")
			}
		}
		return s
	}
	if got, want := score(c.until("bestmove")), score(plain.until("bestmove")); got != want || want == "" {
		t.Errorf("%q, want %q", got, want)
	}
}
