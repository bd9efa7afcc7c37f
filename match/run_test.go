package match

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/farm"
	"kroo/games"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/parallel"
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
func (countingTables) Err() error                                    { return nil }

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
	sum, err = Run(t.Context(), engine.TicTacToe(), c, engine.Spec{Name: "sees"}, first, Output{}, nil)
	if err != nil || sum.Score.Draws != 18 {
		t.Errorf("%+v, %v", sum.Score, err)
	}
	for want, change := range map[string]func(*Config){
		"unknown rules":        func(c *Config) { c.Rules = "abapa" },
		"no endgame tables to": func(c *Config) { c.AdjudicateTables = true },
	} {
		bad := c
		change(&bad)
		_, err := Run(t.Context(), engine.TicTacToe(), bad, first, first, Output{}, nil)
		testkit.ErrorContains(t, err, want)
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
	in := func(folders ...string) []string { return folders }
	sum.labels = newLabels([]nameOfPlayer{{sum.A, "w.json", in("runs")}, {"b", "b", nil}, {"c1", "c", nil}, {"c2", "c", nil},
		{"d1", "d", in("x", "a")}, {"d2", "d", in("y", "a")}, {"d3", "d", in("b")}, {"d4", "d", nil},
		{"e1", "e", in("")}, {"e2", "e", in("", "f")}})
	for name, want := range map[string]string{
		"c2": "c2", // a label that two have
		"d1": "x/a/d", "d2": "y/a/d", "d3": "b/d", "d4": "d4", "e1": "/e", "e2": "f/e",
	} {
		testkit.Equal(t, sum.labels.labelOf(name), want, "label of %s", name)
	}
	sum.Score.Wins = 3
	sum.Score.Losses = 1
	sum.Score.Pairs = [5]int{0, 0, 1, 0, 1}
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
	sum.LOS = 0.9
	if text := sum.Doc("seed").Text(""); strings.Contains(text, "stronger") {
		t.Errorf("%s: has a likelihood of two pairs", text)
	}
	ten := Summary{LOS: 0.9, Score: elo.ScoreOfPairs([5]int{0, 4, 0, 6, 0})}
	testkit.Contains(t, ten.Doc("seed").Text(""), "stronger:", "90.0 %")
	sum.Score.DiffPairs = 1
	has("seeds per game: +1.50 ± 0.25 in 1 of 2 pairs, played to the end")
	sum.Distinct = 0.975
	sum.BookMoves = 10
	sum.BookMovesA = 1.5
	sum.BookMovesB = 1
	sum.BookPlies = 4.2
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
	testkit.Contains(t, got, "+6 =1 -3, Elo +108 [-128, +", "], 1 forfeit, LLR 0.", "(±2.94)")
	if got := standing(s, elo.SPRT{}); strings.Contains(got, "LLR") {
		t.Errorf("%q: there is no test", got)
	}
}

// threePlayers is a small tournament that gives the same bytes every time.
func threePlayers(dir string) TournamentConfig {
	return TournamentConfig{
		Config: Config{
			Pairs: 3, OpeningPlies: 4, Config: engine.Config{Nodes: 150, HashMB: 1},
			Seed: 5, Concurrency: 1, Log: filepath.Join(dir, "log"),
		},
		Players: []engine.Spec{{Name: "a"}, {Name: "b"}, {Name: "c", Search: engine.Config{Nodes: 30}}},
	}
}

