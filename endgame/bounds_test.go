package endgame

import (
	"slices"
	"strings"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// Bounds that are read are those of the rules: exact, or under abapa crude or sharp.
func FuzzBounds(f *testing.F) {
	for _, name := range []string{"", "exact", "crude", "sharp", "Sharp", "\n"} {
		f.Add(name, byte(0))
		f.Add(name, byte(1))
	}
	f.Fuzz(func(t *testing.T, name string, which byte) {
		all := oware.Descriptor().Rules
		rules := testkit.Must(oware.ParseRules(all[int(which)%len(all)]))(t)
		b, err := ParseBounds(name, rules)
		if err != nil {
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
				t.Errorf("%q: want one short line", err)
			}
			return
		}
		kinds := []Bounds{Exact}
		if rules == oware.Abapa {
			kinds = []Bounds{Crude, Sharp}
		}
		if !Serves(rules) || !slices.Contains(kinds, b) || name != "" && name != string(b) {
			t.Errorf("%q for %s: %q", name, rules, b)
		}
	})
}
