package match

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/engine/search"
	owarefeatures "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/internal/testkit"
)

// owareScores scores by the function.
func owareScores(score func(p oware.Position) (int, error)) scores[oware.Position] {
	return scores[oware.Position]{game: oware.Descriptor(), pool: scoring(score)}
}

// scoring is a pool that scores by a function.
type scoring func(p oware.Position) (int, error)

func (s scoring) Search(ctx context.Context, feed engine.Feed[oware.Position], done func(engine.Job[oware.Position], engine.Answer) error) error {
	return parallel.Collect(ctx, 3, feed, func(_ context.Context, _ int, j engine.Job[oware.Position]) (engine.Answer, error) {
		score, err := s(j.Position)
		return engine.Answer{Score: score}, err
	}, done)
}

// searched scores by a search of its own for every position.
func searched(depth int) scores[oware.Position] {
	return owareScores(func(p oware.Position) (int, error) {
		s := search.NewSearcher(search.Knowledge[oware.Position]{Eval: owarefeatures.Captures{}}, search.Options{HashMB: -1, StrictDepth: true})
		return s.Search(context.Background(), p, nil, search.Limits{Depth: depth}, search.Query{}).Score, nil
	})
}

func names(o owareOpening) string {
	var b strings.Builder
	side := o.Start.ToMove()
	for _, m := range o.Moves {
		b.WriteString(oware.MoveName(m, side))
		side = side.Other()
	}
	return b.String()
}

// slowLines is the twin of Lines: every sequence of moves, in order.
func slowLines(g *owareLine, plies int, seen map[string]bool, found *[]string) {
	if _, _, over := g.Over(); over {
		return
	}
	if plies == 0 {
		if board := g.Position().String(); !seen[board] {
			seen[board] = true
			*found = append(*found, names(owareOpening{oware.Start(g.Position().Rules()), g.Moves()}))
		}
		return
	}
	for _, m := range g.Position().AppendMoves(nil) {
		if g.Play(m) == nil {
			slowLines(g, plies-1, seen, found)
			g.Undo()
		}
	}
}

func TestLinesAreAllPositionsOnce(t *testing.T) {
	t.Parallel()
	for _, rules := range oware.Descriptor().Rules {
		for plies := range 5 {
			lines := testkit.Must(lines(oware.Descriptor(), rules, plies))(t)
			var got, want []string
			for _, o := range lines {
				got = append(got, names(o))
			}
			start := testkit.Must(oware.Descriptor().Start(rules))(t)
			slowLines(oware.Descriptor().NewLine(start), plies, map[string]bool{}, &want)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d plies: %d lines, want %d", rules, plies, len(got), len(want))
			}
		}
	}
}

func TestSuiteKeepsBalancedOpeningsOfBothSigns(t *testing.T) {
	t.Parallel()
	cfg := SuiteConfig{Plies: 3, Bound: 200}
	suite := testkit.Must(searched(4).suite(t.Context(), "abapa", cfg, nil))(t)
	lines := testkit.Must(lines(oware.Descriptor(), "abapa", 3))(t)
	var want []scoredOpening[oware.Position]
	for _, o := range lines {
		g := lineOf(t, o)
		minimax := search.Textbook[oware.Position]{Eval: owarefeatures.Captures{}}
		score, _ := minimax.Search(t.Context(), g.Position(), nil, 4)
		if score >= -200 && score <= 200 {
			want = append(want, scoredOpening[oware.Position]{o, score})
		}
	}
	if !reflect.DeepEqual(suite, want) || len(suite) == len(lines) {
		t.Errorf("%d of %d openings, want %d", len(suite), len(lines), len(want))
	}
	var signs [3]int
	for _, o := range suite {
		switch {
		case o.Score < 0:
			signs[0]++
		case o.Score == 0:
			signs[1]++
		default:
			signs[2]++
		}
	}
	if signs[0] == 0 || signs[2] == 0 {
		t.Errorf("signs -, 0, +: %v", signs)
	}
}

