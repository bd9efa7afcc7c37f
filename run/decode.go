package run

import (
	"fmt"

	"kroo/internal/stricttoml"
)

// decode reads a configuration without checking values.
func decode(text string) (*Config, error) {
	var c struct {
		Seed int64 `toml:"seed"` // hides the unsigned one, into which the decoder puts a negative number
		Config
	}
	if err := stricttoml.Decode(text, &c, "`train run --print-config` prints a configuration with every setting"); err != nil {
		return nil, err
	}
	if c.Seed < 0 {
		return nil, fmt.Errorf("seed is %d: expected 0 or more", c.Seed)
	}
	c.Config.Seed = uint64(c.Seed)
	return &c.Config, nil
}
