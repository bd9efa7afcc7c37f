package dropout

import (
	"strings"
	"testing"

	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// records parses games.
func records(t *testing.T, text string) []games.Record[oware.Position] {
	t.Helper()
	return testkit.Must(oware.Descriptor().ParseRecords(strings.NewReader(text), "test"))(t)
}

const twoLines = "1. A a 2. B b *\n\n[Event \"x\"]\n\n1. A b 2. C *\n"

func TestCoverListsPliesInOrder(t *testing.T) {
	start := oware.Start(oware.Abapa)
	after := func(moves ...oware.Move) oware.Position {
		p := start
		for _, m := range moves {
			p = p.Play(m)
		}
		return p
	}
	for plies, want := range map[int][]oware.Position{
		1: {start},
		3: {start, after(0), after(0, 0), after(0, 1)},
		9: {start, after(0), after(0, 0), after(0, 1), after(0, 0, 1)},
	} {
		testkit.EqualSlices(t, Cover(records(t, twoLines), plies), want, "%d plies", plies)
	}
}

// The lines are expanded first, whatever they are worth, by any number of
// workers; what no line leads to is left out.
func TestCoverIsExpandedFirst(t *testing.T) {
	cover := Cover(records(t, twoLines), 10)
	foreign := board(t, oware.Abapa, "0-0-0-0-1-3-8-0-0-0-0-0-18-18-S")
	for _, width := range []int{1, 3, 8} {
		cfg := config(len(cover))
		cfg.Width = width
		cfg.Cover = append([]oware.Position{foreign}, append(cover, cover[0])...)
		g := build(t, cfg)
		for _, p := range cover {
			if n := g.node(p); n == nil || !n.expanded() {
				t.Errorf("width %d: %s is not expanded", width, p)
			}
		}
		cfg.Expansions = 80
		want := dump(build(t, cfg))
		if got, _, err := cfg.by(slowPool(1)); err != nil || dump(got) != want {
			t.Errorf("width %d: another graph with five workers (%v)", width, err)
		}
		check(t, build(t, cfg), cfg)
	}
}
