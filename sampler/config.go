package sampler

import (
	"fmt"

	"kroo/games/oware"
)

// The methods.
const (
	Uniform = "uniform" // every position equally likely
	PPS     = "pps"     // proportional to the number of seeds captured
)

// MaxN is the largest sample.
const MaxN = 100_000_000

// Config says what to draw.
type Config struct {
	Method string      `toml:"method"` // Uniform or PPS
	N      int         `toml:"n"`      // positions, 1…MaxN
	Seed   uint64      `toml:"-"`      // any number; decides the positions
	Rules  oware.Rules `toml:"-"`      // decide which boards end the game
}

// Check says what is wrong with a configuration.
func (c Config) Check() error {
	if c.Method != Uniform && c.Method != PPS {
		return fmt.Errorf("sampler: unknown method %q: expected %s or %s", c.Method, Uniform, PPS)
	}
	if c.N < 1 || c.N > MaxN {
		return fmt.Errorf("sampler: n is %d: expected 1 to %d", c.N, MaxN)
	}
	if _, err := oware.ParseRules(c.Rules.String()); err != nil {
		return fmt.Errorf("sampler: %w", err)
	}
	return nil
}
