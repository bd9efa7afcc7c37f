package sampler

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/journal"
	"kroo/internal/journal/journaltest"
	"kroo/internal/testkit"
)

var quickGames = Config{Method: played, N: 400, Seed: 5, Nodes: 60}

// sampleGames writes a sample of games to a new folder.
func sampleGames(t *testing.T, c Config) (path string, sum Summary) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "games.parquet")
	sum = testkit.Must(Sample(t.Context(), engine.Oware(), c, engine.Spec{Weights: engine.CapturesName}, path, nil))(t)
	return path, sum
}

// positionRow is the part of a row that a sample sets.
type positionRow struct {
	Position  oware.Position
	Game, Ply int32
	datasets.Outcome
}

func readPositions(t *testing.T, path string) []positionRow {
	t.Helper()
	_, rows, err := datasets.Read(oware.Descriptor(), path, datasets.Positions)
	testkit.NoError(t, err)
	kept := make([]positionRow, len(rows))
	for i, r := range rows {
		kept[i] = positionRow{r.Position, r.Game, r.Ply, r.Outcome}
	}
	return kept
}

func TestGamesDoNotDependOnWorkers(t *testing.T) {
	c := quickGames
	c.Split = 0.2
	var first []string
	for workers := 1; workers <= 3; workers++ {
		c.Workers = workers
		path, _ := sampleGames(t, c)
		got := []string{testkit.Text(t, path), testkit.Text(t, ValidationPath(path))}
		if first == nil {
			first = got
		} else if !slices.Equal(first, got) {
			t.Errorf("%d workers made other bytes than one", workers)
		}
	}
}

func TestASmallSampleOfGamesIsAPrefixOfALargerOne(t *testing.T) {
	small, _ := sampleGames(t, quickGames)
	c := quickGames
	c.N *= 2
	large, _ := sampleGames(t, c)
	testkit.EqualSlices(t, readPositions(t, small), readPositions(t, large)[:quickGames.N], "more positions begin otherwise")
}

func TestGamesSurviveCrashes(t *testing.T) {
	sample := func(dir string, change func(*Config)) (made []byte, pieces int, err error) {
		c, out := quickGames, filepath.Join(dir, "games.parquet")
		c.Workers, c.N = 1, 150
		change(&c)
		_, err = Sample(t.Context(), engine.Oware(), c, engine.Spec{Weights: engine.CapturesName}, out, nil)
		made, _ = os.ReadFile(out) // absent after an error
		return made, -1, err
	}
	other := func(change func(*Config)) func(string) error {
		return func(dir string) error { _, _, err := sample(dir, change); return err }
	}
	journaltest.Run(t, journaltest.Work{
		Journal: "games.parquet.journal",
		Do:      func(dir string) ([]byte, int, error) { return sample(dir, func(*Config) {}) },
		Others: map[string]func(string) error{
			"seed":          other(func(c *Config) { c.Seed++ }),
			"nodes 61":      other(func(c *Config) { c.Nodes++ }),
			"random moves":  other(func(c *Config) { c.RandomMoves = new(0.5) }),
			"opening plies": other(func(c *Config) { c.OpeningPlies = new(3) }),
		},
	})
}

func TestEachPositionOnceByOrbit(t *testing.T) {
	c := quickGames
	c.Split = 0.3
	path, sum := sampleGames(t, c)
	rows := append(readPositions(t, path), readPositions(t, ValidationPath(path))...)
	if len(rows) != c.N || sum.Positions+sum.Validation != c.N || sum.Validation == 0 || sum.Games == 0 {
		t.Errorf("%d rows, %+v: want %d in both files", len(rows), sum, c.N)
	}
	seen := map[int64]bool{}
	for _, r := range rows {
		p := r.Position
		if seen[p.Orbit()] {
			t.Errorf("%v or its mirror image is there twice", p)
		}
		seen[p.Orbit()] = true
		if _, over := p.Terminal(); over || p.SeedsInPlay() < defaultMinSeeds {
			t.Errorf("%v is no position to label", p)
		}
	}
}

