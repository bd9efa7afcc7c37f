package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"kroo/book"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/chess"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/journal/journaltest"
	"kroo/internal/testkit"
)

func open[P search.Position[P]](t *testing.T, k engine.Kit[P], bookPath string) *engine.Engine[P] {
	t.Helper()
	e := testkit.Must(engine.Open(t.Context(), k, engine.Spec{Book: bookPath, Search: engine.Config{Nodes: 100_000, HashMB: 1, Tables: engine.NoTables}}, k.Game.Rules[0]))(t)
	t.Cleanup(func() { e.Close() })
	return e
}

func records[P games.Position[P]](t *testing.T, g *games.Game[P], text string) []games.Record[P] {
	t.Helper()
	return testkit.Must(g.ParseRecords(strings.NewReader(text), "test"))(t)
}

// O lets X close a row: X takes the corner, O does not take the centre.
func TestALostGameOfTicTacToeHasItsBlunder(t *testing.T) {
	rec := records(t, tictactoe.Descriptor(), "a1 a2 b2 c3 b1 a3 c1")[0]
	moves, err := analyse(t.Context(), open(t, engine.TicTacToe(), ""), rec, nil)
	if err != nil || len(moves) != 7 {
		t.Fatalf("%d moves, %v", len(moves), err)
	}
	if m := moves[1]; m.Mark != Blunder || m.Side != "O" || m.Name != "a2" || m.Best == "a2" || m.Loss <= 0 || !strings.HasPrefix(m.Refutation, "a2") || len(m.Refutation) < 4 {
		t.Errorf("the losing move: %+v, refuted by %s", m, m.Refutation)
	}
	for _, i := range []int{0, 2, 4, 6} { // X never errs: a win that comes later is a win
		testkit.Equal(t, moves[i].Mark, good, "move %d: %+v", i+1, moves[i])
	}
	if m := moves[6]; m.Score <= search.MaxHeuristic || m.Best != "c1" || !m.Proven {
		t.Errorf("the winning move: %+v", m)
	}
}

// White misses a mate in one, and again after the third repetition, which nobody claims.
func TestAGameThatGoesOnBehindADrawIsJudged(t *testing.T) {
	rec := records(t, chess.Descriptor(), `[FEN "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"]
[SetUp "1"]

1. g1f1 g8f8 2. f1g1 f8g8 3. g1f1 g8f8 4. f1g1 f8g8 5. g1f1 *`)[0]
	e := testkit.Must(engine.Open(t.Context(), engine.Chess(), engine.Spec{Search: engine.Config{Depth: 3, HashMB: 1, Tables: engine.NoTables}}, "full"))(t)
	defer e.Close()
	moves, err := analyse(t.Context(), e, rec, nil)
	if err != nil || len(moves) != 9 {
		t.Fatalf("%d moves, %v", len(moves), err)
	}
	if m := moves[8]; m.Mark != Blunder || m.Best != "a1a8" {
		t.Errorf("%+v: want the mate that was missed", m)
	}
}

func TestProgressAndBook(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book.bin")
	start := oware.Start(oware.Abapa)
	testkit.NoError(t, book.Write(path, book.Header{}, []book.Entry{{Key: start.BookKey(), Scores: [6]int16{-90, -80, -5, -60, -20, 5}}}))
	var counts []int
	rec := records(t, oware.Descriptor(), "F f E e")[0]
	moves, err := analyse(t.Context(), open(t, engine.Oware(), path), rec, func(found []Move, total int) { counts = append(counts, len(found), total) })
	if err != nil || !moves[0].Book || moves[1].Book || len(counts) != 8 || counts[6] != 4 || counts[7] != 4 {
		t.Errorf("%+v, counts %v, %v", moves, counts, err)
	}
	if moves[1].Side != "North" || moves[1].Ply != 2 || moves[1].Depth < 1 || moves[1].Loss != moves[1].BestScore-moves[1].Score {
		t.Errorf("%+v", moves[1])
	}
}

