package sampler

import (
	"cmp"
	"fmt"

	"kroo/engine"
	"kroo/games"
	"kroo/internal/spec"
)

// The sampling methods.
const (
	Uniform = "uniform" // every position equally likely; in games that cannot do this, as games.Info.Draws describes
	PPS     = "pps"     // proportional to the number of captured seeds
	played  = "games"   // self-play
	file    = "file"    // a file of games or boards
	Mix     = "mix"     // several methods, by shares
)

var methods = []string{Uniform, PPS, played, file, Mix}

// The populations of uniform and pps: boards on which the game is not over, and of these
const (
	fromReachable = "reachable" // those in which no store has exactly one seed
	Thesis        = "thesis"    // all (Sala Soler 2014)
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

	Strict bool `name:"strict" help:"file: a game that cannot be read is an error"`
	read   *read

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

// results reports whether the positions come from games with recorded outcomes.
func (c Config) results() bool {
	return c.Plays() || c.uses(file) && games.IsRecords(c.From)
}

// withDefaults fills in the defaults for a game and checks the configuration.
func (c Config) withDefaults(info games.Info) (Config, error) {
	var defaults Config
	spec.Default(&defaults)
	c.Rules, c.Population = cmp.Or(c.Rules, info.Rules[0]), cmp.Or(c.Population, fromReachable)
	c.HashMB, c.Every = cmp.Or(c.HashMB, defaults.HashMB), cmp.Or(c.Every, defaults.Every)
	c.OpeningPlies, c.RandomMoves = cmp.Or(c.OpeningPlies, defaults.OpeningPlies), cmp.Or(c.RandomMoves, defaults.RandomMoves)
	if c.MinPhase == nil {
		c.MinPhase = new(int)
		if info.Name == owareName && c.Plays() {
			*c.MinPhase = defaultMinSeeds
		}
	}
	if err := info.CheckRules(c.Rules); err != nil {
		return c, err
	}
	return c, c.Check()
}

// Check returns an error if the configuration is invalid for every game.
func (c Config) Check() error {
	c.HashMB, c.Every = cmp.Or(c.HashMB, 1), cmp.Or(c.Every, 1)
	if err := spec.Check(&c); err != nil {
		return err
	}
	if c.Method == Mix {
		if _, err := parseShares(c.Shares); err != nil {
			return err
		}
	}
	if c.uses(file) != (c.From != "") {
		return fmt.Errorf("the method %s with the file %q: expected a file for %s, and for no other", c.Method, c.From, file)
	}
	return nil
}
