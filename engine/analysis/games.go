package analysis

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/journal"
	"kroo/internal/parallel"
)

// Config configures [Games].
type Config struct {
	engine.Spec        // of what searches, and the book that moves are marked by
	Workers     int    // games at a time; 0: one per processor
	Journal     string // where finished games are kept, "" for nowhere
}

// analysed is a record of the journal.
type analysed struct {
	Game  int    `json:"game"` // from 0
	Moves []Move `json:"moves"`
}

// Games analyses several records, each with an empty hash table, so that under limits by
// nodes or depth a game's findings depend on nothing but the game. After an error, such as
// that of the context, the findings of a game that is not analysed are nil. The caller
// removes the journal when the findings are written. progress counts moves.
func Games[P search.Position[P]](ctx context.Context, k engine.Kit[P], records []games.Record[P], cfg Config, progress parallel.Progress) (all [][]Move, err error) {
	a := analyser[P]{kit: k, cfg: cfg, records: records, engines: map[string]*engine.Engine[P]{}}
	a.moves = make([][]Move, len(records))
	defer func() { err = errors.Join(err, a.close()) }()
	if err := a.open(ctx); err != nil {
		return nil, err
	}
	j, err := a.openJournal()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	var left []int
	done, total := 0, 0 // moves
	for i, rec := range records {
		if a.moves[i] == nil {
			left = append(left, i)
		}
		done, total = done+len(a.moves[i]), total+len(rec.Moves)
	}
	work := progress.Tally(int64(done), int64(total))
	own := make([]searcher[P], parallel.Workers(cfg.Workers))
	err = parallel.Collect(ctx, len(own), parallel.List(left), func(ctx context.Context, worker, i int) ([]Move, error) {
		rec := records[i]
		e := a.engines[k.Game.RulesOf(rec.Start)]
		return Game(ctx, e, own[worker].of(e), rec, 0, func([]Move, int) { work.Add(1) })
	}, func(i int, moves []Move) error {
		a.take(i, moves)
		return j.Append(analysed{i, moves})
	})
	return a.moves, err
}

// searcher is the searcher of a worker, one at a time, as [engine.Config.CheckMemory] assumes.
type searcher[P search.Position[P]] struct {
	engine *engine.Engine[P]
	engine.Searcher[P]
}

// of returns a cleared searcher for an engine.
func (s *searcher[P]) of(e *engine.Engine[P]) engine.Searcher[P] {
	if s.engine != e {
		if s.Searcher != nil {
			s.Close()
		}
		s.Searcher = nil // its table may be collected before the next one is made
		s.engine, s.Searcher = e, e.NewSearcher()
	}
	s.Clear()
	return s.Searcher
}

// analyser analyses the games of one call.
type analyser[P search.Position[P]] struct {
	kit     engine.Kit[P]
	cfg     Config
	records []games.Record[P]
	engines map[string]*engine.Engine[P] // by rules
	moves   [][]Move                     // nil for a game that is not analysed yet
}

// open opens an engine for each set of rules among the games.
func (a *analyser[P]) open(ctx context.Context) error {
	for _, rec := range a.records {
		rules := a.kit.Game.RulesOf(rec.Start)
		if a.engines[rules] != nil {
			continue
		}
		e, err := engine.Open(ctx, a.kit, a.cfg.Spec, rules)
		if err != nil {
			return err
		}
		a.engines[rules] = e
	}
	return a.cfg.Search.CheckMemory(min(parallel.Workers(a.cfg.Workers), max(len(a.records), 1)))
}

func (a *analyser[P]) close() (err error) {
	for _, e := range a.engines {
		err = errors.Join(err, e.Close())
	}
	return err
}

// openJournal loads the games in the journal.
func (a *analyser[P]) openJournal() (*journal.Journal[analysed], error) {
	input, err := a.hash()
	if err != nil {
		return nil, err
	}
	settings := map[string]any{"input": input, "game": a.kit.Game.Name, "engine": engine.Signature()}
	for rules, e := range a.engines {
		settings["search_"+rules], settings["evaluation_"+rules], settings["calibration_"+rules] = e.Limits(), e.Eval.Name, e.Eval.Calibration
		if e.Spec.Program.Path != "" {
			settings["engine_"+rules] = e.Signature()
		}
		if e.Book != nil {
			settings["book_"+rules] = e.Book.Checksum()
		}
	}
	return journal.Open(a.cfg.Journal, "kroo-analyse 5", settings, journal.JSON[analysed](), func(p analysed) error {
		if p.Game < 0 || p.Game >= len(a.records) || len(p.Moves) != len(a.records[p.Game].Moves) || a.moves[p.Game] != nil {
			return fmt.Errorf("game %d with %d moves: expected a game of the input, once", p.Game+1, len(p.Moves))
		}
		a.take(p.Game, p.Moves)
		return nil
	})
}

// hash returns a hash of the input.
func (a *analyser[P]) hash() (string, error) {
	sum := sha256.New()
	for _, rec := range a.records {
		if err := a.kit.Game.WriteRecord(sum, rec); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func (a *analyser[P]) take(game int, moves []Move) {
	if moves == nil {
		moves = []Move{} // a game without moves is analysed too
	}
	a.moves[game] = moves
}