// Moves of the opening of a match have values, but no marks, also if they were analysed before. Later
// moves with this comment are moves of the players.
func TestOpeningsOfMatchesAreNotGraded(t *testing.T) {
	const game = "a1 %s a2 %s b2 %s c3 b1 {opening} a3 c1" // a2 loses
	e := open(t, engine.TicTacToe(), "")
	for comments, want := range map[[3]string]Mark{
		{"{opening}", "{opening}", ""}: good,
		{"{opening analysis: +0.00, book}", "{opening analysis: loses, best c1 +0.00, blunder}", ""}: good,
		{"", "{opening}", ""}:                 Blunder,
		{"{opening}", "{a good opening}", ""}: Blunder,
	} {
		rec := records(t, tictactoe.Descriptor(), fmt.Sprintf(game, comments[0], comments[1], comments[2]))[0]
		moves, err := analyse(t.Context(), e, rec, nil)
		testkit.NoError(t, err)
		m := moves[1]
		if m.Mark != want || m.Opening != (want == good) || m.Score >= 0 || moves[4].Opening {
			t.Errorf("%q: %+v", comments, m)
		}
		side := Sides(moves, tictactoe.Descriptor().Sides)[1]
		if (side.Blunders == 0) != (want == good) || (side.Moves == 2) != (want == good) {
			t.Errorf("%q: %+v", comments, side)
		}
	}
}

