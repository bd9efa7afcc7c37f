package inspect

import (
	"fmt"
	"io"

	"kroo/endgame"
)

// TableSheet is what inspecting an endgame table shows.
type TableSheet struct {
	Rules     string `json:"rules"`
	Bounds    string `json:"bounds"`
	Seeds     int    `json:"seeds"`     // most seeds in play
	Resolved  int    `json:"resolved"`  // levels up to this have exact values, where the bounds are not exact
	Positions int64  `json:"positions"` // in all
	Made      string `json:"made"`
}

func inspectTable(path string) (Sheet, error) {
	t, err := endgame.Open(path)
	if err != nil {
		return Sheet{}, err
	}
	defer t.Close()
	s := TableSheet{Rules: t.Rules().String(), Bounds: string(t.Bounds()), Seeds: t.Seeds(), Resolved: t.Resolved(), Made: t.Made()}
	for n := range s.Seeds + 1 {
		s.Positions += int64(endgame.Positions(n))
	}
	return Sheet{Value: s, Text: columns(func(w io.Writer) {
		fmt.Fprintf(w, "%s: endgame table of %s, %s values, up to %d seeds in play\n", path, s.Rules, s.Bounds, s.Seeds)
		fmt.Fprintf(w, "positions:\t%d\nresolved:\tup to %d seeds\nmade by:\t%s\n", s.Positions, s.Resolved, s.Made)
	})}, nil
}
