package match

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// fromStart is a match of a player that varies from the start position alone.
func fromStart(nodes int64) Config {
	return Config{Pairs: 12, Seed: 3, Config: engine.Config{Nodes: nodes, HashMB: 1, Tables: engine.NoTables}}
}

// usual is "vary=on".
var usual = &engine.Vary{Within: 40, Plies: 12}

func TestVaryingPlayerMakesGamesFromOnePositionDiffer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(c Config, a, b engine.Spec, name string) (Summary, string) {
		t.Helper()
		out := filepath.Join(dir, name)
		sum, err := Run(t.Context(), engine.Oware(), c, a, b, Output{File: out}, nil)
		testkit.NoError(t, err)
		return sum, testkit.Text(t, out)
	}
	varying, steady := engine.Spec{Name: "b", Vary: usual}, engine.Spec{Name: "a"}
	c := fromStart(300)
	c.Concurrency = 1
	sum, want := run(c, steady, varying, "1")
	if sum.Score.Games() != 24 || sum.Distinct < 0.95 {
		t.Errorf("%d games, %.2f of them distinct", sum.Score.Games(), sum.Distinct)
	}
	testkit.Contains(t, want, "vary 40:12")
	records, err := oware.Descriptor().ParseRecords(strings.NewReader(want), "1")
	testkit.NoError(t, err)
	lines := map[string]bool{}
	for _, rec := range records {
		lines[fmt.Sprint(rec.Moves[0].Move, rec.Moves[1].Move, rec.Moves[2].Move, rec.Moves[3].Move, rec.Moves[4].Move, rec.Moves[5].Move)] = true
	}
	testkit.Equal(t, sum.Lines, len(lines), "sum.Lines")
	c.Concurrency = 3
	if _, got := run(c, steady, varying, "3"); got != want {
		t.Error("the games depend on the number of pairs at a time")
	}
	c.Seed = 4
	if _, got := run(c, steady, varying, "other"); got == want {
		t.Error("another seed plays the same games")
	}
	_, err = Run(t.Context(), engine.Oware(), c, steady, engine.Spec{Name: "b"}, Output{}, nil)
	testkit.Refused(t, err, "let a player vary")
}

// The clock of the match counts as much as one of the player's own.
func TestMovesUnderAClockAreRecordedWithTheirTimes(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "games")
	c := fromStart(200)
	c.Pairs, c.TimeControl = 1, engine.TimeControl{Base: 10 * time.Second}
	if _, err := Run(t.Context(), engine.Oware(), c, engine.Spec{Name: "a", Book: engine.DefaultName}, engine.Spec{Name: "b"}, Output{File: out}, nil); err != nil {
		t.Fatal(err)
	}
	if text := testkit.Text(t, out); !strings.Contains(text, " time ") || !strings.Contains(text, "{book") {
		t.Error(text)
	}
}

// The moves that a varying player draws are within its margin of the best,
// early in the game, and the best ones later.
func TestVaryDrawsOnlyMovesNearTheBest(t *testing.T) {
	t.Parallel()
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{Depth: 4, HashMB: 1, Tables: engine.NoTables}}, "abapa"))(t)
	vary := &engine.Vary{Within: 100, Plies: 10}
	e.Spec.Vary = vary
	p, twin := e.NewMover(), e.NewSearcher()
	others := 0
	for game := range uint64(20) {
		testkit.NoError(t, p.NewGame(t.Context(), game))
		l := oware.Descriptor().NewLine(oware.Start(oware.Abapa))
		for l.Plies() < 14 {
			c := testkit.Must(p.Move(t.Context(), l, client.Clock{}))(t)
			twin.Clear()
			r := testkit.Must(twin.Search(t.Context(), l.Position(), l.History(), search.Limits{Depth: 4}, search.Query{AllMoves: true}))(t)
			margin := 0
			if l.Plies() < vary.Plies {
				margin = vary.Within
			}
			for _, line := range r.Lines {
				if line.Move == c.Move && line.Score < r.Score-margin {
					t.Errorf("ply %d: a move worth %d where the best is worth %d", l.Plies(), line.Score, r.Score)
				}
			}
			if c.Move != r.Best {
				others++
			}
			testkit.NoError(t, l.Play(c.Move))
		}
	}
	if others < 20 {
		t.Errorf("only %d moves that are not the first among the best", others)
	}
}