func TestAnalysisRefusesAndStops(t *testing.T) {
	e := open(t, engine.Oware(), "")
	_, err := analyse(t.Context(), e, records(t, oware.Descriptor(), `[Rules "awari"] F`)[0], nil)
	testkit.ErrorContains(t, err, "under awari rules: expected abapa")
	wrong := records(t, oware.Descriptor(), "F f")[0]
	wrong.Moves[1].Move = 17
	_, err = analyse(t.Context(), e, wrong, nil)
	testkit.ErrorContains(t, err, "(ply 2)")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := analyse(ctx, e, records(t, oware.Descriptor(), "F f")[0], nil); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

func TestMarks(t *testing.T) {
	for _, c := range []struct {
		best, score int
		want        Mark
	}{
		{0, 0, good}, {30, -19, good}, {30, -20, Inaccuracy}, {100, -50, Mistake}, {100, -300, Blunder},
		{19_990, 19_900, good}, {19_990, 900, Blunder}, {-19_000, -19_990, good}, {10, -19_990, Blunder}, {-9000, -19_000, Blunder},
	} {
		testkit.Equal(t, markOf(c.best, c.score), c.want, "from %d to %d", c.best, c.score)
	}
}

// A longer search that proves two scores of one sign finds a good move, however far they are apart.
func TestTheMilderMarkCounts(t *testing.T) {
	testkit.Equal(t, milder(markOf(800, 300), markOf(19_990, 15_100)), good, "both win")
	testkit.Equal(t, milder(Mistake, Blunder), Mistake, "the first is milder")
	testkit.Equal(t, milder(Blunder, Inaccuracy), Inaccuracy, "the second is milder")
}

// Only what an analysis has written is replaced: a person may write of an analysis too.
func TestAnnotateReplacesItsOwnTextOnly(t *testing.T) {
	rec := records(t, oware.Descriptor(), "F {post-game analysis: c was better, see round 3} f {see analysis: +1.00 analysis: 64 %, book, best c 70 %, inaccuracy}")[0]
	got := annotate(rec, []Move{{Name: "F", Best: "F", Score: 12}, {Name: "f", Best: "f", Score: 5}})
	testkit.Equal(t, got.Moves[0].Comment, "post-game analysis: c was better, see round 3 analysis: +0.12", "a comment of a person")
	testkit.Equal(t, got.Moves[1].Comment, "see analysis: +1.00 analysis: +0.05", "an earlier analysis")
}

// Findings are appended to a comment, and replace earlier ones.
func TestAnnotateKeepsComments(t *testing.T) {
	rec := records(t, oware.Descriptor(), "F {why not} f {analysis: +9.99} E e")[0]
	moves := []Move{{Name: "F", Best: "F", Score: 12, Book: true}, {Name: "f", Score: -300, Best: "c", BestScore: 20, Mark: Mistake}, {Name: "E", Best: "E", Score: 19_990}}
	got := annotate(rec, moves)
	for i, want := range []string{"why not analysis: +0.12, book", "analysis: -3.00, best c +0.20, mistake", "analysis: wins", ""} {
		testkit.Equal(t, got.Moves[i].Comment, want, "move %d", i+1)
	}
	testkit.Equal(t, rec.Moves[0].Comment, "why not", "the record itself has changed")
	if again := annotate(got, moves); again.Moves[1].Comment != got.Moves[1].Comment {
		t.Errorf("annotated twice: %q", again.Moves[1].Comment)
	}
	testkit.Equal(t, Score(-19_990), "loses", "a proven loss")
}

// analyse is Game with a new searcher.
func analyse[P search.Position[P]](ctx context.Context, e *engine.Engine[P], rec games.Record[P], progress func([]Move, int)) ([]Move, error) {
	return Game(ctx, e, e.NewSearcher(), rec, 0, progress)
}

// The last moves of a game are judged as in the whole game: by all that came before.
func TestTheLastMovesAlone(t *testing.T) {
	e, ofOware := open(t, engine.TicTacToe(), ""), open(t, engine.Oware(), "")
	rec := records(t, tictactoe.Descriptor(), "a1 a2 b2 c3 b1 a3 c1")[0]
	want := testkit.Must(analyse(t.Context(), e, rec, nil))(t)
	got, err := Game(t.Context(), e, e.NewSearcher(), rec, 4, nil)
	if err != nil || !slices.Equal(got, want[4:]) {
		t.Errorf("%+v, %v, want %+v", got, err, want[4:])
	}

	// A move that repeats a position ends the game, which its board alone does not say.
	const start = `[FEN "0-0-0-0-0-1-0-0-0-0-0-1-22-24-S"] `
	last := func(text string) Move {
		rec := records(t, oware.Descriptor(), text)[0]
		moves, err := Game(t.Context(), ofOware, ofOware.NewSearcher(), rec, len(rec.Moves)-1, nil)
		if err != nil || len(moves) != 1 || moves[0].Ply != len(rec.Moves) {
			t.Fatalf("%+v, %v", moves, err)
		}
		return moves[0]
	}
	if m := last(start + "F f A a B b C c D d E e"); m.Name != "e" || m.Score != search.Win-1 {
		t.Errorf("%+v: expected a win at once", m)
	}
	if m := last(`[FEN "0-0-0-0-1-0-0-0-0-0-1-0-22-24-N"] e`); m.Score == search.Win-1 {
		t.Errorf("%+v: expected no repetition on a board without earlier ones", m)
	}
}

// A move of the book, which a hint shows, is at most an inaccuracy.
func TestAMoveOfTheBookIsNoMistake(t *testing.T) {
	rec := records(t, oware.Descriptor(), `[FEN "1-1-1-1-1-3-1-2-1-4-4-4-12-12-S"] A`)[0] // F captures seven
	moves, err := analyse(t.Context(), open(t, engine.Oware(), ""), rec, nil)
	if err != nil || moves[0].Mark != Blunder {
		t.Fatalf("%+v, %v: expected a blunder", moves, err)
	}
	path := filepath.Join(t.TempDir(), "book.bin")
	testkit.NoError(t, book.Write(path, book.Header{}, []book.Entry{{Key: rec.Start.BookKey(), Scores: [6]int16{90, -90, -90, -90, -90, -90}}}))
	moves, err = analyse(t.Context(), open(t, engine.Oware(), path), rec, nil)
	if err != nil || !moves[0].Book || moves[0].Mark != Inaccuracy {
		t.Errorf("%+v, %v: expected an inaccuracy of the book", moves, err)
	}
}

func TestMarksByChance(t *testing.T) {
	for lost, want := range map[float64]Mark{0: good, 4.9: good, 5: Inaccuracy, 9.9: Inaccuracy, 10: Mistake, 15: Blunder, 100: Blunder} {
		testkit.Equal(t, markOfChance(lost), want, "%g points", lost)
	}
}

// With calibrated weights a move that throws away score in a game that stays lost, or stays won, is no
// mistake; the same score in a level game is a blunder.
func TestADecidedGameHasNoBlunders(t *testing.T) {
	e := open(t, engine.Oware(), "")
	level := oware.Start(oware.Abapa)
	for _, c := range []struct {
		best, score int
		want        Mark
	}{{-1500, -1900, good}, {1900, 1500, good}, {100, -300, Blunder}, {19_990, 19_000, good}, {19_990, 1500, good}, {10, -19_990, Blunder}} {
		m := Move{BestScore: c.best, Score: c.score}
		grade(e, level, &m)
		if m.Mark != c.want || !m.Calibrated {
			t.Errorf("from %d to %d: %+v, want %q", c.best, c.score, m, c.want)
		}
	}
	plain := Move{BestScore: 100, Score: -300}
	captures, err := engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{Nodes: 1, Tables: engine.NoTables}}, "abapa")
	testkit.NoError(t, err)
	defer captures.Close()
	if grade(captures, level, &plain); plain.Calibrated || plain.Mark != Blunder || plain.worth() != "-3.00" {
		t.Errorf("without calibration: %+v, %s", plain, plain.worth())
	}
}

