package datasets

import (
	"slices"
	"strings"
	"testing"

	"kroo/games"
	"kroo/games/oware"
)

// Parsed scores round-trip.
func FuzzScores(f *testing.F) {
	for _, text := range []string{"", "F=-12 A=-30", "F=1 F=2", "A", "A=", "=3", "A=99999999999", "A=+5"} {
		f.Add(text)
	}
	g, start := oware.Descriptor(), oware.Start(oware.Abapa)
	parse := func(name string) (games.Move, error) { return g.ParseMove(start, name) }
	f.Fuzz(func(t *testing.T, text string) {
		scores, err := parseScores(text, parse)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: want one line", err)
			}
			return
		}
		again, err := parseScores(scoresText(scores, func(m games.Move) string { return g.MoveName(start, m) }), parse)
		if err != nil || !slices.Equal(scores, again) {
			t.Errorf("%q: %v, again %v, %v", text, scores, again, err)
		}
	})
}