func TestSuiteIsDrawnBySeed(t *testing.T) {
	t.Parallel()
	cfg := SuiteConfig{Plies: 4, Bound: 100, N: 120, Seed: 7}
	var last int64
	want, err := searched(3).suite(t.Context(), "abapa", cfg, func(done, total int64, _ string) {
		if done < last || done > total || total != 120 {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	})
	if err != nil || len(want) != 120 || last != 120 {
		t.Fatalf("%d openings, %d reported, %v", len(want), last, err)
	}
	cfg.N = 30
	if got, err := searched(3).suite(t.Context(), "abapa", cfg, nil); err != nil || !reflect.DeepEqual(got, want[:30]) {
		t.Errorf("fewer openings are not the first of more: %v", err)
	}
	cfg.Seed = 8
	if got, err := searched(3).suite(t.Context(), "abapa", cfg, nil); err != nil || reflect.DeepEqual(got, want[:30]) {
		t.Errorf("another seed draws the same: %v", err)
	}
}

func TestSuiteRefuses(t *testing.T) {
	t.Parallel()
	is := func(score int) func(oware.Position) (int, error) {
		return func(oware.Position) (int, error) { return score, nil }
	}
	for want, c := range map[string]struct {
		cfg   SuiteConfig
		score func(oware.Position) (int, error)
	}{
		"bound is -1":   {SuiteConfig{Bound: -1}, is(0)},
		"n is -1":       {SuiteConfig{N: -1}, is(0)},
		"workers is -1": {SuiteConfig{Workers: -1}, is(0)},
		"plies is 9":    {SuiteConfig{Plies: 9}, is(0)},
		"only 36 of 36": {SuiteConfig{Plies: 2, N: 37}, is(0)},
		"only 0 of 6":   {SuiteConfig{Plies: 1, Bound: 5}, is(-6)},
		"no idea":       {SuiteConfig{Plies: 1}, func(oware.Position) (int, error) { return 0, errors.New("no idea") }},
	} {
		s, err := owareScores(c.score).suite(t.Context(), "abapa", c.cfg, nil)
		testkit.Equal(t, len(s), 0, "%s", want)
		testkit.ErrorContains(t, err, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := owareScores(is(0)).suite(ctx, "abapa", SuiteConfig{Plies: 2}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestSuiteFileReadsBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "openings.ogn")
	for plies := range 4 {
		suite := testkit.Must(searched(2).suite(t.Context(), "awari", SuiteConfig{Plies: plies, Bound: 1000}, nil))(t)
		testkit.NoError(t, writeSuite(Output{File: path}, oware.Descriptor(), suite, games.Tag{Name: "Event", Value: "test"}))
		got, err := readOpenings(t.Context(), path, oware.Descriptor(), "awari")
		if err != nil || len(got) != len(suite) {
			t.Fatalf("%d plies: %d openings of %d, %v", plies, len(got), len(suite), err)
		}
		for i, o := range got {
			if o.Start != suite[i].Start || names(o) != names(suite[i].Opening) {
				t.Errorf("opening %d is %s, want %s", i, names(o), names(suite[i].Opening))
			}
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte(`[Event "test"]`)) || !bytes.Contains(text, fmt.Appendf(nil, "{score %+d}", suite[0].Score)) {
			t.Errorf("%v, the file says\n%.300s", err, text)
		}
	}
	if err := writeSuite(Output{File: path}, oware.Descriptor(), []scoredOpening[oware.Position]{{Opening: owareOpening{oware.Start(oware.Abapa), []oware.Move{9}}}}); err == nil {
		t.Error("an illegal opening was written")
	}
	if _, err := readOpenings(t.Context(), path, oware.Descriptor(), "awari"); err != nil {
		t.Errorf("a failed write has harmed the file: %v", err)
	}
}

func TestReadOpeningsReadsAllMoves(t *testing.T) {
	t.Parallel()
	path := testkit.File(t, "games.OGN", "1. F f 2. E e *\n1. F f 2. D d *\n1. A a *\n")
	var moves []string
	for _, o := range testkit.Must(readOpenings(t.Context(), path, oware.Descriptor(), "abapa"))(t) {
		moves = append(moves, names(o))
	}
	testkit.EqualSlices(t, moves, []string{"FfEe", "FfDd", "Aa"}, "openings")
}

const (
	northBoard = "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N"
	startBoard = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
	wonBoard   = "0-0-0-0-0-1-1-0-0-0-0-0-26-20-S"
)

func TestReadOpeningsOfBoards(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"boards.txt": "\ufeff# a list\n\n  " + northBoard + " # after F\r\n" + startBoard + "\n" + northBoard,
		"boards.csv": "board,label\n" + northBoard + ",5\n" + startBoard + ",0\n" + northBoard + ",5\n",
	} {
		got, err := readOpenings(t.Context(), testkit.File(t, name, text), oware.Descriptor(), "abapa")
		if err != nil || len(got) != 2 || got[0].Start.String() != northBoard || got[1].Start != oware.Start(oware.Abapa) || got[0].Moves != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestReadOpeningsRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, want string
	}{
		{"a.txt", startBoard + "\n\n4-4\n", "a.txt:3: "},
		{"b.txt", "# x\n" + wonBoard, "b.txt:2: the opening ends the game (majority)"},
		{"c.txt", "# nothing\n", "c.txt: it has no openings"},
		{"d.txt", startBoard + "\n" + strings.Repeat("#", 70_000), "d.txt:2: the line is too long"},
		{"d.csv", "board\n" + wonBoard + "\n", "d.csv:2: the opening ends the game (majority)"},
		{"e.ogn", "", "e.ogn: it has no openings"},
		{"f.ogn", "F f\nE x", "f.ogn:2:3: "},
		{"g.ogn", "[Rules \"awari\"]\nF f *", "g.ogn: record 1: under awari rules: expected abapa"},
		{"h.ogn", "F f * [FEN \"" + wonBoard + "\"] *", "h.ogn: record 2: the opening ends the game (majority)"},
	} {
		_, err := readOpenings(t.Context(), testkit.File(t, c.name, c.text), oware.Descriptor(), "abapa")
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := readOpenings(t.Context(), filepath.Join(t.TempDir(), "none"), oware.Descriptor(), "abapa"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func openEngine(t *testing.T, c engine.Config) *engine.Engine[oware.Position] {
	t.Helper()
	c.HashMB, c.Tables = 1, engine.NoTables
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: c}, "abapa"))(t)
	t.Cleanup(func() { e.Close() })
	return e
}

func TestMakeOpeningsIsReproducible(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "openings.ogn")
	var want []byte
	for workers := range 4 {
		c := SuiteConfig{Plies: 4, Bound: 100, N: 20, Seed: 3, Workers: workers}
		n, err := MakeOpenings(context.Background(), openEngine(t, engine.Config{Depth: 4}), c, path, nil)
		if err != nil || n != 20 {
			t.Fatal(n, err)
		}
		text := testkit.Read(t, path)
		if want == nil {
			want = text
		}
		if !bytes.Equal(text, want) {
			t.Errorf("%d workers write another file", workers)
		}
	}
}