func TestSidesAreSummedUp(t *testing.T) {
	move := func(ply int, side string, best, chance float64) Move {
		return Move{Ply: ply, Side: side, Calibrated: true, BestChance: best, Chance: chance, Mark: markOfChance(best - chance)}
	}
	moves := []Move{
		move(1, "South", 50, 50), move(2, "North", 50, 40), move(3, "South", 60, 45), move(4, "North", 55, 30), move(5, "South", 70, 70), move(6, "North", 30, 24), move(7, "North", 24, 0),
	}
	sides := Sides(moves, [2]string{"South", "North"})
	south, north := sides[0], sides[1]
	if south.Moves != 3 || south.Blunders != 1 || *south.MeanLost != 5 || !slices.Equal(south.Worst, []int{3}) {
		t.Errorf("South %+v", south)
	}
	if north.Moves != 4 || north.Blunders != 2 || north.Mistakes != 1 || north.Inaccuracies != 1 || !slices.Equal(north.Worst, []int{4, 7, 2}) {
		t.Errorf("North %+v", north)
	}
	// 103.1668·exp(−0.04354·15) − 3.1669 = 50.5 for the blunder, 100 for each of the others.
	if want := (100 + 100 + 50.52) / 3; math.Abs(*south.Accuracy-want) > 0.01 {
		t.Errorf("accuracy %.3f: want %.3f", *south.Accuracy, want)
	}
	for i := range moves {
		moves[i].Name = string("AaBbCcd"[i])
	}
	const want = `
  side   moves  accuracy  lost/move  ?!  ?  ??  worst moves
  South      3      84 %        5.0   0  0   1  2. B??
  North      4      51 %       16.2   1  1   2  2... b??, 4... d??, 1... a?
`
	text := Analysed{Moves: moves, Sides: sides}.Doc(oware.Descriptor().Info).Text("")
	testkit.Equal(t, text[strings.LastIndex(text, "\n\n")+1:], want, "printed")
}

// Whether the weights are calibrated cannot be read from a game without moves.
func TestAGameWithoutMovesSaysSo(t *testing.T) {
	text := Analysed{Number: 1, Result: games.Unknown}.Doc(oware.Descriptor().Info).Text("")
	testkit.Equal(t, strings.TrimSpace(text), "game 1, result *\n\nno moves", "printed")
}

const fourGames = `F f E e A a
[Rules "awari"] E f D e
[GameId "3"] F d
C c B b D`

