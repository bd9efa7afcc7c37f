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

// Presets are the recipes there are. Their costs are for two cores that visit
// 11 million positions a second each.
func Presets() []Preset {
	both := BookConfig{Sides: string(ForBoth), Omega: DefaultOmega}
	byNodes := func(nodes int64) BookConfig {
		c := both
		c.Config = engine.Config{Nodes: nodes, HashMB: 64}
		return c
	}
	thesis := both
	thesis.Config = engine.Config{MoveTime: engine.Duration{Duration: 10 * time.Second}, HashMB: 64}
	return []Preset{
		{
			Name: "default", Text: "the program's own book: 50 000 searches of 5 million positions, about three hours",
			BookConfig: byNodes(5_000_000), Stop: Stop{Evaluations: 50_000},
		},
		{
			Name: "night", Text: "as many searches as the thesis, 162 889, of 4 million positions: about eight hours",
			BookConfig: byNodes(4_000_000), Stop: Stop{Evaluations: thesisSearches},
		},
		{
			Name: "thesis", Text: `162 889 searches of 10 s: 452 hours of searching, 226 on two cores (the source says "about 250 h" of the same figures); it depends on the machine`,
			BookConfig: thesis, Stop: Stop{Evaluations: thesisSearches},
		},
	}
}
