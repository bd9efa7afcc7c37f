// Package sampler draws positions and labels them.
//
// [Sample] writes positions by one of four methods, or by a mixture:
//
//   - "uniform": with replacement; in oware every board equally likely, South to
//     move, in other games as their descriptor defines (games.Info.Draws). Most
//     boards of oware, and so most of these, have many seeds in play.
//   - "pps", probability proportional to size (oware): a board's probability is
//     proportional to the number of captured seeds, 48 minus those in play, so
//     that late positions, rare among all boards, are included.
//   - "games": self-play of an evaluation. A game begins with a few random
//     moves; then short searches, and occasionally chance, choose the moves.
//   - "file": the positions of recorded games, or boards of your own.
//   - "mix": several of these, by shares.
//
// Uniform and pps are from Sala Soler 2014, which does not define "size"; captured
// seeds are our interpretation. Both draw from one of two populations: "reachable",
// the boards in which no store has exactly one seed, or "thesis", all boards. All
// other methods use each position once, mirror images included.
//
// [Label] searches each position and writes its score. [MeasureNoise] measures how
// much of such a label is noise.
//
// The same [Config] gives the same file with any number of workers. Long work is
// kept in a journal next to the output, from which the same call resumes;
// [RemoveJournal] deletes it. Tables are streamed: memory use is a few chunks of
// rows and, for samples without replacement, at most 12 bytes per position.
//
// Caveats: a board of the population "reachable" is not necessarily reachable in a
// game. Neighbouring positions of a game are nearly the same row: split by game, as
// Config.Split does, or keep one of several (Config.Every).
package sampler

import (
	"cmp"
	"context"
	"fmt"
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
	"kroo/internal/revision"
	"kroo/internal/spec"
	"kroo/internal/wording"
)

// The sampling methods.
const (
	Uniform = "uniform" // every position equally likely; in games that cannot do this, as games.Info.Draws describes
	PPS     = "pps"     // proportional to the number of captured seeds
	played  = "games"   // self-play
	file    = "file"    // a file of games or boards
	Mix     = "mix"     // several methods, by shares
)

// The populations of uniform and pps. Both leave out boards on which the game is over. fromReachable also
// leaves out boards with exactly one seed in a store. Thesis is the population of Sala Soler 2014.
const (
	fromReachable = "reachable"
	Thesis        = "thesis"
)

// MaxN is the largest sample size.
const MaxN = 100_000_000

// Config describes a sample. For fields that only some methods use, zero means the default.
type Config struct {
	Method     string  `name:"method" default:"uniform" choices:"uniform pps games file mix" help:"uniform, pps, games, file or mix"`
	N          int     `name:"n" default:"10000" range:"1..100000000" help:"positions (default for file: all)"` // fewer if the method runs out of positions
	Population string  `name:"population" choices:"reachable thesis" help:"uniform and pps: reachable (no store of one seed; default) or thesis (all boards)"`
	From       string  `name:"from" file:"in" help:"file: the file"`
	Shares     string  `name:"shares" help:"mix: methods and their shares, such as games=0.8,uniform=0.2"`
	Split      float64 `name:"split" range:"0..0.5" help:"share of positions that go to the file NAME-validation instead, 0 to 0.5"`

	Strict bool `name:"strict" help:"file: fail on a game that cannot be read, instead of leaving it out"`

	// Self-play. If only depth or time is limited, there is no node limit.
	Nodes        int64           `name:"nodes" range:"1..1000000000" group:"Search" help:"games: positions visited by each search (default 500, or no limit with --depth or --movetime alone)"`
	Depth        int             `name:"depth" range:"1..512" group:"Search" help:"games: depth of each search, in plies"`
	MoveTime     engine.Duration `name:"movetime" group:"Search" help:"games: time of each search, such as 20ms; not reproducible"`
	HashMB       int             `name:"hash_mb" flag:"hash" default:"1" range:"1..65536" group:"Search" help:"hash table of each searcher, in MiB"`
	Tables       string          `name:"tables" file:"in" group:"Search" help:"endgame tables: a file, a folder, or none (default those of the program)"`
	OpeningPlies *int            `name:"opening_plies" default:"11" range:"0..200" group:"Games" help:"games: maximum number of random moves at the beginning"`
	RandomMoves  *float64        `name:"random_moves" default:"0.08" range:"0..1" group:"Positions of generated games" help:"games: share of random moves after the opening"`
	MinPhase     *int            `name:"min_phase" range:"0..1000" group:"Positions of generated games" help:"games: minimum seeds in play of a position (default 8 in oware)"`
	Every        int             `name:"every" default:"1" range:"1..1000" group:"Positions of generated games" help:"games: keep one in this many positions, at random"`

	Seed    uint64 `name:"seed" default:"1" file:"-" help:"random seed: the same seed gives the same files"`
	Rules   string // "" means the game's default
	Made    string // command, for the tables' manifests; "" if unknown
	Workers int    `name:"workers" file:"-" range:"0..1024" group:"Search" made:"-" help:"searches at a time (default one per processor)"` // games played at a time
}

