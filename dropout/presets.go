package dropout

import (
	"time"

	"kroo/book"
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

// ChampionOmega is ω for searches with the default weights. Their scores are small in
// the opening: a score of one seed there is worth 2.9 seeds at the end of the game
// (docs/champion). So the same loss needs a larger factor than book.DefaultOmega. Measured: a
// book of 30 000 searches lasts 8.2 moves a game against an opponent who varies, with
// ω = 2 it lasts 6.8, with 32 7.2 (docs/book.md).
const ChampionOmega = 8

// Presets are the recipes there are. Their costs are for two cores, both busy, that
// visit 4.5 million positions a second each with the default weights.
func Presets() []Preset {
	both := BookConfig{Sides: string(book.ForBoth), Omega: book.DefaultOmega}
	byNodes := func(nodes int64, hashMB int) BookConfig {
		c := both
		c.Omega = ChampionOmega
		c.Config = engine.Config{Nodes: nodes, HashMB: hashMB}
		return c
	}
	thesis := both
	thesis.Config = engine.Config{MoveTime: engine.Duration{Duration: 10 * time.Second}, HashMB: 64}
	return []Preset{
		{
			Name: "default", Text: "as the program's own book was made: 100 000 searches of 200 000 positions, about 50 minutes",
			BookConfig: byNodes(200_000, 16), Stop: Stop{Evaluations: 100_000},
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
