package run

import (
	"kroo/dropout"
	"kroo/engine"
	"kroo/match"
	"kroo/sampler"
)

// What the parts of a run cost, in nodes of a search that counts captures: enough to tell
// how much of the run is left, and no more. Measured on runs of the presets.
const (
	nodesASecond = 5e6 // of searches that have a limit of time
	nodesOfDepth = 1e5 // a guess where a search is limited by depth

	countsCost   = 2.0 // of a node where seed counts are looked up, against captures alone
	patternsCost = 5.0 // of one where patterns are

	movesOfGame         = 80 // after the opening
	searchesOfExpansion = 10
	fitNodes            = 2e3 // of a row
	leastNodes          = 2e6 // of a stage: half a second
)

// nodesOf returns what one search takes.
func nodesOf(c engine.Config) float64 {
	switch {
	case c.Nodes > 0:
		return float64(c.Nodes)
	case c.MoveTime.Duration > 0:
		return c.MoveTime.Seconds() * nodesASecond
	}
	return nodesOfDepth
}

// matchNodes returns what a match takes whose players' nodes cost that much. A limit of time
// costs what it says.
func matchNodes(c match.Config, cost float64) float64 {
	if c.Nodes == 0 {
		cost = 1
	}
	return float64(2*c.Pairs*movesOfGame) * nodesOf(c.Config) * cost
}

func bookNodes(c dropout.BookConfig) float64 {
	return float64(c.Expansions) * nodesOf(c.Config) * searchesOfExpansion * countsCost
}

// sampleNodes returns what the drawing of positions takes: games of self-play are searched.
func sampleNodes(c sampler.Config) float64 {
	if !c.Plays() {
		return 0
	}
	return float64(c.N*max(c.Every, 1)) * nodesOf(c.Searches()) * patternsCost
}
