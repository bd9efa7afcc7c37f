package match

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/internal/testkit"
	"kroo/match/elo"
)

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
	if _, err = RunTournament(t.Context(), engine.Oware(), req, Output{File: stopped}, func(done, _ int64, _ string) {
		if first == 0 {
			first = done
		}
	}); err != nil {
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
		testkit.Refused(t, err, want)
	}
}