func TestGamesAreNotDividedBySplit(t *testing.T) {
	c := quickGames
	c.Split, c.N = 0.5, 2000
	path, _ := sampleGames(t, c)
	training := map[int32]bool{}
	for _, r := range readPositions(t, path) {
		training[r.Game] = true
	}
	validation := readPositions(t, ValidationPath(path))
	for _, r := range validation {
		if training[r.Game] {
			t.Fatalf("game %d is in both files", r.Game)
		}
	}
	if n := len(validation); n < 400 || n > 1600 {
		t.Errorf("%d of 2000 rows with a split of 0.5", n)
	}
}

// Three games cannot be divided 1 : 49. Without a refusal, labels would be wasted on data that no
// fit can validate.
func TestASplitWithAnEmptyFileIsRefused(t *testing.T) {
	c := quickGames
	c.Split, c.N = 0.0001, 60
	path := filepath.Join(t.TempDir(), "games.parquet")
	_, err := Sample(t.Context(), engine.Oware(), c, engine.Spec{Weights: engine.CapturesName}, path, nil)
	testkit.ErrorContains(t, err, "0 to validate on, of ", " games, which are not divided")
	if _, err := os.Stat(path); err == nil {
		t.Error("the file was written")
	}
}

// The slow reference for a game: no reused searcher, stream or worker.
func TestGamesEqualTheSlowReference(t *testing.T) {
	path, sum := sampleGames(t, quickGames)
	var want []positionRow
	seen := map[int64]bool{}
	for number := 1; number <= sum.Games; number++ {
		rng := rand.New(rand.NewPCG(quickGames.Seed, uint64(number)<<8|gamesStream))
		opening := rng.IntN(11 + 1)
		e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{Nodes: quickGames.Nodes, HashMB: 1}}, "abapa"))(t)
		s := e.NewSearcher()
		line := oware.Descriptor().NewLine(oware.Start(oware.Abapa))
		first := len(want)
		for _, _, over := line.Over(); ; _, _, over = line.Over() {
			p := line.Position()
			_, ended := p.Terminal()
			if !ended && p.SeedsInPlay() >= 8 && line.Plies() >= opening && !seen[p.Orbit()] {
				seen[p.Orbit()] = true
				want = append(want, positionRow{Position: p, Game: int32(number), Ply: int32(line.Plies())})
			}
			if over {
				break
			}
			moves := p.AppendMoves(nil)
			var m oware.Move
			if line.Plies() < opening || rng.Float64() < 0.08 {
				m = moves[rng.IntN(len(moves))]
			} else {
				r := testkit.Must(s.Search(context.Background(), p, line.History(), search.Limits{Nodes: quickGames.Nodes}, search.Query{}))(t)
				m = r.Best
			}
			testkit.NoError(t, line.Play(m))
		}
		south, _, _ := line.Over()
		for i := range want[first:] {
			r := &want[first+i]
			if r.Margin = int32(south); r.Position.ToMove() == 1 {
				r.Margin = -r.Margin
			}
			switch {
			case r.Margin > 0:
				r.Result = datasets.Win
			case r.Margin < 0:
				r.Result = datasets.Loss
			default:
				r.Result = datasets.Draw
			}
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	testkit.EqualSlices(t, readPositions(t, path), want[:quickGames.N], "other positions or outcomes than the slow way's")
}

func TestEveryKeepsItsShareOfPositions(t *testing.T) {
	c := quickGames
	c.N = 3000
	all, _ := sampleGames(t, c)
	c.Every, c.N = 4, 500
	some, _ := sampleGames(t, c)
	last := readPositions(t, some)[c.N-1]
	there := map[positionRow]bool{}
	before := 0
	for _, r := range readPositions(t, all) {
		there[r] = true
		if r.Game < last.Game {
			before++
		}
	}
	if share := 500 / float64(before); share < 0.2 || share > 0.3 {
		t.Errorf("a share of %.3f is kept: want 0.25", share)
	}
	missing := 0
	for _, r := range readPositions(t, some) {
		if !there[r] {
			missing++ // it first appeared in an earlier game
		}
	}
	if missing > 50 {
		t.Errorf("%d of 500 are not among all", missing)
	}
}

