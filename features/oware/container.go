package oware

import (
	"fmt"

	"kroo/features/weightsfile"
	"kroo/games"
	"kroo/games/oware"
)

// opened is the content of a weights file of oware.
type opened struct{ weightsfile.File }

// maxSections is the first section and those of the pattern tables of all stages.
const maxSections = 1 + maxStages*triplePairs

// open checks a file and reads its header.
func open(data []byte) (opened, error) {
	f, err := weightsfile.Open(data, maxSections)
	if err != nil {
		return opened{}, err
	}
	if f.Header.Game != "" {
		return opened{}, fmt.Errorf("header: weights for %s: expected some for oware", games.Quote(f.Header.Game))
	}
	if _, err := oware.ParseRules(f.Header.Rules); err != nil {
		return opened{}, fmt.Errorf("header: rules: %w", err)
	}
	return opened{f}, nil
}
