package sampler

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/othello"
	"kroo/games/oware"
	"kroo/internal/revision"
	_ "kroo/internal/testenv" // temporary folders in memory
	"kroo/internal/testkit"
)

func TestSampleWritesTheDrawnPositions(t *testing.T) {
	cfg := Config{Method: PPS, N: 500, Seed: 9, Rules: "awari"}
	want := testkit.Must(drawPositions(context.Background(), oware.Descriptor(), cfg))(t)
	path := filepath.Join(t.TempDir(), "positions.arrow")
	testkit.Must(Sample(t.Context(), engine.Oware(), cfg, engine.Spec{}, path, nil))(t)
	meta, rows, err := datasets.Read(oware.Descriptor(), path, datasets.Positions)
	testkit.NoError(t, err)
	if meta.Rules != "awari" || meta.Seed != 9 || meta.Method != "pps" || meta.Tool != revision.Get() || !strings.Contains(meta.Note, "500") {
		t.Errorf("meta %+v", meta)
	}
	var got []oware.Position
	for _, r := range rows {
		got = append(got, r.Position)
	}
	testkit.EqualSlices(t, got, want, "other positions than those drawn")
}

func TestSampleErrorsNameTheUnwritableFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "p.parquet")
	_, err := Sample(context.Background(), engine.Oware(), Config{Method: Uniform, N: 1}, engine.Spec{Weights: engine.CapturesName}, path, nil)
	testkit.ErrorContains(t, err, path)
}

// Both outputs of a split are checked before the work.
func TestASplitChecksItsValidationFirst(t *testing.T) {
	out := filepath.Join(t.TempDir(), "p.parquet")
	testkit.NoError(t, os.Mkdir(ValidationPath(out), 0o777))
	worked := false
	progress := func(int64, int64, string) { worked = true }
	c := Config{Method: Uniform, N: 10, Split: 0.5}
	_, err := Sample(t.Context(), engine.Oware(), c, engine.Spec{Weights: engine.CapturesName}, out, progress)
	testkit.ErrorContains(t, err, ValidationPath(out))
	if worked {
		t.Error("positions were drawn before")
	}
}

// If boards cannot be drawn uniformly, the dataset describes how they were drawn.
func TestTheNoteDescribesHowAGameDraws(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.parquet")
	if _, err := Sample(t.Context(), engine.Othello(), Config{Method: Uniform, N: 20, Seed: 1}, engine.Spec{Weights: "greedy"}, path, nil); err != nil {
		t.Fatal(err)
	}
	meta, _, err := datasets.Read(othello.Descriptor(), path, datasets.Positions)
	if err != nil || !strings.Contains(meta.Note, "not every position equally likely") {
		t.Errorf("note %q, %v", meta.Note, err)
	}
}

// sampleFrom samples from a file with this content.
func sampleFrom(t *testing.T, c Config, name, text string) (out string, err error) {
	t.Helper()
	dir := t.TempDir()
	c.From, c.N = filepath.Join(dir, name), MaxN
	testkit.NoError(t, os.WriteFile(c.From, []byte(text), 0o644))
	out = filepath.Join(dir, "out.parquet")
	_, err = Sample(t.Context(), engine.Oware(), c, engine.Spec{Weights: engine.CapturesName}, out, nil)
	return out, err
}

// A split keeps both sides to move on a board, and their mirror images, in one file.
func TestSituationsAreNotDividedBySplit(t *testing.T) {
	game := oware.Descriptor()
	rng := rand.New(rand.NewPCG(4, 4))
	var text strings.Builder
	for range 300 {
		p := testkit.Must(game.Random(rng, game.Rules[0]))(t)
		fmt.Fprintf(&text, "%s\n%s\n", game.Print(p), game.Print(game.Pass(p)))
	}
	out := testkit.Must(sampleFrom(t, Config{Method: file, Split: 0.5}, "boards.txt", text.String()))(t)
	training := map[int64]bool{}
	for _, r := range readPositions(t, out) {
		training[datasets.SituationOf(game, r.Position)] = true
	}
	validation := readPositions(t, ValidationPath(out))
	for _, r := range validation {
		if training[datasets.SituationOf(game, r.Position)] {
			t.Fatalf("%s: the training file has it with the other side to move", game.Print(r.Position))
		}
	}
	if n := len(validation); n < 200 || n > 400 {
		t.Errorf("%d of about 600 rows with a split of 0.5", n)
	}
}

