package oware

import (
	"fmt"

	"kroo/features/weightsfile"
	"kroo/games/oware"
)

// opened is a file of oware's whose checksum is right.
type opened struct{ weightsfile.File }

// maxSections is one and the tables of all stages.
const maxSections = 1 + MaxStages*triplePairs

// open reads everything but the body.
func open(data []byte) (opened, error) {
	f, err := weightsfile.Open(data, maxSections)
	if err != nil {
		return opened{}, err
	}
	if f.Header.Game != "" {
		return opened{}, fmt.Errorf("header: weights for %s: expected some for oware", shorten(f.Header.Game))
	}
	if _, err := oware.ParseRules(f.Header.Rules); err != nil {
		return opened{}, fmt.Errorf("header: rules: %w", err)
	}
	return opened{f}, nil
}
