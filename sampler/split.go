package sampler

import (
	"kroo/engine/search"
	"kroo/games"
)

// inValidation tells whether a position belongs to the validation file. A hash
// of the seed and of its game, or else of its orbit, decides: positions of one
// game are together, and so are those that mirror each other.
func inValidation[P search.Position[P]](g *games.Game[P], cfg Config, d drawn[P]) bool {
	what := uint64(g.Orbit(d.position))
	if d.game > 0 {
		what = mix(uint64(d.game))
	}
	return float64(mix(what^mix(cfg.Seed))>>11)/(1<<53) < cfg.Split
}

// mix is the finalizer of splitmix64 (Steele, Lea, Flood 2014).
func mix(h uint64) uint64 {
	h += 0x9e37_79b9_7f4a_7c15
	h = (h ^ h>>30) * 0xbf58_476d_1ce4_e5b9
	h = (h ^ h>>27) * 0x94d0_49bb_1331_11eb
	return h ^ h>>31
}
