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
		Players: []PlayerConfig{{Name: "a"}, {Name: "b"}, {Name: "c", Search: engine.Config{Nodes: 30}}},
	}
}

func TestTournamentIsReproducibleAndGoesOnWhereItStopped(t *testing.T) {
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
	sum, err = RunTournament(ctx, engine.Oware(), req, Output{File: stopped}, func(done, total int64, _ []elo.Standing) {
		if done >= 4 {
			cancel()
		}
		if total != 9 {
			t.Errorf("%d of %d pairs", done, total)
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: %v", err)
	}
	if len(sum.Standings) != 3 || sum.Games < 8 || sum.Games >= 18 {
		t.Errorf("stopped after 4 pairs of games: %+v", sum)
	}
	first := int64(0)
	if _, err = RunTournament(t.Context(), engine.Oware(), req, Output{File: stopped}, func(done, _ int64, _ []elo.Standing) {
		if first == 0 {
			first = done
		}
	}); err != nil {
		t.Fatal(err)
	}
	if first < 3 {
		t.Errorf("began again with %d pairs: the log was not used", first)
	}
	if testkit.Text(t, stopped) != testkit.Text(t, whole) {
		t.Error("the games differ from those of a tournament played at once")
	}
}

func TestGauntletPlaysTheFirstAgainstTheOthers(t *testing.T) {
	t.Parallel()
	req := threePlayers(t.TempDir())
	req.Gauntlet = 1
	sum, err := RunTournament(t.Context(), engine.Oware(), req, Output{}, nil)
	testkit.NoError(t, err)
	for _, s := range sum.Standings {
		want := 6
		if s.Name == "a" {
			want = 12
		}
		if s.Games() != want {
			t.Errorf("%s played %d games, want %d", s.Name, s.Games(), want)
		}
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
		if _, err := RunTournament(t.Context(), engine.Oware(), req, Output{}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
