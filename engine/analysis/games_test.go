package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/journal/journaltest"
	"kroo/internal/testkit"
)

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
	_, err := Games(t.Context(), engine.Oware(), recs, gamesConfig(1, ""), func(done, _ int64, _ string) {
		if done > 0 {
			t.Error("a move was searched")
		}
	})
	testkit.Refused(t, err, "awari")
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
