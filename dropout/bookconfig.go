package dropout

import "kroo/engine"

// BookConfig says how the opening book is grown.
type BookConfig struct {
	Expansions int     `toml:"expansions"`
	Sides      string  `toml:"sides"` // both, south or north
	Omega      float64 `toml:"omega"`
	engine.Config
}
