package endgame

import (
	"fmt"

	"kroo/internal/doc"
)

// description is the JSON form of a table's facts.
type description struct {
	Rules     string `json:"rules"`
	Bounds    string `json:"bounds"`
	Seeds     int    `json:"seeds"`     // most seeds in play
	Resolved  int    `json:"resolved"`  // levels up to this have exact values, where the bounds are not exact
	Positions int64  `json:"positions"` // of all levels
	Made      string `json:"made"`
}

// Describe describes the table in a file.
func Describe(path string) (*doc.Doc, error) {
	t, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return t.Doc(), nil
}

// Doc describes the table.
func (t *Table) Doc() *doc.Doc {
	d := description{Rules: t.Rules().String(), Bounds: string(t.Bounds()), Seeds: t.Seeds(), Resolved: t.Resolved(), Made: t.Made()}
	for n := range d.Seeds + 1 {
		d.Positions += int64(Positions(n))
	}
	return &doc.Doc{
		Value: d, Title: fmt.Sprintf("endgame table of %s, %s values, up to %d seeds in play", d.Rules, d.Bounds, d.Seeds),
		Facts: doc.Facts("positions", fmt.Sprint(d.Positions), "resolved", fmt.Sprintf("up to %d seeds", d.Resolved), "made by", d.Made),
	}
}
