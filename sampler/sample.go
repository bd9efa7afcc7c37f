package sampler

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/checksum"
	"kroo/internal/journal"
	"kroo/internal/parallel"
)

// journalName is the journal of an output.
func journalName(out string) string { return out + ".journal" }

// RemoveJournal removes the journal that [Sample] or [Label] kept for out.
func RemoveJournal(out string) error { return journal.Remove(journalName(out)) }

// ValidationPath returns the file next to out that Config.Split fills: games-validation.parquet for
// games.parquet.
func ValidationPath(out string) string {
	ext := filepath.Ext(out)
	return strings.TrimSuffix(out, ext) + "-validation" + ext
}

// Summary describes a sample.
type Summary struct {
	Positions  int `json:"positions"`  // in the file
	Validation int `json:"validation"` // in the validation file
	Games      int `json:"games"`      // number of games that the positions come from; 0 for methods without games
	read
}

// Sample draws positions and writes them to a positions table at out, and with a split also to
// [ValidationPath]. spec plays the games of self-play, with the configuration's search limits. Games
// are kept in out.journal, so the same call resumes after an interruption. The journal remains until
// [RemoveJournal]. tool is the program's revision, for the tables' meta.
func Sample[P search.Position[P]](ctx context.Context, k engine.Kit[P], cfg Config, spec engine.Spec, out, tool string, progress parallel.Progress) (sum Summary, err error) {
	if cfg, err = cfg.withDefaults(k.Game.Info); err != nil {
		return sum, err
	}
	var e *engine.Engine[P] // plays the games
	if cfg.Plays() {
		spec.Search = cfg.Searches()
		if e, err = engine.Open(ctx, k, spec, cfg.Rules); err != nil {
			return sum, err
		}
		defer e.Close()
	}
	cfg.read = &sum.read
	meta := datasets.Meta{
		Kind: datasets.Positions, Game: k.Game.Name, Rules: cfg.Rules, Seed: cfg.Seed,
		Method: describe(cfg, e), Engine: program(e), Tool: tool, Note: cfg.note(k.Game.Info), Made: cfg.Made,
		Has: datasets.Has{Results: cfg.results()},
	}
	in := source(ctx, k, cfg, e, journalName(out))
	if err := datasets.CheckOutput(out); err != nil {
		return sum, err
	}
	if cfg.Split == 0 {
		return sum, datasets.Write(k.Game, out, meta, counted(&sum, cfg, in, progress, func(datasets.Row[P]) bool { return false }))
	}
	if err := datasets.CheckOutput(ValidationPath(out)); err != nil {
		return sum, err
	}
	validates := func(d datasets.Row[P]) bool { return inValidation(k.Game, cfg, d) }
	if err := datasets.Write(k.Game, out, meta, counted(&sum, cfg, in, progress, validates)); err != nil {
		return sum, err
	}
	return sum, datasets.Write(k.Game, ValidationPath(out), meta, func(yield func(datasets.Row[P], error) bool) {
		for d, err := range in {
			if (err != nil || validates(d)) && !yield(d, err) {
				return
			}
		}
	})
}

// stream is a repeatable sequence of drawn positions, with their games. An error ends it.
type stream[P search.Position[P]] = iter.Seq2[datasets.Row[P], error]

// counted yields the positions of a stream that are not for validation, and counts all. It ends with
// an error if a file would be empty.
func counted[P search.Position[P]](sum *Summary, cfg Config, in stream[P], progress parallel.Progress, validates func(datasets.Row[P]) bool) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		const pause = 256
		drawn := 0
		progress.At(0, int64(cfg.N))
		for d, err := range in {
			if err != nil {
				if of := fmt.Sprintf(" of %d", cfg.N); drawn > 0 {
					err = fmt.Errorf("stopped after %d%s positions: %w", drawn, strings.TrimSuffix(of, fmt.Sprintf(" of %d", MaxN)), err)
				}
				yield(d, err)
				return
			}
			sum.Games = max(sum.Games, int(d.Game))
			if validates(d) {
				sum.Validation++
			} else if sum.Positions++; !yield(d, nil) {
				return
			}
			if drawn++; drawn%pause == 0 {
				progress.At(int64(drawn), int64(cfg.N))
			}
		}
		if err := sum.check(cfg); err != nil {
			yield(datasets.Row[P]{}, err)
			return
		}
		progress.At(int64(drawn), int64(drawn))
	}
}

