package endgame

import (
	"slices"
	"testing"

	"kroo/games/oware"
)

// withHistory is the value for the player to move by plain negamax, with the positions that
// stood before; after a capture it is the table's.
func withHistory(t *Table, p oware.Position, history []oware.Position) int {
	return (&realGame{t: t, path: slices.Clone(history)}).value(p, -p.SeedsInPlay(), p.SeedsInPlay())
}

// Free values are the same after any line of play of three seeds or fewer, dependent ones differ as they say.
func TestHistoriesChangeDependentValuesAlone(t *testing.T) {
	tab := resolved(t, 3)
	for n := 1; n <= 3; n++ {
		c, err := CountHistory(t.Context(), tab, n, 1000, 1)
		if err != nil || c.Exact != Positions(n) || c.Free == 0 || c.Sampled != c.Blocked || c.Free+c.Depend > c.Exact || n > 1 && c.Depend == 0 {
			t.Fatalf("%+v, %v", c, err)
		}
		if c.Depend == 0 {
			continue
		}
		v := c.Example["depends"]
		start, err := oware.ParseBoard(oware.Abapa, v.From)
		if err != nil {
			t.Fatal(err)
		}
		l := oware.Descriptor().NewLine(start)
		for i := range v.Moves {
			m, _, err := oware.ParseMove(v.Moves[i])
			if err != nil {
				t.Fatal(err)
			}
			if err := l.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		history := l.History()
		if p := l.Position(); p.String() != v.Board || len(history) != len(v.Moves) {
			t.Fatalf("%+v leads to %s after %d plies", v, p, len(history))
		}
		if got, fresh := withHistory(tab, l.Position(), history), withHistory(tab, l.Position(), nil); got != 2*v.Value-n || fresh != 2*v.AtStart-n || got == fresh {
			t.Errorf("%+v: negamax gives %d with the history and %d without", v, got, fresh)
		}
	}
}

// A walk backwards from a position with a free value gives histories, none of which changes it.
func TestFreeValuesStandWhateverTheHistory(t *testing.T) {
	const n = 3
	tab := resolved(t, n)
	h := historian{t: tab, n: n, levels: []levelValues{tab.load(0), tab.load(1), tab.load(2), tab.load(3)}, count: HistoryCount{Example: map[string]Valued{}}}
	h.findComponents()
	h.findRobust(t.Context())
	checked := 0
	for i := range Positions(n) {
		sure := int(h.robust[mover][i])
		if sure+int(h.robust[other][i]) != n {
			continue
		}
		p := PositionAt(oware.Abapa, n, i)
		var back []oware.Position
		for at := p; len(back) < 20; {
			var before []oware.Position
			for _, q := range at.AppendQuietPredecessors(nil) {
				if q != p && !slices.Contains(back, q) {
					before = append(before, q)
				}
			}
			if len(before) == 0 {
				break
			}
			at = before[(i+len(back))%len(before)]
			back = append(back, at)
			if got := withHistory(tab, p, back); got != 2*sure-n {
				t.Errorf("%s after %v: %d, without history %d", p, back, got, 2*sure-n)
			}
			checked++
		}
	}
	if checked < 500 {
		t.Errorf("only %d histories", checked)
	}
}
