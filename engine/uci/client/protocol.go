package client

import "fmt"

// Protocol is the language of a program.
type Protocol string

// [CG] has no options, names or scores, and no way to begin a new game: a process plays one
// game.
const (
	UCI Protocol = ""   // as package uci has it
	CG  Protocol = "cg" // of the arena of CodinGame: see [Client.house]
)

// ParseProtocol reads the name of a protocol.
func ParseProtocol(name string) (Protocol, error) {
	switch name {
	case "uci":
		return UCI, nil
	case string(CG):
		return CG, nil
	}
	return UCI, fmt.Errorf("unknown protocol %q: expected uci or cg", name)
}

// Check refuses options and games that a program of the protocol cannot be told.
func (p Protocol) Check(options []Option, game, rules string) error {
	switch {
	case p == UCI:
		return nil
	case len(options) > 0:
		return fmt.Errorf("protocol=%s has no options: expected no option.NAME", p)
	case game != "oware" || rules != "arena" && rules != "abapa":
		return fmt.Errorf("protocol=%s plays oware by the rules arena or abapa: expected these, not %s %s", p, game, rules)
	}
	return nil
}
