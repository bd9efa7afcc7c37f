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

// engines are the engines of the games, by rules.
type engines[P search.Position[P]] map[string]*engine.Engine[P]

// Games analyses several records, each with an empty hash table, so that under limits by
// nodes or depth a game's findings depend on nothing but the game. After an error, such as
// that of the context, the findings of a game that is not analysed are nil. The caller
// removes the journal when the findings are written. progress counts moves.
func Games[P search.Position[P]](
	ctx context.Context, k engine.Kit[P], records []games.Record[P], cfg Config, progress parallel.Progress,
) (all [][]Move, err error) {
	opened := engines[P]{}
	defer func() {
		for _, e := range opened {
			err = errors.Join(err, e.Close())
		}
	}()
	for _, rec := range records {
		if rules := k.Game.RulesOf(rec.Start); opened[rules] == nil {
			opened[rules], err = engine.Open(ctx, k, cfg.Spec, rules)
			if err != nil {
				delete(opened, rules)
				return nil, err
			}
		}
	}
	if err := cfg.Search.CheckMemory(min(parallel.Workers(cfg.Workers), max(len(records), 1))); err != nil {
		return nil, err
	}
	all = make([][]Move, len(records))
	j, err := opened.journal(k.Game, records, cfg.Journal, all)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	var left []int
	done, total := 0, 0 // moves
	for i, rec := range records {
		if all[i] == nil {
			left = append(left, i)
		}
		done, total = done+len(all[i]), total+len(rec.Moves)
	}
	work := progress.Tally(int64(done), int64(total))
	own := make([]searcher[P], parallel.Workers(cfg.Workers))
	err = parallel.Collect(ctx, len(own), parallel.List(left), func(ctx context.Context, worker, i int) ([]Move, error) {
		e := opened[k.Game.RulesOf(records[i].Start)]
		return Game(ctx, e, own[worker].prepare(e), records[i], 0, func([]Move, int) { work.Add(1) })
	}, func(i int, moves []Move) error {
		all[i] = moves
		return j.Append(analysed{i, moves})
	})
	return all, err
}

// searcher is the searcher of a worker, one at a time, as [engine.Config.CheckMemory] assumes.
type searcher[P search.Position[P]] struct {
	engine *engine.Engine[P]
	engine.Searcher[P]
}

// prepare returns a cleared searcher for an engine.
func (s *searcher[P]) prepare(e *engine.Engine[P]) engine.Searcher[P] {
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

// journal loads the games in the journal.
func (opened engines[P]) journal(
	g *games.Game[P], records []games.Record[P], path string, all [][]Move,
) (*journal.Journal[analysed], error) {
	input := sha256.New()
	for _, rec := range records {
		if err := g.WriteRecord(input, rec); err != nil {
			return nil, err
		}
	}
	settings := map[string]any{"input": hex.EncodeToString(input.Sum(nil)), "game": g.Name, "engine": engine.Signature()}
	for rules, e := range opened {
		settings["search_"+rules] = e.LimitsText()
		settings["evaluation_"+rules] = e.Eval.Name
		settings["calibration_"+rules], _ = e.Kit.CalibrationOf(e.Eval)
		if e.Program() != nil {
			settings["engine_"+rules] = e.Signature()
		}
		if e.Book != nil {
			settings["book_"+rules] = e.Book.Checksum()
		}
	}
	return journal.Open(path, "kroo-analyse 5", settings, journal.JSON[analysed](), func(p analysed) error {
		if p.Game < 0 || p.Game >= len(all) || p.Moves == nil || len(p.Moves) != len(records[p.Game].Moves) ||
			all[p.Game] != nil {
			return fmt.Errorf("game %d with %d moves: expected a game of the input, once", p.Game+1, len(p.Moves))
		}
		all[p.Game] = p.Moves
		return nil
	})
}
