package run

import (
	"kroo/dropout"
	"kroo/engine"
	"kroo/match"
	"kroo/sampler"
)

// Costs of parts of a run, in nodes of a search that counts captures, measured on runs of the
// presets. They are rough: their only purpose is to estimate the remaining time.
const (
	nodesASecond = 5e6 // of searches limited by time
	nodesOfDepth = 1e5 // a guess for searches limited by depth

	countsCost   = 2.0 // of a node with seed counts, relative to captures only
	patternsCost = 5.0 // of a node with patterns

	movesOfGame         = 80 // after the opening
	searchesOfExpansion = 10
	fitNodes            = 2e3 // per row
	leastNodes          = 2e6 // per stage: half a second
)

// nodesOf returns the cost of one search.
func nodesOf(c engine.Config) float64 {
	switch {
	case c.Nodes > 0:
		return float64(c.Nodes)
	case c.MoveTime.Duration > 0:
		return c.MoveTime.Seconds() * nodesASecond
	}
	return nodesOfDepth
}

// matchNodes returns the cost of a match whose players' nodes have the given cost. A time limit
// determines the cost by itself.
func matchNodes(c match.Config, cost float64) float64 {
	if c.Nodes == 0 {
		cost = 1
	}
	return float64(2*c.Pairs*movesOfGame) * nodesOf(c.Config) * cost
}

func bookNodes(c dropout.BookConfig) float64 {
	return float64(c.Expansions) * nodesOf(c.Config) * searchesOfExpansion * countsCost
}

// sampleNodes returns the cost of drawing positions, which is not zero for games of self-play.
func sampleNodes(c sampler.Config) float64 {
	if !c.Plays() {
		return 0
	}
	return float64(c.N*max(c.Every, 1)) * nodesOf(c.Searches()) * patternsCost
}
