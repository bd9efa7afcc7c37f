package client

import (
	"fmt"
	"slices"

	"kroo/games"
)

// Protocol is the language of a program.
type Protocol string

// The protocols but UCI have no options. [CG] has no names or scores, and no way to begin a
// new game: a process plays one game. [GTP] has no scores.
const (
	UCI    Protocol = ""       // as package uci has it
	CG     Protocol = "cg"     // of the arena of CodinGame: see [Client.house]
	NBoard Protocol = "nboard" // of programs for Othello: see package nboard
	GTP    Protocol = "gtp"    // of these as well: see package gtp
)

// protocols are those that have a name.
var protocols = []string{string(CG), string(NBoard), string(GTP)}

// ParseProtocol reads the name of a protocol.
func ParseProtocol(name string) (Protocol, error) {
	if name == "uci" {
		return UCI, nil
	}
	if slices.Contains(protocols, name) {
		return Protocol(name), nil
	}
	return UCI, fmt.Errorf("unknown protocol %q: expected %s", name, games.OrList(append([]string{"uci"}, protocols...)))
}

// Scores tells whether programs of the protocol say what a move is worth.
func (p Protocol) Scores() bool { return p == UCI || p == NBoard }

// Check refuses options and games that a program of the protocol cannot be told.
func (p Protocol) Check(options []Option, game, rules string) error {
	switch {
	case p == UCI:
		return nil
	case len(options) > 0:
		return fmt.Errorf("protocol=%s has no options: expected no option.NAME", p)
	case (p == NBoard || p == GTP) && (game != "othello" || rules != "8x8"):
		return fmt.Errorf("protocol=%s plays othello 8x8: expected this, not %s %s", p, game, rules)
	case p == CG && (game != "oware" || rules != "arena" && rules != "abapa"):
		return fmt.Errorf("protocol=%s plays oware by the rules arena or abapa: expected these, not %s %s", p, game, rules)
	}
	return nil
}