func TestTournamentIsReproducibleAndResumes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	whole, stopped := filepath.Join(dir, "whole.ogn"), filepath.Join(dir, "stopped.ogn")
	sum, err := RunTournament(t.Context(), engine.Oware(), threePlayers(filepath.Join(dir, "1")), Output{File: whole}, nil)
	testkit.NoError(t, err)
	if sum.Games != 18 || len(sum.Standings) != 3 || sum.Standings[2].Name != "c" || sum.Standings[0].Games() != 12 {
		t.Errorf("%+v", sum)
	}
	ctx, cancel := context.WithCancel(t.Context())
	req := threePlayers(filepath.Join(dir, "2"))
	req.Concurrency = 3
	sum, err = RunTournament(ctx, engine.Oware(), req, Output{File: stopped}, func(done, total int64, _ string) {
		if done >= 8 {
			cancel()
		}
		testkit.Equal(t, total, 18, "%d of", done)
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: %v", err)
	}
	if len(sum.Standings) != 3 || sum.Games < 8 || sum.Games >= 18 {
		t.Errorf("stopped after 4 pairs of games: %+v", sum)
	}
	first := int64(0)
	_, err = RunTournament(t.Context(), engine.Oware(), req, Output{File: stopped}, func(done, _ int64, _ string) {
		if first == 0 {
			first = done
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if first < 6 {
		t.Errorf("began again with %d games: the log was not used", first)
	}
	testkit.Equal(t, testkit.Text(t, stopped), testkit.Text(t, whole), "the games differ from those of a tournament played at once")
}

// A level rating has no minus: −0.04 is "+0.0".
func TestStandingsAreATable(t *testing.T) {
	t.Parallel()
	table := testkit.Must(elo.Standings([]string{"a 12ab", "b"}, []elo.Pairing{{A: 0, B: 1, Score: elo.ScoreOfPairs([5]int{0, 1, 2000, 0, 0})}}))(t)
	d := TournamentSummary{Standings: table, Games: 4002, labels: labels{"a 12ab": "a"}, Forfeits: []Forfeits{{"a 12ab", 1, 4002, "1.2", "late"}}}.Doc()
	testkit.NoError(t, d.Sections[0].Table.Check())
	text := d.Text("")
	testkit.Contains(t, text, "4002 games of 2 players", "1  b       +0.0 [", "2000.5/4002", "a forfeited 1 of 4002 games; the first, 1.2: late")
	if strings.Contains(text, "-0.0 ") || strings.Contains(text, "12ab") {
		t.Error(text)
	}
}

func TestStandingsOfFewGamesHaveNoLikelihood(t *testing.T) {
	t.Parallel()
	for pairs, want := range map[int]string{1: "", 9: "", 10: "%"} {
		score := elo.ScoreOfPairs([5]int{0, 0, 0, pairs, 0})
		table := testkit.Must(elo.Standings([]string{"a", "b"}, []elo.Pairing{{A: 0, B: 1, Score: score}}))(t)
		los := TournamentSummary{Standings: table}.Doc().Sections[0].Table.Rows[0][3]
		testkit.Equal(t, strings.Trim(los, "0123456789. "), want, "likelihood from %d pairs: %v", pairs, los)
	}
}

func TestGauntletPlaysTheFirstAgainstTheOthers(t *testing.T) {
	t.Parallel()
	req := threePlayers(t.TempDir())
	req.Gauntlet = 1
	sum := testkit.Must(RunTournament(t.Context(), engine.Oware(), req, Output{}, nil))(t)
	for _, s := range sum.Standings {
		want := 6
		if s.Name == "a" {
			want = 12
		}
		testkit.Equal(t, s.Games(), want, "%s played", s.Name)
	}
}

func TestTournamentsThatCannotBe(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*TournamentConfig){
		"two players are called": func(r *TournamentConfig) { r.Players[1].Name = "a" },
		"expected 2 to":          func(r *TournamentConfig) { r.Players = r.Players[:1] },
		"gauntlet of 3":          func(r *TournamentConfig) { r.Gauntlet = 3 },
		"has a clock":            func(r *TournamentConfig) { r.Players[0].Clock.Base = 1e9 },
	} {
		req := threePlayers(t.TempDir())
		change(&req)
		_, err := RunTournament(t.Context(), engine.Oware(), req, Output{}, nil)
		testkit.ErrorContains(t, err, want)
	}
}

// spoilingFarm has one worker, in this process. Each answer comes in several spoiled ways
// first, which must be refused.
type spoilingFarm struct {
	t     *testing.T
	spoil []func(answer []byte) []byte
}

func (f *spoilingFarm) Do(ctx context.Context, w farm.Work, feed parallel.Feed[farm.Task]) error {
	var spec PairsSpec
	if err := farm.DecodeSpec(w.Spec, &spec); err != nil {
		return err
	}
	doer, err := OpenPairs(engine.Oware(), spec, nil, 1)
	if err != nil {
		return err
	}
	defer doer.Close()
	return feed(ctx, func(task farm.Task) error {
		good, err := doer.Do(ctx, task.Data)
		if err != nil {
			return err
		}
		for j, spoil := range f.spoil {
			var refused farm.Refused
			if err := task.Take(spoil(good)); !errors.As(err, &refused) {
				f.t.Errorf("way %d: error %v: want a refusal", j, err)
			}
		}
		return task.Take(good)
	})
}

// Pairs that cannot be are refused, leave no trace, and are not fatal.
func TestRemotePairsThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	spoilt := func(change func(*pairLog)) func([]byte) []byte {
		return func(b []byte) []byte {
			p := testkit.Must(pairCodec.Decode(b))(t)
			change(&p)
			return testkit.Must(pairCodec.Append(nil, p))(t)
		}
	}
	dir := t.TempDir()
	play := func(out string, f farm.Network) {
		c := Config{Pairs: 2, OpeningPlies: 3, MaxPlies: 20, Seed: 3, Config: engine.Config{Nodes: 50, HashMB: 1}, Farm: f}
		player := engine.Spec{Weights: engine.CapturesName}
		if _, err := Run(t.Context(), engine.Oware(), c, player, player, Output{File: filepath.Join(dir, out)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	far := &spoilingFarm{t: t, spoil: []func([]byte) []byte{
		func(b []byte) []byte { return b[:len(b)/2] },
		func(b []byte) []byte { return append(slices.Clone(b), 0) },
		spoilt(func(p *pairLog) { p.Pair++ }),
		spoilt(func(p *pairLog) { p.Games[0].Answers[0].Move = 9 }),
		spoilt(func(p *pairLog) { p.Games[0].Answers = append(p.Games[0].Answers, engine.Answer{}) }),
		spoilt(func(p *pairLog) { p.Games[0].Answers = p.Games[0].Answers[1:] }),
		spoilt(func(p *pairLog) { p.Games[1].Answers[0].Move = 9 }), // the first game has been replayed then
	}}
	play("local", nil)
	play("far", far)
	testkit.Equal(t, testkit.Text(t, filepath.Join(dir, "far")), testkit.Text(t, filepath.Join(dir, "local")), "the games are not those of a local match")
}

// Given openings replace random ones, so OpeningPlies does not count for a worker either.
func TestRemoteGamesOfGivenOpeningsAreThoseOfALocalMatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	openings := filepath.Join(dir, "boards")
	testkit.NoError(t, os.WriteFile(openings, []byte("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\n"), 0o644))
	for name, network := range map[string]farm.Network{"local": nil, "far": &spoilingFarm{t: t}} {
		c := Config{
			Pairs: 1, Openings: openings, OpeningPlies: 6, MaxPlies: 5, Seed: 3,
			Config: engine.Config{Nodes: 50, HashMB: 1}, Farm: network,
		}
		player := engine.Spec{Weights: engine.CapturesName}
		_, err := Run(t.Context(), engine.Oware(), c, player, player, Output{File: filepath.Join(dir, name)}, nil)
		testkit.NoError(t, err)
	}
	testkit.Equal(t, testkit.Text(t, filepath.Join(dir, "far")), testkit.Text(t, filepath.Join(dir, "local")), "the games")
}

// Workers adjudicate by the tables of the match.
func TestRemoteGamesAreAdjudicatedByTables(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, network := range map[string]farm.Network{"local": nil, "far": &spoilingFarm{t: t}} {
		c := Config{
			Pairs: 2, OpeningPlies: 4, Seed: 3, AdjudicateTables: true,
			Config: engine.Config{Nodes: 50, HashMB: 1}, Farm: network,
		}
		player := engine.Spec{Weights: engine.CapturesName}
		_, err := Run(t.Context(), engine.Oware(), c, player, player, Output{File: filepath.Join(dir, name)}, nil)
		testkit.NoError(t, err)
	}
	local := testkit.Text(t, filepath.Join(dir, "local"))
	testkit.Contains(t, local, "table")
	testkit.Equal(t, testkit.Text(t, filepath.Join(dir, "far")), local, "the games")
}

func TestSplitWritesAGameAFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "games")
	r := mustPlay(t, Config{Pairs: 2, OpeningPlies: 2}, newRandom("a", 1), newRandom("b", 2))
	all := testkit.Must(oware.Descriptor().ParseRecords(strings.NewReader(ogn(t, r)), "all"))(t)
	testkit.NoError(t, Split(oware.Descriptor(), all, dir))
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 4 || len(all) != 4 {
		t.Fatalf("%d files of %d games: %v", len(files), len(all), err)
	}
	for i, f := range files {
		text := testkit.Read(t, filepath.Join(dir, f.Name()))
		one, err := oware.Descriptor().ParseRecords(strings.NewReader(string(text)), f.Name())
		if err != nil || len(one) != 1 || len(one[0].Moves) != len(all[i].Moves) || one[0].Tag("South") != all[i].Tag("South") {
			t.Errorf("%s: %v, %d games", f.Name(), err, len(one))
		}
		if !strings.HasPrefix(string(text), `[Variant "Oware Abapa"]`) {
			t.Errorf("%s begins\n%.40s", f.Name(), text)
		}
	}
	testkit.Equal(t, files[0].Name(), "game-0001.ogn", "the first")
	if err := Split(oware.Descriptor(), all, dir); err != nil {
		t.Errorf("the same games once more: %v", err)
	}
	fewer := filepath.Join(t.TempDir(), "games")
	for _, n := range []int{1, len(all), len(all)} {
		if err := Split(oware.Descriptor(), all[:n], fewer); err != nil {
			t.Errorf("%d games after fewer: %v", n, err)
		}
		if list, err := os.ReadDir(fewer); err != nil || len(list) != n {
			t.Errorf("%d files, %v: want %d", len(list), err, n)
		}
	}
	testkit.ErrorContains(t, Split(oware.Descriptor(), all[:1], fewer), "is not one of these games")
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, files[0].Name()), []byte("mine"), 0o600))
	testkit.ErrorContains(t, Split(oware.Descriptor(), all, dir), "is not one of these games")
}