func gamesConfig(workers int, journal string) Config {
	return Config{Spec: engine.Spec{Book: engine.DefaultName, Search: engine.Config{Nodes: 3000, HashMB: 1, Tables: engine.NoTables}}, Workers: workers, Journal: journal}
}

// Workers change only the order in which games finish.
func TestGamesAreEqualForAnyNumberOfWorkers(t *testing.T) {
	recs := records(t, oware.Descriptor(), fourGames)
	cfg := gamesConfig(1, "")
	cfg.Book = ""
	want, err := Games(t.Context(), engine.Oware(), recs, cfg, nil)
	if err != nil || len(want) != len(recs) || len(want[0]) != len(recs[0].Moves) {
		t.Fatalf("%v, %v", want, err)
	}
	cfg.Workers = 3
	if got, err := Games(t.Context(), engine.Oware(), recs, cfg, nil); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("3 workers: %v, %v: want %v", got, err, want)
	}
}

func TestAnAnalysisSurvivesCrashes(t *testing.T) {
	recs := records(t, oware.Descriptor(), fourGames)
	analyse := func(dir string, nodes int64) ([]byte, int, error) {
		cfg := gamesConfig(1, filepath.Join(dir, "journal"))
		cfg.Book, cfg.Search.Nodes = "", nodes
		found, err := Games(t.Context(), engine.Oware(), recs, cfg, nil)
		if err != nil {
			return nil, 0, err
		}
		made, err := json.Marshal(found)
		return made, -1, err
	}
	journaltest.Run(t, journaltest.Work{
		Journal: "journal",
		Do:      func(dir string) ([]byte, int, error) { return analyse(dir, 3000) },
		Others:  map[string]func(string) error{"search abapa is": func(dir string) error { _, _, err := analyse(dir, 3001); return err }},
	})
}

// A call that was stopped has the games that it has finished, and resumes with them.
func TestAStoppedAnalysisKeepsItsGames(t *testing.T) {
	recs := records(t, oware.Descriptor(), fourGames)
	cfg := gamesConfig(1, filepath.Join(t.TempDir(), "journal"))
	cfg.Book = ""
	ctx, cancel := context.WithCancel(t.Context())
	part, err := Games(ctx, engine.Oware(), recs, cfg, func(done, total int64, _ string) {
		if done > int64(len(recs[0].Moves)) {
			cancel() // in the second game
		}
	})
	if !errors.Is(err, context.Canceled) || part[0] == nil || part[len(part)-1] != nil {
		t.Fatalf("stopped: %v, %v", part, err)
	}
	first := int64(-1)
	if _, err := Games(t.Context(), engine.Oware(), recs, cfg, func(done, total int64, _ string) {
		if first < 0 {
			first = done
		}
	}); err != nil || first < int64(len(recs[0].Moves)) {
		t.Errorf("resumed with %d moves, error %v", first, err)
	}
}

// A set of rules that the book was not made for is refused before any search.
func TestGamesRejectTheBookOfOtherRules(t *testing.T) {
	recs := records(t, oware.Descriptor(), fourGames)
	cfg := gamesConfig(1, "")
	cfg.Book = book.AwariName
	_, err := Games(t.Context(), engine.Oware(), recs, cfg, func(done, _ int64, _ string) {
		if done > 0 {
			t.Error("a move was searched")
		}
	})
	testkit.ErrorContains(t, err, "a book for awari")
}

// A worker keeps its hash table from game to game: memory is checked for one a worker.
func TestGamesShareTheHashTableOfAWorker(t *testing.T) {
	recs := records(t, oware.Descriptor(), strings.Repeat("F *\n", 20))
	cfg := gamesConfig(1, "")
	cfg.Book, cfg.Search.HashMB, cfg.Search.Nodes = "", 16, 100
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Games(t.Context(), engine.Oware(), recs, cfg, nil); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 100 {
		t.Errorf("%d MiB for %d games on one worker, with a table of %d", taken, len(recs), cfg.Search.HashMB)
	}
}
