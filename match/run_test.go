package match

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/games"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/testkit"
	"kroo/match/elo"
)

// oneMoveBook has the start position.
type oneMoveBook struct {
	engine.Book[oware.Position] // nil: a match asks for moves only
}

func (b oneMoveBook) Moves(p oware.Position) []engine.BookMove {
	if p != oware.Start(oware.Abapa) {
		return nil
	}
	return []engine.BookMove{{Move: 0, Points: 7}, {Move: 1, Points: 3}}
}

func (b oneMoveBook) Checksum() string { return "1234abcd" }

// countingTables are empty tables that count their openings and closings.
type countingTables struct{ open *int }

func (countingTables) Name() string { return "nothing" }

func (countingTables) Final(oware.Position) (low, high int, ok bool) { return 0, 0, false }
func (c countingTables) Close() error                                { *c.open--; return nil }

// countingKit is oware with a book, and with counters of opened tables.
func countingKit(open, opened *int) engine.Kit[oware.Position] {
	k := engine.Oware()
	k.Book = func(string, string) (engine.Book[oware.Position], error) { return oneMoveBook{}, nil }
	k.Tables = func(string, string) (engine.Tables[oware.Position], error) {
		*open++
		*opened++
		return countingTables{open}, nil
	}
	return k
}

func TestBookMovesAreRecordedAsSuch(t *testing.T) {
	t.Parallel()
	open, opened := 0, 0
	c := Config{Pairs: 1, Config: engine.Config{Nodes: 100, HashMB: 1}}
	out := filepath.Join(t.TempDir(), "games.ogn")
	a, b := engine.Spec{Weights: engine.CapturesName, Book: "x"}, engine.Spec{Weights: engine.CapturesName}
	sum := testkit.Must(Run(t.Context(), countingKit(&open, &opened), c, a, b, Output{File: out}, nil))(t)
	if sum.BookMoves != 1 || sum.BookMovesA != 0.5 || sum.BookMovesB != 0 || sum.BookPlies != 0.5 || sum.A != "captures + book" {
		t.Errorf("%d book moves by %s", sum.BookMoves, sum.A)
	}
	records := testkit.Must(oware.Descriptor().ParseRecords(strings.NewReader(testkit.Text(t, out)), out))(t)
	for i, rec := range records {
		for ply, m := range rec.Moves {
			if book := m.Comment == "book"; book != (i == 0 && ply == 0) || !book && !strings.HasPrefix(m.Comment, "score ") {
				t.Errorf("game %d, ply %d: %q", i, ply, m.Comment)
			}
		}
	}
	if open != 0 || opened != 2 { // tables for each player
		t.Errorf("%d of %d files are open", open, opened)
	}
}

func TestEachPlayerIsOpenedOnceAndClosed(t *testing.T) {
	t.Parallel()
	open, opened := 0, 0
	c := threePlayers(t.TempDir())
	c.Players[0].Book = "x"
	if _, err := RunTournament(t.Context(), countingKit(&open, &opened), c, Output{}, nil); err != nil {
		t.Fatal(err)
	}
	if open != 0 || opened != 3 {
		t.Errorf("%d of %d files are open, want 0 of 3", open, opened)
	}
	c.Players[2] = c.Players[0] // refused after two were opened
	if _, err := RunTournament(t.Context(), countingKit(&open, &opened), c, Output{}, nil); err == nil || open != 0 {
		t.Errorf("%v, %d files are open", err, open)
	}
}

func TestPerfectTicTacToeIsDrawn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := TournamentConfig{
		Config: Config{Pairs: 9, OpeningPlies: 1, Config: engine.Config{Depth: 9, FullWidth: true, HashMB: 1}, Log: filepath.Join(dir, "log")},
		Players: []engine.Spec{
			{Name: "a"}, {Name: "b", Search: engine.Config{Nodes: 1_000_000}}, {Name: "c", Vary: &engine.Vary{Plies: 9}},
		},
	}
	out := filepath.Join(dir, "games.ogn")
	for range 2 { // the second time from the logs
		sum := testkit.Must(RunTournament(t.Context(), engine.TicTacToe(), c, Output{File: out}, nil))(t)
		for _, s := range sum.Standings {
			if s.Games() != 36 || s.Draws != 36 {
				t.Errorf("%s: %d games, %d drawn", s.Name, s.Games(), s.Draws)
			}
		}
	}
	records, err := tictactoe.Descriptor().ParseRecords(strings.NewReader(testkit.Text(t, out)), out)
	if err != nil || len(records) != 54 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	for _, rec := range records {
		if rec.Result != games.DrawnGame || rec.Tag("Termination") != string(tictactoe.FullBoard) || rec.Tag("X") == "" || len(rec.Moves) != 9 {
			t.Errorf("%s, %v", rec.Result, rec.Tags)
		}
	}
}

