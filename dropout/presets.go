package dropout

import (
	"time"

	"kroo/engine"
)

// Preset is a recipe for a book.
type Preset struct {
	Name string
	Text string // what it is, and what it costs
	BookConfig
	Stop Stop
}

// thesisSearches are the positions that Sala Soler's book took (2014).
const thesisSearches = 162_889

// Presets are the recipes there are. Their costs are for two cores, both busy, that
// visit 4.5 million positions a second each with the default weights.
func Presets() []Preset {
	both := BookConfig{Sides: string(ForBoth), Omega: DefaultOmega}
	byNodes := func(nodes int64, hashMB int) BookConfig {
		c := both
		c.Config = engine.Config{Nodes: nodes, HashMB: hashMB}
		return c
	}
	thesis := both
	thesis.Config = engine.Config{MoveTime: engine.Duration{Duration: 10 * time.Second}, HashMB: 64}
	return []Preset{
		{
			Name: "default", Text: "as the program's own book was made, with more searches: 50 000 of 2 million positions, about three hours",
			BookConfig: byNodes(2_000_000, 16), Stop: Stop{Evaluations: 50_000},
		},
		{
			Name: "night", Text: "as many searches as the thesis, 162 889, of 1.5 million positions: about eight hours",
			BookConfig: byNodes(1_500_000, 16), Stop: Stop{Evaluations: thesisSearches},
		},
		{
			Name: "thesis", Text: `162 889 searches of 10 s: 452 hours of searching, 226 on two cores (the source says "about 250 h" of the same figures); it depends on the machine`,
			BookConfig: thesis, Stop: Stop{Evaluations: thesisSearches},
		},
	}
}
