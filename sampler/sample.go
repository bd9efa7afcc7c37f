package sampler

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
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
	// Labelled reports whether the file had labels, so that the output is a dataset of labels.
	Labelled bool     `json:"labelled"`
	Clamped  int64    `json:"clamped"`   // labels limited to ±1000
	BadGames int64    `json:"bad_games"` // unreadable games of the file, left out
	FirstBad []string `json:"first_bad"`
	Repeated int64    `json:"repeated"` // positions that repeat an earlier one or its mirror image, left out
	Gathered int64    `json:"gathered"` // games of the file whose last move notes the seeds that its side collects at the end
}

// Sample draws positions and writes them to a positions table at out, and with a split also to
// [ValidationPath]; a file with labels gives labels tables. spec plays the games of self-play, with
// the configuration's search limits. Games are kept in out.journal, so the same call resumes after
// an interruption. The journal remains until [RemoveJournal]. tool is the program's revision, for
// the tables' meta.
func Sample[P search.Position[P]](ctx context.Context, k engine.Kit[P], cfg Config, spec engine.Spec, out, tool string, progress parallel.Progress) (Summary, error) {
	cfg, err := cfg.withDefaults(k.Game.Info)
	if err != nil {
		return Summary{}, err
	}
	if err := checkOutputs(cfg, out); err != nil {
		return Summary{}, err
	}
	var e *engine.Engine[P] // plays the games
	if cfg.Plays() {
		spec.Search = cfg.Searches()
		if e, err = engine.Open(ctx, k, spec, cfg.Rules); err != nil {
			return Summary{}, err
		}
		defer e.Close()
	}
	cfg.read = new(reading)
	in := source(ctx, k, cfg, e, journalName(out))
	if cfg.Method == file {
		in = cached(in)
	}
	sum, err := survey(k.Game, cfg, in, progress)
	if err != nil {
		return sum, err
	}
	sum.Clamped, sum.BadGames, sum.FirstBad, sum.Gathered = cfg.read.Clamped, cfg.read.Rows, cfg.read.First, cfg.read.Gathered
	sum.Repeated = cfg.read.Repeated
	meta := datasets.Meta{
		Game: k.Game.Name, Rules: cfg.Rules, Seed: cfg.Seed,
		Method: describe(cfg, e), Engine: program(e), Tool: tool, Note: cfg.note(k.Game.Info), Made: cfg.Made,
		Has: datasets.Has{Results: cfg.results()},
	}
	meta.Kind, sum.Labelled = datasets.Positions, cfg.Method == file && cfg.read.labelled // a mix has rows without labels
	if sum.Labelled {
		meta.Kind, meta.Evaluator, meta.Limits, meta.Grouped = datasets.Labels, "labels of "+filepath.Base(cfg.From), "none", true
	}
	return sum, write(k.Game, cfg, out, meta, in)
}

// checkOutputs checks whether the files of a sample can be written.
func checkOutputs(cfg Config, out string) error {
	if err := datasets.CheckOutput(out); err != nil || cfg.Split == 0 {
		return err
	}
	return datasets.CheckOutput(ValidationPath(out))
}

// write writes the rows to out, and with a split some to the validation file.
func write[P search.Position[P]](g *games.Game[P], cfg Config, out string, meta datasets.Meta, in stream[P]) error {
	err := datasets.Write(g, out, meta, part(g, cfg, in, false))
	if err != nil || cfg.Split == 0 {
		return err
	}
	return datasets.Write(g, ValidationPath(out), meta, part(g, cfg, in, true))
}

// survey draws the whole sample once and counts it. Slow parts leave a journal, so drawing again
// for writing is fast.
func survey[P search.Position[P]](g *games.Game[P], cfg Config, in stream[P], progress parallel.Progress) (sum Summary, err error) {
	const pause = 256
	drawn := 0
	progress.At(0, int64(cfg.N))
	for d, err := range in {
		if err != nil {
			of := fmt.Sprintf(" of %d", cfg.N)
			switch {
			case drawn == 0:
				return sum, err
			case cfg.N == MaxN: // all available
				of = ""
			}
			return sum, fmt.Errorf("stopped after %d%s positions: %w", drawn, of, err)
		}
		sum.Games = max(sum.Games, int(d.Game))
		if inValidation(g, cfg, d) {
			sum.Validation++
		} else {
			sum.Positions++
		}
		if drawn++; drawn%pause == 0 {
			progress.At(int64(drawn), int64(cfg.N))
		}
	}
	if drawn == 0 {
		return sum, fmt.Errorf("%s: no position in it", cfg.From)
	}
	progress.At(int64(drawn), int64(drawn))
	return sum, sum.checkSplit(cfg)
}

// checkSplit refuses a split that leaves one of the files empty: games are not divided, so all of a
// few games may be on one side. Without this check, the labels would be wasted.
func (s Summary) checkSplit(cfg Config) error {
	if cfg.Split == 0 || s.Positions > 0 && s.Validation > 0 {
		return nil
	}
	what := "single positions"
	if s.Games > 0 {
		what = fmt.Sprintf("%d games, which are not divided", s.Games)
	}
	return fmt.Errorf("a split of %g leaves %d positions to train on and %d to validate on, of %s: take more positions or another share",
		cfg.Split, s.Positions, s.Validation, what)
}

// source is the stream of a configuration: of its method, or of those of a mix in turn, with
// distinct positions unless drawn with replacement.
func source[P search.Position[P]](ctx context.Context, k engine.Kit[P], cfg Config, e *engine.Engine[P], journal string) stream[P] {
	if cfg.Method == Uniform || cfg.Method == PPS {
		return first(cfg.N, random(ctx, k.Game, cfg))
	}
	return func(yield func(datasets.Row[P], error) bool) {
		parts := []share{{cfg.Method, 1, cfg.N}}
		if cfg.Method == Mix {
			parts, _ = parseShares(cfg.Shares) // Check has parsed them
			parts = divide(parts, cfg.N)
		}
		seen, repeated := map[int64]struct{}{}, &cfg.read.Repeated
		*repeated = 0
		var last, before int32 // number of the last game, and of the last before this part
		for _, part := range parts {
			c := cfg
			c.Method, before = part.method, last
			draws := c.Method != file && c.Method != fromBook
			for d, err := range first(part.n, distinct(k.Game, seen, draws, repeated, one(ctx, k, c, e, journal))) {
				if d.Game > 0 {
					d.Game += before // each method counts from 1
					last = max(last, d.Game)
				}
				if !yield(d, err) || err != nil {
					return
				}
			}
		}
	}
}

// one is the stream of a method.
func one[P search.Position[P]](ctx context.Context, k engine.Kit[P], cfg Config, e *engine.Engine[P], journal string) stream[P] {
	switch cfg.Method {
	case Games:
		return selfPlay(ctx, cfg, e, journal)
	case fromBook:
		return bookNodes(k.Game, cfg)
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