func TestTicTacToeAgainstTheBlindIsWonAndMaxPliesDraws(t *testing.T) {
	t.Parallel()
	c := Config{Pairs: 9, OpeningPlies: 1, Config: engine.Config{Depth: 9, FullWidth: true, HashMB: 1}}
	first := engine.Spec{Name: "first", Search: engine.Config{Depth: 1}}
	sum, err := Run(t.Context(), engine.TicTacToe(), c, engine.Spec{Name: "sees"}, first, Output{}, nil)
	testkit.NoError(t, err)
	if sum.Score.Losses != 0 || sum.Score.Wins == 0 || sum.Diff <= 0 {
		t.Errorf("%+v", sum.Score)
	}
	c.MaxPlies = 4 // before anybody can have won: nobody leads
	if sum, err = Run(t.Context(), engine.TicTacToe(), c, engine.Spec{Name: "sees"}, first, Output{}, nil); err != nil || sum.Score.Draws != 18 {
		t.Errorf("%+v, %v", sum.Score, err)
	}
	for want, change := range map[string]func(*Config){
		"unknown rules":        func(c *Config) { c.Rules = "abapa" },
		"no endgame tables to": func(c *Config) { c.AdjudicateTables = true },
	} {
		bad := c
		change(&bad)
		_, err := Run(t.Context(), engine.TicTacToe(), bad, first, first, Output{}, nil)
		testkit.Refused(t, err, want)
	}
}

func TestLinesOfTicTacToeHaveEachSituationOnce(t *testing.T) {
	t.Parallel()
	for plies, want := range []int{1, 3, 12, 38} { // up to the symmetries of the square
		testkit.Equal(t, len(testkit.Must(lines(tictactoe.Descriptor(), tictactoe.Descriptor().Rules[0], plies))(t)), want, "%d plies", plies)
	}
}

func TestSummaryDescribesTheMatch(t *testing.T) {
	t.Parallel()
	sum := Summary{A: "weights 12ab", B: "b", Diff: 1.5, DiffBar: 0.25, Distinct: 1}
	sum.labels = newLabels([]string{sum.A, "b", "c1", "c2"}, []string{"w.json", "b", "c", "c"})
	testkit.Equal(t, sum.labels.of("c2"), "c2", "a label that two have")
	sum.Score.Wins, sum.Score.Losses, sum.Score.Pairs = 3, 1, [5]int{0, 0, 1, 0, 1}
	has := func(words ...string) {
		t.Helper()
		testkit.Contains(t, strings.Join(strings.Fields(sum.Doc("seed").Text("")), " "), words...)
	}
	has("w.json against b: 3 won, 0 drawn, 1 lost (75.0 %) Elo: +190.8 [", "pairs: [0 0 1 0 1]")
	for _, absent := range []string{"seeds", "distinct", "book", "opening", "test", "forfeit"} {
		if text := sum.Doc("seed").Text(""); strings.Contains(text, absent) {
			t.Errorf("%s: has %s", text, absent)
		}
	}
	sum.Score.DiffPairs = 1
	has("seeds per game: +1.50 ± 0.25 in 1 of 2 pairs, played to the end")
	sum.Distinct, sum.BookMoves, sum.BookMovesA, sum.BookMovesB, sum.BookPlies = 0.975, 10, 1.5, 1, 4.2
	has("distinct games: 97.5 %", "book moves: 2.5 per game: w.json 1.5, b 1.0; the last at ply 4.2")
	sum.Lines = 1
	has("Elo by opening: unknown only 1 line of six plies")
	sum.EloLines = &elo.Interval{Low: -4, High: 321.25}
	has("Elo by opening: [-4.0, +321.2] of 1 line of six plies")
	sum.Forfeits = []Forfeits{{sum.A, 1, 4, "1.2", "late"}}
	has("w.json forfeited 1 of 4 games; the first, 1.2: late")
}

// A match that is stopped reports what its finished pairs have shown.
func TestStoppedMatchReportsScore(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	c := Config{Pairs: 1000, OpeningPlies: 6, Concurrency: 1, Config: engine.Config{Nodes: 20, HashMB: 1}}
	sum, err := Run(ctx, engine.Oware(), c, engine.Spec{Name: "a"}, engine.Spec{Name: "b"}, Output{}, func(done, _ int64, _ string) {
		if done == 4 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) || sum.Score.Games() < 4 || sum.A != "a" {
		t.Errorf("%v, %d games", err, sum.Score.Games())
	}
}

func TestStandingOfATest(t *testing.T) {
	s := elo.Score{Wins: 6, Draws: 1, Losses: 3, Pairs: [5]int{1, 0, 1, 1, 2}, Forfeits: [2]int{0, 1}}
	test := elo.SPRT{Leads: elo.Leads{Elo1: 10}, Alpha: 0.05, Beta: 0.05, Model: elo.Normalized}
	got := standing(s, test)
	testkit.Contains(t, got, "+6 =1 -3, Elo +108 [-128, +", "], 1 forfeit, LLR 0.", "(-2.94 to 2.94)")
	if got := standing(s, elo.SPRT{}); strings.Contains(got, "LLR") {
		t.Errorf("%q: there is no test", got)
	}
}