// boardsOf returns the positions of a table.
func boardsOf(t *testing.T, path string) (boards []string) {
	t.Helper()
	for _, r := range readPositions(t, path) {
		boards = append(boards, r.Position.String())
	}
	return boards
}

func TestPositionsOfRecordedGames(t *testing.T) {
	out := testkit.Must(sampleFrom(t, Config{Method: file}, "two.ogn", "1. F f 2. E *\n\n[Event \"x\"]\n\n1. F e 1-0\n"))(t)
	var want []positionRow
	p := oware.Start(oware.Abapa)
	for ply, m := range []oware.Move{5, 5, 4} {
		want = append(want, positionRow{Position: p, Game: 1, Ply: int32(ply)})
		p = p.Play(m)
	}
	want = append(want, positionRow{Position: p, Game: 1, Ply: 3})
	second := oware.Start(oware.Abapa).Play(5).Play(4)
	resigned := datasets.Outcome{Result: datasets.Win}                                     // only finished games have a margin
	want = append(want, positionRow{Position: second, Game: 2, Ply: 2, Outcome: resigned}) // the earlier positions are duplicates
	got := readPositions(t, out)
	if len(got) != len(want) {
		t.Fatalf("%d rows: want %d", len(got), len(want))
	}
	for i := range want {
		testkit.Equal(t, got[i], want[i], "row %d", i)
	}
}

const (
	startBoard = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
	lateBoard  = "0-0-0-0-2-1-0-1-0-0-0-1-23-20-N"
)

func TestBoardsOfAText(t *testing.T) {
	out := testkit.Must(sampleFrom(t, Config{Method: file}, "boards.txt", "# two boards\n\n"+startBoard+" # the start\n "+lateBoard+"\r\n"+startBoard+"\n"))(t)
	testkit.Equal(t, strings.Join(boardsOf(t, out), " "), startBoard+" "+lateBoard, "boards")
}

// Of a table only the boards are read, whatever else it has.
func TestBoardsOfATable(t *testing.T) {
	for _, text := range []string{"\ufeffboard\n" + startBoard + "\n", "score, Board ,label\nmuch," + startBoard + ",NaN\n"} {
		out := testkit.Must(sampleFrom(t, Config{Method: file}, "boards.csv", text))(t)
		testkit.Equal(t, strings.Join(boardsOf(t, out), " "), startBoard, "boards")
	}
	rows := []datasets.Row[oware.Position]{{Position: oware.Start(oware.Awari)}}
	path := filepath.Join(t.TempDir(), "awari.parquet")
	testkit.NoError(t, datasets.Write(oware.Descriptor(), path, datasets.Meta{Kind: datasets.Positions, Game: "oware", Rules: "awari"}, datasets.Rows(rows)))
	_, err := Sample(t.Context(), engine.Oware(), Config{Method: file, From: path, N: 1}, engine.Spec{}, filepath.Join(t.TempDir(), "o.csv"), nil)
	testkit.ErrorContains(t, err, "awari.parquet: its rules are awari: expected abapa")
}

// Repeated positions in a file do not end the stream, unlike draws in a small game.
func TestAFileIsReadToItsEnd(t *testing.T) {
	const other = "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N"
	text := "\ufeff" + strings.Repeat(startBoard+"\n", maxRepeats+2) + other + "\n"
	path := filepath.Join(t.TempDir(), "again.txt")
	testkit.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	out := filepath.Join(t.TempDir(), "p.csv")
	sum, err := Sample(t.Context(), engine.Oware(), Config{Method: file, From: path, N: MaxN, Rules: "abapa"}, engine.Spec{Weights: engine.CapturesName}, out, nil)
	if err != nil || sum.Positions != 2 || sum.Repeated != maxRepeats+1 {
		t.Errorf("%+v, error %v", sum, err)
	}
	if got := boardsOf(t, out); len(got) != 2 || got[1] != other {
		t.Errorf("boards %s", got)
	}
}