// The defaults of self-play.
const (
	defaultNodes    = 500
	defaultMinSeeds = 8 // oware: the default endgame tables answer positions with fewer
)

// Plays reports whether the method plays games.
func (c Config) Plays() bool { return c.uses(played) }

// uses reports whether a configuration draws by a method, alone or in a mix.
func (c Config) uses(method string) bool {
	if c.Method != Mix {
		return c.Method == method
	}
	list, _ := parseShares(c.Shares)
	return slices.ContainsFunc(list, func(s share) bool { return s.method == method })
}

// withDefaults fills in the defaults for a game and checks the configuration.
func (c Config) withDefaults(info games.Info) (Config, error) {
	var defaults Config
	spec.Default(&defaults)
	c.Rules = cmp.Or(c.Rules, info.Rules[0])
	c.Population = cmp.Or(c.Population, fromReachable)
	c.HashMB = cmp.Or(c.HashMB, defaults.HashMB)
	c.Every = cmp.Or(c.Every, defaults.Every)
	c.OpeningPlies = cmp.Or(c.OpeningPlies, defaults.OpeningPlies)
	c.RandomMoves = cmp.Or(c.RandomMoves, defaults.RandomMoves)
	if c.MinPhase == nil {
		c.MinPhase = new(int)
		if info.Name == owareName && c.Plays() {
			*c.MinPhase = defaultMinSeeds
		}
	}
	if *c.MinPhase > info.MaxPhase {
		return c, fmt.Errorf("min_phase is %d: expected at most %d, the maximum number of %s",
			*c.MinPhase, info.MaxPhase, info.PhaseName)
	}
	if err := info.CheckRules(c.Rules); err != nil {
		return c, err
	}
	return c, c.Check()
}

// Check returns an error if the configuration is invalid for every game.
func (c Config) Check() error {
	if err := spec.Check(&c); err != nil {
		return err
	}
	if c.Method == Mix {
		if _, err := parseShares(c.Shares); err != nil {
			return err
		}
	}
	switch {
	case c.uses(file) && c.From == "":
		return fmt.Errorf("the method %s without from: expected a file of games or boards, such as --from games.ogn", c.Method)
	case !c.uses(file) && c.From != "":
		return fmt.Errorf("from is %s, which the method %s does not read: expected --method %s", c.From, c.Method, file)
	}
	return nil
}

// RemoveJournal removes the journal that [Sample] or [Label] kept for out.
func RemoveJournal(out string) error { return journal.Remove(journal.PathOf(out)) }

// ValidationPath returns the file next to out that Config.Split fills: games-validation.parquet for
// games.parquet.
func ValidationPath(out string) string {
	ext := filepath.Ext(out)
	return strings.TrimSuffix(out, ext) + validationSuffix + ext
}

const validationSuffix = "-validation"

// MainPath returns the file that [ValidationPath] is next to, and true, or the file itself if it does not
// have such a name.
func MainPath(path string) (main string, isValidation bool) {
	ext := filepath.Ext(path)
	stem, isValidation := strings.CutSuffix(strings.TrimSuffix(path, ext), validationSuffix)
	return stem + ext, isValidation
}

// IsValidationPath reports whether a file has the name of one that ValidationPath returns.
func IsValidationPath(path string) bool {
	_, isValidation := MainPath(path)
	return isValidation
}

// Summary describes a sample.
type Summary struct {
	Positions  int `json:"positions"`  // in the file
	Validation int `json:"validation"` // in the validation file
	Games      int `json:"games"`      // number of games that the positions come from; 0 for methods without games
	readNotes
}

// Sample draws positions and writes them to a positions table at out, and with a split also to
// [ValidationPath]. spec plays the games of self-play, with the configuration's search limits. Games
// are kept in out.journal, so the same call resumes after an interruption. The journal remains until
// [RemoveJournal].
func Sample[P search.Position[P]](
	ctx context.Context, k engine.Kit[P], cfg Config, spec engine.Spec, out string, progress parallel.Progress,
) (sum Summary, err error) {
	cfg, err = cfg.withDefaults(k.Game.Info)
	if err != nil {
		return sum, err
	}
	var e *engine.Engine[P] // plays the games
	if cfg.Plays() {
		spec.Search = cfg.Searches()
		e, err = engine.Open(ctx, k, spec, cfg.Rules)
		if err != nil {
			return sum, err
		}
		defer e.Close()
	}
	validation := ValidationPath(out)
	if err := datasets.CheckOutput(out); err != nil {
		return sum, err
	}
	if cfg.Split > 0 {
		if err := datasets.CheckOutput(validation); err != nil {
			return sum, err
		}
	}
	meta := datasets.Meta{
		Kind: datasets.Positions, Game: k.Game.Name, Rules: cfg.Rules, Seed: cfg.Seed,
		Method: describe(cfg, e), Tool: revision.Get(), Note: cfg.note(k.Game.Info), Made: cfg.Made,
		OptionalColumns: datasets.OptionalColumns{Results: cfg.Plays() || cfg.uses(file) && games.IsRecords(cfg.From)},
	}
	if e != nil && e.Spec.Program.Path != "" {
		meta.Engine = e.Signature()
	}
	drawn := source(ctx, k, cfg, e, journal.PathOf(out), &sum.readNotes)
	err = datasets.Write(k.Game, out, meta, trainingRows(k.Game, &sum, cfg, drawn, progress))
	if err != nil || cfg.Split == 0 {
		return sum, err
	}
	return sum, datasets.Write(k.Game, validation, meta, validationRows(k.Game, cfg, drawn))
}

