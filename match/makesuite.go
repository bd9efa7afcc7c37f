package match

import (
	"context"
	"strconv"
	"sync"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/journal"
	"kroo/internal/parallel"
	"kroo/internal/vfs"
)

// MakeOpenings scores openings with the engine and writes the balanced ones to out, as OGN whose
// tags describe the search. It returns their number. The rules are the engine's. Scores are kept in
// a journal next to out until it is written, so that the same call resumes after an interruption.
func MakeOpenings[P search.Position[P]](ctx context.Context, e *engine.Engine[P], c SuiteConfig, out string, progress parallel.Progress) (int, error) {
	c.Rules, c.Workers = e.Rules, parallel.Workers(c.Workers)
	if err := atomicfile.Check(out); err != nil {
		return 0, err
	}
	if err := e.Spec.Search.CheckMemory(c.Workers); err != nil {
		return 0, err
	}
	scores, err := openScores(out+".journal", e)
	if err != nil {
		return 0, err
	}
	defer scores.log.Close()
	suite, err := suite(ctx, e.Kit.Game, c, scores.first(searches(e, c.Workers)), progress)
	if err != nil {
		return 0, err
	}
	if err := writeSuite(out, e.Kit.Game, suite, c.Made, provenance(e, c)...); err != nil {
		return 0, err
	}
	return len(suite), vfs.Remove(out + ".journal")
}

// searches scores positions by searches of the engine, each with an empty hash table.
func searches[P search.Position[P]](e *engine.Engine[P], workers int) scorer[P] {
	searchers := make([]engine.Searcher[P], workers)
	return func(ctx context.Context, worker int, p P) (int, error) {
		if searchers[worker] == nil {
			searchers[worker] = e.NewSearcher()
		}
		s := searchers[worker]
		s.Clear()
		r, err := s.Search(ctx, p, nil, e.Spec.Search.Limits(), search.Query{})
		return r.Score, err
	}
}

// knownScores is a journal of scores that survives restarts. Bound, number and seed of a suite do
// not affect the scores.
type knownScores[P search.Position[P]] struct {
	game   *games.Game[P]
	mu     sync.Mutex
	log    *journal.Journal[scored]
	scores map[string]int // by board
}

// scored is one record of the journal.
type scored struct {
	Board string `json:"board"`
	Score int    `json:"score"`
}

// suiteHeader is what a score depends on.
type suiteHeader struct {
	Game      string `json:"game"`
	Rules     string `json:"rules"`
	Limits    string `json:"limits"`
	Engine    string `json:"engine"`
	Evaluator string `json:"evaluator"`
}

func openScores[P search.Position[P]](path string, e *engine.Engine[P]) (*knownScores[P], error) {
	s := &knownScores[P]{game: e.Kit.Game, scores: map[string]int{}}
	header := suiteHeader{e.Kit.Game.Name, e.Rules, e.Limits(), e.Signature(), e.Eval.Name}
	var err error
	s.log, err = journal.Open(path, "kroo-openings 2", header, journal.JSON[scored](), func(r scored) error {
		s.scores[r.Board] = r.Score
		return nil
	})
	return s, err
}

// first wraps a scorer so that it scores only unknown positions.
func (s *knownScores[P]) first(score scorer[P]) scorer[P] {
	return func(ctx context.Context, worker int, p P) (int, error) {
		board := s.game.Print(p)
		s.mu.Lock()
		found, known := s.scores[board]
		s.mu.Unlock()
		if known {
			return found, nil
		}
		found, err := score(ctx, worker, p)
		if err != nil {
			return 0, err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		return found, s.log.Append(scored{board, found})
	}
}

// provenance returns tags that describe how the openings of a file were found.
func provenance[P search.Position[P]](e *engine.Engine[P], c SuiteConfig) []games.Tag {
	draw := "all"
	if c.N > 0 {
		draw = strconv.Itoa(c.N) + ", seed " + strconv.FormatUint(c.Seed, 10)
	}
	return []games.Tag{
		{Name: "Event", Value: "openings of " + strconv.Itoa(c.Plies) + " plies within " + strconv.Itoa(c.Bound) + " centi-seeds"},
		{Name: "Draw", Value: draw},
		{Name: "Limits", Value: e.Limits()},
		{Name: "Engine", Value: e.Signature()},
		{Name: "Evaluator", Value: e.Eval.Name},
	}
}
