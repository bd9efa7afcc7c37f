package dropout

import (
	"math"
	"slices"
	"strings"
	"testing"

	"kroo/games"
	"kroo/games/oware"
)

// The lines to expand first give positions of the rules where the game is not over, each once, for
// any number of plies.
func FuzzCover(f *testing.F) {
	f.Add("1. F f 2. E e *", 2)
	f.Add("[Rules \"awari\"]\n\n1. F f *\n", 1)
	f.Add("1. F f *\n[FEN \"4-4-4-4-4-0-5-5-5-5-4-4-0-0-N\"]\n\nf *", math.MaxInt)
	f.Fuzz(func(t *testing.T, text string, plies int) {
		const path = "cover.ogn"
		records, err := oware.Descriptor().ParseRecords(strings.NewReader(text), path)
		if err != nil && (strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), path)) {
			t.Errorf("%q: want one line that begins with the file", err)
		}
		isOther := func(r games.Record[oware.Position]) bool { return r.Start.Rules() != oware.Abapa }
		if err != nil || slices.ContainsFunc(records, isOther) {
			return // book expand refuses them
		}
		list := Cover(records, max(1, plies))
		there := map[oware.Position]bool{}
		for _, p := range list {
			if _, over := p.Terminal(); over || p.Rules() != oware.Abapa || there[p] {
				t.Errorf("%q: %s", text, p)
			}
			there[p] = true
		}
	})
}
