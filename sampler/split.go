package sampler

import (
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/checksum"
)

// inValidation tells whether a position belongs to the validation file. A hash
// of the seed and of its game, or else of its orbit, decides: positions of one
// game are together, and so are those that mirror each other.
func inValidation[P search.Position[P]](g *games.Game[P], cfg Config, d drawn[P]) bool {
	if cfg.Split == 0 {
		return false
	}
	what := uint64(g.Orbit(d.position))
	if d.game > 0 {
		what = checksum.Mix(uint64(d.game))
	}
	return float64(checksum.Mix(what^checksum.Mix(cfg.Seed))>>11)/(1<<53) < cfg.Split
}