// check refuses an empty sample, and a split that leaves one of the files empty: games are not
// divided, so all of a few games may be on one side. Without this check, the labels would be wasted.
func (s Summary) check(cfg Config) error {
	switch {
	case s.Positions == 0 && s.Validation == 0:
		return fmt.Errorf("%s: no position in it", cfg.From)
	case cfg.Split == 0 || s.Positions > 0 && s.Validation > 0:
		return nil
	}
	what := "single positions"
	if s.Games > 0 {
		what = fmt.Sprintf("%d games, which are not divided", s.Games)
	}
	return fmt.Errorf("a split of %g leaves %d positions to train on and %d to validate on, of %s: take more positions or another share",
		cfg.Split, s.Positions, s.Validation, what)
}

// inValidation reports whether a position belongs to the validation file. It depends on a hash of
// the seed and of the game, or of the orbit if there is no game: so positions of one game stay
// together, as do mirror images.
func inValidation[P search.Position[P]](g *games.Game[P], cfg Config, d datasets.Row[P]) bool {
	what := uint64(g.Orbit(d.Position))
	if d.Game > 0 {
		what = checksum.Mix(uint64(d.Game))
	}
	return float64(checksum.Mix(what^checksum.Mix(cfg.Seed))>>11)/(1<<53) < cfg.Split
}

// source is the stream of a configuration: n positions of its method, or of those of a mix in turn,
// each position once unless drawn with replacement.
func source[P search.Position[P]](ctx context.Context, k engine.Kit[P], cfg Config, e *engine.Engine[P], journal string) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		parts := []share{{cfg.Method, 1, cfg.N}}
		if cfg.Method == Mix {
			parts, _ = parseShares(cfg.Shares) // Check has parsed them
			parts = slices.DeleteFunc(divide(parts, cfg.N), func(s share) bool { return s.n == 0 })
		}
		seen, distinct := map[int64]struct{}{}, cfg.Method != Uniform && cfg.Method != PPS
		cfg.read.Repeated = 0
		var last int32 // number of the last game
		for _, part := range parts {
			c, before, left, again := cfg, last, part.n, 0
			c.Method = part.method
			for d, err := range one(ctx, k, c, e, journal) {
				if err == nil && distinct {
					orbit := k.Game.Orbit(d.Position)
					if _, there := seen[orbit]; there {
						cfg.read.Repeated++
						if again++; again == maxRepeats && c.Method != file {
							break
						}
						continue
					}
					again = 0
					seen[orbit] = struct{}{}
				}
				if d.Game > 0 {
					d.Game += before // each method counts from 1
					last = max(last, d.Game)
				}
				if !yield(d, err) || err != nil {
					return
				}
				if left--; left == 0 {
					break
				}
			}
		}
	}
}

// maxRepeats is the number of consecutive duplicates that ends a drawing stream: small games run out
// of positions.
const maxRepeats = 100_000

// one is the stream of a method.
func one[P search.Position[P]](ctx context.Context, k engine.Kit[P], cfg Config, e *engine.Engine[P], journal string) stream[P] {
	switch cfg.Method {
	case played:
		return selfPlay(ctx, cfg, e, journal)
	case file:
		return fromFile(ctx, k.Game, cfg)
	}
	return random(ctx, k.Game, cfg)
}

// Searches returns the search settings of self-play.
func (c Config) Searches() engine.Config {
	e := engine.Config{Nodes: c.Nodes, Depth: c.Depth, MoveTime: c.MoveTime, HashMB: c.HashMB, Tables: c.Tables}
	if e.Limits() == (search.Limits{}) {
		e.Nodes = defaultNodes
	}
	return e
}

// program is the signature of the program that plays the games, "" if no games are played.
func program[P search.Position[P]](e *engine.Engine[P]) string {
	if e == nil || e.Spec.Program.Path == "" {
		return ""
	}
	return e.Signature()
}

// describe returns the meta's description of the method. e plays the games, if any.
func describe[P search.Position[P]](c Config, e *engine.Engine[P]) string {
	what := c.Method
	if c.Method == Mix {
		what += " " + c.Shares
	}
	if e != nil {
		what += fmt.Sprintf("; games by %s, %s, 0 to %d random plies, then a share of %g random moves, down to phase %d, one position of %d",
			e.Eval.Name, e.Limits(), *c.OpeningPlies, *c.RandomMoves, *c.MinPhase, c.Every)
	}
	if c.Population == Thesis {
		what += "; population thesis"
	}
	if c.From != "" {
		what += "; from " + filepath.Base(c.From)
	}
	return what
}

// note describes properties of the positions that the method's name does not imply.
func (c Config) note(info games.Info) string {
	switch {
	case c.Method == Uniform && c.Population == fromReachable:
		return fmt.Sprintf("%d positions, drawn with replacement: %s", c.N, info.Draws)
	case c.Method == Uniform || c.Method == PPS:
		return fmt.Sprintf("%d positions, drawn with replacement", c.N)
	}
	return "each position once, its mirror image included"
}
