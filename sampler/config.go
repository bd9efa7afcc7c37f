package sampler

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/parallel"
)

// The methods.
const (
	Uniform  = "uniform" // every position equally likely; in games where nobody can draw so, what games.Info.Draws says
	PPS      = "pps"     // proportional to the number of seeds captured
	Games    = "games"   // of self-play
	fromBook = "book"    // of an opening book
	file     = "file"    // of a file of games, boards or scores
	Mix      = "mix"     // of several methods, by shares
)

var methods = []string{Uniform, PPS, Games, fromBook, file, Mix}

// Methods are the names of the methods.
func Methods() []string { return methods }

// The populations that uniform and pps draw from: boards on which the game is
// not over, and of these
const (
	fromReachable = "reachable" // those without a store of exactly one seed
	Thesis        = "thesis"    // all (Sala Soler 2014)
)

// MaxN is the largest sample.
const MaxN = 100_000_000

// Config says what to draw. Of the fields that only some methods use, zero is
// the default.
type Config struct {
	Method     string  `toml:"method"`
	N          int     `toml:"n"`                    // positions, 1…MaxN; fewer if the method runs out of them
	Population string  `toml:"population,omitempty"` // uniform and pps: "reachable" (default) or "thesis"
	From       string  `toml:"from,omitempty"`       // book: a book file; file: the file
	Shares     string  `toml:"shares,omitempty"`     // mix: "games=0.7,uniform=0.3"
	Split      float64 `toml:"split,omitempty"`      // share of the validation file, 0…0.5

	// Tables of the method file, as datasets.Foreign has them.
	ScoreColumn  string  `toml:"score_column,omitempty"`
	ScoreUnit    float64 `toml:"score_unit,omitempty"`
	ScoreView    string  `toml:"score_view,omitempty"`
	ResultColumn string  `toml:"result_column,omitempty"`
	Strict       bool    `toml:"strict,omitempty"` // a game of the file that cannot be read is an error
	read         *reading

	// Self-play.
	Nodes        int64           `toml:"nodes,omitempty"`         // of each search (default 500, without depth and movetime)
	Depth        int             `toml:"depth,omitempty"`         // plies of each search
	MoveTime     engine.Duration `toml:"movetime,omitempty"`      // of each search
	HashMB       int             `toml:"hash_mb,omitempty"`       // hash table of each searcher (default 1)
	Tables       string          `toml:"tables,omitempty"`        // endgame tables, as engine.Config has them
	OpeningPlies int             `toml:"opening_plies,omitempty"` // games begin with 0 to so many random moves (default 11, -1 for none)
	RandomMoves  float64         `toml:"random_moves,omitempty"`  // share of random moves later (default 0.08, -1 for none)
	MinPhase     int             `toml:"min_phase,omitempty"`     // games: no positions below this phase (default 8 seeds in oware, -1 for none)
	Every        int             `toml:"every,omitempty"`         // keep one position of so many, at random (default 1)

	Seed    uint64 `toml:"-"` // any number; decides the positions
	Rules   string `toml:"-"` // "" is the game's default
	Made    string `toml:"-"` // what the tables' manifests say of their making; "" is nothing
	Workers int    `toml:"-"` // games played at a time; 0 is one a processor
}

// The defaults of self-play.
const (
	DefaultNodes        = 500
	DefaultHashMB       = 1
	DefaultOpeningPlies = 11
	DefaultRandomMoves  = 0.08
	defaultMinSeeds     = 8 // oware: the default endgame tables know the rest
)

// Plays tells whether games are played.
func (c Config) Plays() bool { return c.uses(Games) }

// results tells whether the positions are from games, of which the outcome is recorded.
func (c Config) results() bool {
	return c.Plays() || c.uses(file) && games.IsRecords(c.From)
}

// normal fills in the defaults for a game and checks the configuration.
func (c Config) normal(info games.Info) (Config, error) {
	c.Rules, c.Population = cmp.Or(c.Rules, info.Rules[0]), cmp.Or(c.Population, fromReachable)
	c.HashMB = cmp.Or(c.HashMB, DefaultHashMB)
	c.OpeningPlies, c.RandomMoves, c.Every = cmp.Or(c.OpeningPlies, DefaultOpeningPlies), cmp.Or(c.RandomMoves, DefaultRandomMoves), cmp.Or(c.Every, 1)
	if info.Name == owareName && c.Plays() {
		c.MinPhase = cmp.Or(c.MinPhase, defaultMinSeeds)
	}
	c.OpeningPlies, c.RandomMoves, c.MinPhase = max(c.OpeningPlies, 0), max(c.RandomMoves, 0), max(c.MinPhase, 0)
	if err := info.CheckRules(c.Rules); err != nil {
		return c, err
	}
	return c, c.Check()
}

// Check says what is wrong with a configuration, whatever the game.
func (c Config) Check() error {
	if !slices.Contains(methods, c.Method) {
		return fmt.Errorf("unknown method %q: expected %s", c.Method, strings.Join(methods, ", "))
	}
	if c.Population != "" && c.Population != fromReachable && c.Population != Thesis {
		return fmt.Errorf("unknown population %q: expected %s or %s", c.Population, fromReachable, Thesis)
	}
	if c.Method == Mix {
		if _, err := parseShares(c.Shares); err != nil {
			return err
		}
	}
	if needs := c.uses(fromBook) || c.uses(file); needs != (c.From != "") || c.uses(fromBook) && c.uses(file) {
		return fmt.Errorf("the method %s with the file %q: expected a file for %s or %s, and for no other", c.Method, c.From, fromBook, file)
	}
	for _, b := range []struct {
		name           string
		v, least, most float64
	}{
		{"n", float64(c.N), 1, MaxN},
		{"split", c.Split, 0, 0.5},
		{"nodes", float64(c.Nodes), 0, 1e9},
		{"depth", float64(c.Depth), 0, search.MaxPly},
		{"seconds of movetime", c.MoveTime.Seconds(), 0, 86_400},
		{"hash_mb", float64(c.HashMB), 0, 1 << 16},
		{"opening_plies", float64(c.OpeningPlies), -1, 200},
		{"random_moves", c.RandomMoves, -1, 1},
		{"min_phase", float64(c.MinPhase), -1, 1000},
		{"every", float64(c.Every), 0, 1000},
		{"workers", float64(c.Workers), 0, parallel.MaxWorkers},
	} {
		if !(b.v >= b.least && b.v <= b.most) {
			return fmt.Errorf("%s is %s: expected %s to %s", b.name, plain(b.v), plain(b.least), plain(b.most))
		}
	}
	return nil
}

// plain writes a number without an exponent.
func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
