package match

import (
	"fmt"
	"maps"
	"slices"

	"kroo/games"
	"kroo/internal/doc"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// description is the summary of game records.
type description struct {
	Games   int            `json:"games"`
	Results map[string]int `json:"results"`
	Plies   int            `json:"plies"` // of all games
	Players []string       `json:"players"`
	// NoResult counts the games without a result token: they may be incomplete.
	NoResult int `json:"no_result"`
}

// DescribeRecords describes a file of recorded games.
func DescribeRecords[P games.Position[P]](g *games.Game[P], path string) (*doc.Doc, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := g.ParseRecords(f, path)
	if err != nil {
		return nil, err
	}
	d := description{Games: len(records), Results: map[string]int{}}
	players := map[string]int{}
	for _, r := range records {
		d.Results[r.Result]++
		d.Plies += len(r.Moves)
		if r.NoResult {
			d.NoResult++
		}
		for _, side := range g.Sides {
			if name := r.Tag(side); name != "" {
				players[name]++
			}
		}
	}
	d.Players = slices.Sorted(maps.Keys(players))
	s := &doc.Doc{Value: d, Title: fmt.Sprintf("%s, %.1f plies each", wording.Count(d.Games, "game"), float64(d.Plies)/float64(max(d.Games, 1)))}
	for _, r := range slices.Sorted(maps.Keys(d.Results)) {
		s.Facts = append(s.Facts, doc.Fact{Name: r, Value: fmt.Sprint(d.Results[r])})
	}
	if d.NoResult > 0 {
		s.Facts = append(s.Facts, doc.Fact{Name: "without a result", Value: fmt.Sprint(d.NoResult), Note: "(possibly truncated)"})
	}
	for _, name := range d.Players {
		s.Facts = append(s.Facts, doc.Fact{Name: name, Value: wording.Count(players[name], "game")})
	}
	return s, nil
}
