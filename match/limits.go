package match

import "kroo/engine"

// Conditions says how a match is played.
type Conditions struct {
	Pairs        int `toml:"pairs"`         // of games, sides swapped
	OpeningPlies int `toml:"opening_plies"` // random moves before the players take over
	engine.Config
}