// trainingRows yields the positions of a stream that are not for validation, and counts all. It ends
// with an error if a file would be empty.
func trainingRows[P search.Position[P]](
	g *games.Game[P], sum *Summary, cfg Config, in stream[P], progress parallel.Progress,
) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		const pause = 256 // positions between reports
		drawn := 0
		progress.At(0, int64(cfg.N))
		for d, err := range in {
			if err != nil {
				yield(d, cfg.stoppedAfter(drawn, err))
				return
			}
			sum.Games = max(sum.Games, int(d.Game))
			if inValidation(g, cfg, d) {
				sum.Validation++
			} else {
				sum.Positions++
				if !yield(d, nil) {
					return
				}
			}
			drawn++
			if drawn%pause == 0 {
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

// stoppedAfter adds to an error how many positions were drawn before it.
func (c Config) stoppedAfter(drawn int, err error) error {
	switch {
	case drawn == 0:
		return err
	case c.N == MaxN:
		return fmt.Errorf("stopped after %s: %w", wording.Count(drawn, "position"), err)
	}
	return fmt.Errorf("stopped after %d of %d positions: %w", drawn, c.N, err)
}

// validationRows yields the positions of a stream that are for validation.
func validationRows[P search.Position[P]](g *games.Game[P], cfg Config, in stream[P]) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		for d, err := range in {
			if err == nil && !inValidation(g, cfg, d) {
				continue
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// check refuses an empty sample, and a split that leaves one of the files empty: games are not
// divided, so all of a few games may be on one side. Without this check, the labels would be wasted.
func (s Summary) check(cfg Config) error {
	switch {
	case s.Positions == 0 && s.Validation == 0 && cfg.Method == file:
		return fmt.Errorf("%s: no position in it", cfg.From)
	case s.Positions == 0 && s.Validation == 0:
		return fmt.Errorf("the method %s found no position", cfg.Method)
	case cfg.Split == 0 || s.Positions > 0 && s.Validation > 0:
		return nil
	}
	what := "single positions"
	if s.Games > 0 {
		what = fmt.Sprintf("%d games, which are not divided", s.Games)
	}
	return fmt.Errorf("a split of %g leaves %d positions to train on and %d to validate on, of %s: take more "+
		"positions or another share",
		cfg.Split, s.Positions, s.Validation, what)
}

// inValidation reports whether a position belongs to the validation file. It depends on a hash of the
// seed and of the game, or of the situation if there is no game: so no cluster of rows is divided
// ([datasets.ClusterOf]).
//
// Rows are split in two more places, also by cluster: package regress divides them into the folds of a
// cross-validation (labelledRows.folds) and takes shares of them for a learning curve (inShare). It
// leaves out of the validation what the training rows have in common with it all the same.
func inValidation[P search.Position[P]](g *games.Game[P], cfg Config, d datasets.Row[P]) bool {
	if cfg.Split == 0 {
		return false
	}
	unit := uint64(datasets.SituationOf(g, d.Position)) // what the split does not divide
	if d.Game > 0 {
		unit = checksum.Mix(uint64(d.Game))
	}
	return float64(checksum.Mix(unit^checksum.Mix(cfg.Seed))>>11)/(1<<53) < cfg.Split
}

// Searches returns the search settings of self-play.
func (c Config) Searches() engine.Config {
	e := engine.Config{Nodes: c.Nodes, Depth: c.Depth, MoveTime: c.MoveTime, HashMB: c.HashMB, Tables: c.Tables}
	if e.Limits() == (search.Limits{}) {
		e.Nodes = defaultNodes
	}
	return e
}

// describe returns the meta's description of the method. e plays the games, if any.
func describe[P search.Position[P]](c Config, e *engine.Engine[P]) string {
	what := c.Method
	if c.Method == Mix {
		what += " " + c.Shares
	}
	if e != nil {
		what += fmt.Sprintf("; games by %s, %s, 0 to %d random plies, then a share of %g random moves, down to "+
			"phase %d, one position of %d",
			e.Eval.Name, e.LimitsText(), *c.OpeningPlies, *c.RandomMoves, *c.MinPhase, c.Every)
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