func TestErrorsOfFilesHaveFileAndPlace(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.txt", startBoard + "\n4-4\n", "a.txt:2: "},
		{"over.txt", "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S\n", "over.txt:1: the game is over"},
		{"long.txt", strings.Repeat("4", 1<<20), "long.txt:1: the line is too long for a board"},
		{"empty.txt", "", "empty.txt: no position in it"},
		{"bad.ogn", "1. F F", "bad.ogn:1:"},
		{"rules.ogn", "[Rules \"awari\"]\n\n1. F f *", "under the rules awari: expected abapa"},
		{"none.csv", "a,b\n1,2\n", "no column \"board\": its columns are a, b"},
		{"two.csv", "board,board\n" + startBoard + "\n", "two.csv: there are two columns \"board\""},
		{"over.csv", "board\n0-0-0-0-0-0-0-0-0-0-0-0-24-24-S\n", "over.csv:2: the game is over"},
		{"ragged.csv", "board,label\n" + startBoard + "\n", "ragged.csv:2: expected 2 values"},
		{"void.csv", "", "void.csv"},
	} {
		out, err := sampleFrom(t, Config{Method: file}, c.name, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v: want one line with %q", c.name, err, c.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: a table was written", c.name)
		}
	}
}

func FuzzRecords(f *testing.F) {
	f.Add("1. F f *")
	c, err := Config{Method: file, From: "x", N: 1}.withDefaults(oware.Descriptor().Info)
	testkit.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		for d, err := range fromRecords(t.Context(), oware.Descriptor(), c, strings.NewReader(text), new(readNotes)) {
			if err != nil {
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("error %q is not one line", err)
				}
				continue
			}
			if _, over := d.Position.Terminal(); over {
				t.Errorf("%+v: the game is over", d)
			}
		}
	})
}

func TestSharesOfAMix(t *testing.T) {
	c := quickGames
	c.Method, c.Shares, c.N = Mix, "games=3,uniform=5,pps=2", 500
	path, sum := sampleGames(t, c)
	ofGames, seen := 0, map[int64]bool{}
	for _, r := range readPositions(t, path) {
		p := r.Position
		if seen[p.Orbit()] {
			t.Errorf("%v is there twice", p)
		}
		seen[p.Orbit()] = true
		if r.Game > 0 {
			ofGames++
		}
	}
	if sum.Positions != 500 || ofGames != 150 {
		t.Errorf("%d positions, %d of games: want 500 and 150", sum.Positions, ofGames)
	}
}

// A share that rounds to no position has none, and one that rounds to one has one.
func TestSharesOfAMixAreRounded(t *testing.T) {
	for shares, want := range map[string]int{"games=1,uniform=100": 0, "games=1,uniform=15": 1, "uniform=15,games=1": 1} {
		c := quickGames
		c.Method, c.Shares, c.N = Mix, shares, 10
		path, sum := sampleGames(t, c)
		ofGames := 0
		for _, r := range readPositions(t, path) {
			if r.Game > 0 {
				ofGames++
			}
		}
		if sum.Positions != c.N || ofGames != want {
			t.Errorf("%s: %d positions, %d of games: want %d and %d", shares, sum.Positions, ofGames, c.N, want)
		}
	}
}

// Recorded games and those of self-play are different games, which the split by game must not
// confuse.
func TestGamesOfAMixHaveDistinctNumbers(t *testing.T) {
	c := quickGames
	c.Method, c.Shares, c.N = Mix, "file=1,games=1", 40
	c.From = filepath.Join(t.TempDir(), "club.ogn")
	testkit.NoError(t, os.WriteFile(c.From, []byte("1. F f 2. E *\n"), 0o644))
	path, sum := sampleGames(t, c)
	rows := map[int32]int{}
	for _, r := range readPositions(t, path) {
		rows[r.Game]++
	}
	if rows[1] != 4 || rows[2] == 0 || sum.Games != len(rows) {
		t.Errorf("rows by game %v, %d games: expected the four of the file in the first and others in the next", rows, sum.Games)
	}
}

func TestDivideAddsUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		n := 1 + rng.IntN(1000)
		list := make([]share, 1+rng.IntN(5))
		sum, total := 0.0, 0
		for i := range list {
			list[i].part = rng.Float64() + 0.01
			sum += list[i].part
		}
		for i := range list {
			list[i].part /= sum
		}
		for _, s := range divide(list, n) {
			total += s.n
			if math.Abs(float64(s.n)-s.part*float64(n)) > 1 {
				t.Errorf("%d of %d positions for a share of %g", s.n, n, s.part)
			}
		}
		testkit.Equal(t, total, n, "total")
	}
}

