package commands

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/dropout"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// A valid ridge has a number of 0 or more for each family that it names.
func FuzzRidge(f *testing.F) {
	for _, text := range []string{"10", "10,houses=1", "houses=1,pairs=2,3", "nan", "inf", "-0", "=1", "a==1", ",", "1e13"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var r ridge
		err := r.UnmarshalText([]byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
				t.Errorf("%q: want one short line", err)
			}
			return
		}
		for family, v := range r.families {
			if !(v >= 0 && v <= 1e12) || !strings.Contains(text, family) {
				t.Errorf("%q: %s=%g", text, family, v)
			}
		}
		if !(r.number >= 0 && r.number <= 1e12) {
			t.Errorf("%q: %g", text, r.number)
		}
	})
}

// The lines to expand first give positions of the rules where the game is not over, each once, for
// any number of plies.
func FuzzCover(f *testing.F) {
	f.Add("1. F f 2. E e *", 2)
	f.Add("[Rules \"awari\"]\n\n1. F f *\n", 1)
	f.Add("1. F f *\n[FEN \"4-4-4-4-4-0-5-5-5-5-4-4-0-0-N\"]\n\nf *", 1<<62)
	f.Fuzz(func(t *testing.T, text string, plies int) {
		path := filepath.Join(t.TempDir(), "cover.ogn")
		testkit.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		var records []games.Record[oware.Position]
		if err := (&job{}).do(func(*job) { records = gamesUnder(oware.Abapa, path) }); err != nil {
			if strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), path) {
				t.Errorf("%q: want one line that begins with the file", err)
			}
			return
		}
		list := dropout.Cover(records, max(1, plies))
		there := map[oware.Position]bool{}
		for _, p := range list {
			if _, over := p.Terminal(); over || p.Rules() != oware.Abapa || there[p] {
				t.Errorf("%q: %s", text, p)
			}
			there[p] = true
		}
	})
}
