package sampler

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/internal/journal"
)

// journalName is where long work keeps its finished pieces until the output is
// written.
func journalName(out string) string { return out + ".journal" }

// RemoveJournal clears away the finished pieces that [Sample] and [Label] have
// kept for out.
func RemoveJournal(out string) error { return journal.Remove(journalName(out)) }

// ValidationPath is the file beside out that Config.Split fills:
// games.parquet has games-validation.parquet.
func ValidationPath(out string) string {
	ext := filepath.Ext(out)
	return strings.TrimSuffix(out, ext) + "-validation" + ext
}

// Summary says what a sample holds.
type Summary struct {
	Positions  int // in the file
	Validation int // in the validation file
	Games      int // that the positions come from; 0 for methods without games
}

// Sample draws positions and writes them to a positions table at out, and with
// a split to another at [ValidationPath]. eval plays the games of the methods
// that have some. Games are kept in out.journal: the same call goes on from there
// after an interruption. The journal stays until [RemoveJournal]. tool is the
// revision of the program, for the tables' meta. progress may be nil.
func Sample[P search.Position[P]](ctx context.Context, k engine.Kit[P], cfg Config, eval engine.Evaluation[P], out, tool string, progress func(done, total int64)) (Summary, error) {
	cfg, err := cfg.normal(k.Game.Info)
	if err != nil {
		return Summary{}, err
	}
	if progress == nil {
		progress = func(int64, int64) {}
	}
	in := first(cfg.N, source(ctx, k, cfg, eval, journalName(out)))
	sum, err := survey(k.Game.Name, cfg, in, progress)
	if err != nil {
		return sum, fmt.Errorf("sampler: stopped after %d of %d positions: %w", sum.Positions, cfg.N, err)
	}
	meta := datasets.Meta{
		Kind: datasets.Positions, Game: k.Game.Name, Rules: cfg.Rules, Seed: cfg.Seed,
		Method: cfg.describe(eval.Name), Tool: tool, Note: cfg.note(),
	}
	sum.Positions, sum.Validation = 0, 0
	err = datasets.Write(out, meta, rows(k.Game, in, func(d drawn[P]) bool {
		if cfg.Split > 0 && inValidation(k.Game, cfg, d) {
			sum.Validation++
			return false
		}
		sum.Positions++
		return true
	}))
	if err == nil && cfg.Split > 0 {
		err = datasets.Write(ValidationPath(out), meta, rows(k.Game, in, func(d drawn[P]) bool { return inValidation(k.Game, cfg, d) }))
	}
	return sum, err
}

// survey draws the whole sample once, for methods whose drawing is slow and
// leaves a journal: what is written afterwards is then at hand.
func survey[P search.Position[P]](name string, cfg Config, in stream[P], progress func(done, total int64)) (sum Summary, err error) {
	const pause = 256
	for d, err := range in {
		if err != nil {
			return sum, err
		}
		sum.Games = max(sum.Games, int(d.game))
		if sum.Positions++; sum.Positions%pause == 0 {
			progress(int64(sum.Positions), int64(cfg.N))
		}
	}
	if sum.Positions == 0 {
		return sum, fmt.Errorf("no position of %s to be had from %s", name, cfg.From)
	}
	progress(int64(sum.Positions), int64(sum.Positions))
	return sum, nil
}

// source is the stream of a method.
func source[P search.Position[P]](ctx context.Context, k engine.Kit[P], cfg Config, eval engine.Evaluation[P], journal string) stream[P] {
	if cfg.Method == Games {
		return distinct(k.Game, selfPlay(ctx, k, cfg, eval, journal))
	}
	return random(ctx, k.Game, cfg)
}

// describe is how the meta tells of the method.
func (c Config) describe(evaluation string) string {
	switch c.Method {
	case Games:
		return fmt.Sprintf("games: %s, nodes %d, hash %d MiB, 0 to %d random plies, then %g random moves, down to phase %d, one position of %d",
			evaluation, c.Nodes, c.HashMB, c.OpeningPlies, c.RandomMoves, c.MinPhase, c.Every)
	case Uniform, PPS:
		if c.Population == Thesis {
			return c.Method + ", population thesis"
		}
	}
	return c.Method
}

func (c Config) note() string {
	if c.Method == Uniform || c.Method == PPS {
		return fmt.Sprintf("%d positions, drawn with replacement", c.N)
	}
	return "each position once, its mirror image included"
}