func TestBadSharesAreRefused(t *testing.T) {
	for _, shares := range []string{"games", "games=0", "games=-1", "games=NaN", "games=1,games=2"} {
		_, err := parseShares(shares)
		testkit.ErrorContains(t, err, "expected each method once, and its share above 0")
	}
	for shares, want := range map[string]string{
		"": "expected uniform, pps, games or file", "mix=1": "expected uniform, pps, games or file",
		"chess=1": "expected uniform, pps, games or file", "games=1,unifrom=1": "did you mean uniform?",
	} {
		_, err := parseShares(shares)
		testkit.ErrorContains(t, err, want)
	}
}

// Tic-tac-toe has 765 positions up to symmetry; a sample does not wait for more.
func TestSampleOfASmallGameEnds(t *testing.T) {
	k := engine.TicTacToe()
	path := t.TempDir() + "/all.parquet"
	sum := testkit.Must(Sample(t.Context(), k, Config{Method: Mix, Shares: "uniform=1", N: 5000}, engine.Spec{}, path, nil))(t)
	// 765 including 138 final ones: E. Weisstein.
	testkit.Equal(t, sum.Positions, 765-138, "sum.Positions")
}

// Labels made of a mean a position and noise of known size.
func TestNoiseOfKnownLabels(t *testing.T) {
	// Positions worth -300, 0 and 300; labels 30 above and 30 below.
	n := noiseOf([]float64{-330, -270, -30, 30, 270, 330}, 2)
	within := math.Sqrt((6 * 30 * 30) / 3.0)
	total := math.Sqrt((2*(330*330+270*270) + 2*30*30) / 5.0)
	if math.Abs(n.Within-within) > 1e-9 || math.Abs(n.Total-total) > 1e-9 || n.Changed != 1 || n.Positions != 3 ||
		math.Abs(n.CeilingR-math.Sqrt(1-within*within/total/total)) > 1e-12 {
		t.Errorf("%+v: want %g within and %g in all", n, within, total)
	}
	if n := noiseOf([]float64{5, 5, 8, 8}, 2); n.Within != 0 || n.CeilingR != 1 || n.Changed != 0 {
		t.Errorf("%+v of labels without noise", n)
	}
	if n := noiseOf([]float64{5, 5}, 2); n.CeilingR != 0 {
		t.Errorf("%+v of labels that are all the same", n)
	}
}

// The limits of repeated searches go from four fifths to five fourths in equal ratios.
func TestRepeatedSearchesSpreadTheirLimits(t *testing.T) {
	for i, want := range []int64{800, 894, 1000, 1118, 1250} {
		testkit.Equal(t, spread(search.Limits{Nodes: 1000}, i, 5).Nodes, want, "nodes of repeat %d", i)
	}
}

func TestMeasureNoise(t *testing.T) {
	in := samplePositions(t, 60)
	var first Noise
	for workers := 1; workers <= 2; workers++ {
		c := smallSearch
		c.Workers = workers
		n := testkit.Must(MeasureNoise(t.Context(), engine.Oware(), in, c, NoiseConfig{40, 3}, nil))(t)
		if workers == 1 {
			first = n
		} else if n != first {
			t.Errorf("%d workers measure %+v, one %+v", workers, n, first)
		}
		if n.Positions != 40 || n.Repeats != 3 || n.Within <= 0 || n.CeilingR <= 0.5 || n.CeilingR >= 1 || n.Changed <= 0 {
			t.Errorf("%+v", n)
		}
	}
	for _, c := range []NoiseConfig{{1, 2}, {2, 1}, {2, 1001}, {1_000_000, 11}} {
		if _, err := MeasureNoise(t.Context(), engine.Oware(), in, smallSearch, c, nil); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
	c := smallSearch
	c.Search.Nodes, c.Search.Depth = 0, 3
	if _, err := MeasureNoise(t.Context(), engine.Oware(), in, c, NoiseConfig{40, 3}, nil); err == nil {
		t.Error("searches of one depth: no error")
	}
}