func TestGamesOfTicTacToe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	k := engine.TicTacToe()
	if _, err := Sample(t.Context(), k, Config{Method: played, N: 200, Seed: 1, Nodes: 50, RandomMoves: new(0.5)}, engine.Spec{}, path, nil); err != nil {
		t.Fatal(err)
	}
	_, rows, err := datasets.Read(k.Game, path, datasets.Positions)
	testkit.NoError(t, err)
	for _, r := range rows {
		if r.Position.Progress() != int(r.Ply) {
			t.Fatalf("%v at ply %d", r.Position, r.Ply)
		}
	}
	out := filepath.Join(t.TempDir(), "l.parquet")
	cfg := LabelConfig{Spec: engine.Spec{Search: engine.Config{Depth: 9, HashMB: 1, FullWidth: true}}}
	if _, err := Label(t.Context(), k, path, out, cfg, nil); err != nil {
		t.Fatal(err)
	}
	_, labels, err := datasets.Read(k.Game, out, datasets.Labels)
	testkit.NoError(t, err)
	for _, r := range labels {
		p := r.Position
		if want := 1000 * float64(outcome(p)); r.Label != want {
			t.Fatalf("%v has the label %v: want %v", p, r.Label, want)
		}
	}
}

// outcome is 1, 0 or -1 for the side to move, computed from all games.
func outcome(p tictactoe.Position) int {
	if diff, over := p.Terminal(); over {
		return diff
	}
	best := -1
	for _, m := range p.AppendMoves(nil) {
		best = max(best, -outcome(p.Play(m)))
	}
	return best
}

// Self-play without a position to take would never end.
func TestSelfPlayWithoutAPositionEnds(t *testing.T) {
	sample := func(k engine.Kit[tictactoe.Position], c Config) error {
		c.Method, c.Nodes, c.N = played, 1, 10
		_, err := Sample(t.Context(), k, c, engine.Spec{}, filepath.Join(t.TempDir(), "p.parquet"), nil)
		return err
	}
	k := engine.TicTacToe()
	above := k.Game.MaxPhase + 1
	testkit.ErrorContains(t, sample(k, Config{MinPhase: &above}), "min_phase is ", "expected at most ")
	// A game is over when the board is full, so no position with a move has the largest phase.
	testkit.ErrorContains(t, sample(k, Config{MinPhase: &k.Game.MaxPhase}), "1000 games in a row had no position of at least 9 ")
}

// A sample without positions is an error that names its file, or its method if it has none.
func TestErrorsOfEmptySamples(t *testing.T) {
	testkit.ErrorContains(t, Summary{}.check(Config{Method: file, From: "a.ogn"}), "a.ogn: no position")
	testkit.ErrorContains(t, Summary{}.check(Config{Method: played}), "the method games found no position")
}

func FuzzGameRecord(f *testing.F) {
	codec := journal.JSON[playedGame]()
	f.Add(testkit.Must(codec.Append(nil, playedGame{Number: 3, Opening: 2, Moves: []uint16{5, 5, 0}}))(f))
	f.Add([]byte{0xff})
	c := testkit.Must(quickGames.withDefaults(oware.Descriptor().Info))(f)
	f.Fuzz(func(t *testing.T, record []byte) {
		if g, err := codec.Decode(record); err == nil {
			rowsOf(oware.Descriptor(), c, g)
		}
	})
}

// Self-play accepts the same limits as other searches; the default is nodes.
func TestLimitsOfSelfPlay(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want search.Limits
	}{
		{Config{}, search.Limits{Nodes: defaultNodes}},
		{Config{Nodes: 7}, search.Limits{Nodes: 7}},
		{Config{Depth: 3}, search.Limits{Depth: 3}},
		{Config{MoveTime: engine.Duration{Duration: time.Second}}, search.Limits{Time: time.Second}},
		{Config{Nodes: 7, Depth: 3}, search.Limits{Nodes: 7, Depth: 3}},
	} {
		testkit.Equal(t, c.cfg.Searches().Limits(), c.want, "%+v: limits", c.cfg)
	}
}
