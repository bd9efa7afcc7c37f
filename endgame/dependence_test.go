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

// classed is a historian that has classed the positions with n seeds.
func classed(t *testing.T, tab *Table, n int) *historian {
	t.Helper()
	h, err := newHistorian(t.Context(), tab, n)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.class(t.Context(), func(int64) {}); err != nil {
		t.Fatal(err)
	}
	return h
}

// played is the line of play that an example tells of: the position after it, and those before.
func played(t *testing.T, v Valued) (oware.Position, []oware.Position) {
	t.Helper()
	start, err := oware.ParseBoard(oware.Abapa, v.From)
	if err != nil {
		t.Fatal(err)
	}
	l := oware.Descriptor().NewLine(start)
	for i := range v.Moves {
		m, side, err := oware.ParseMove(v.Moves[i])
		if err != nil || side != l.Position().ToMove() {
			t.Fatalf("%+v: move %d", v, i)
		}
		if err := l.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	p, history := l.Position(), l.History()
	if p.String() != v.Board || len(history) != len(v.Moves) || slices.Contains(history, p) || p.SeedsInPlay() != start.SeedsInPlay() {
		t.Fatalf("%+v leads to %s after %d plies", v, p, len(history))
	}
	return p, history
}

// Every line of play of up to three seeds changes the value as it is said to.
func TestHistoriesChangeDependentValues(t *testing.T) {
	tab := resolved(t, 3)
	lines := 0
	for n := 1; n <= 3; n++ {
		h := classed(t, tab, n)
		for i := range int32(Positions(n)) {
			if !h.depends[i] {
				continue
			}
			v := h.example(i)
			p, history := played(t, v)
			got, fresh := withHistory(tab, p, history), withHistory(tab, p, nil)
			if within(p.Words()) != uint32(i) || len(history) == 0 || fresh != 2*v.AtStart-n || got == fresh || got < 2*v.Least-n || got > 2*v.Most-n {
				t.Errorf("%+v: negamax gives %d with the history and %d without", v, got, fresh)
			}
			lines++
		}
	}
	if lines < 100 {
		t.Errorf("only %d lines", lines)
	}
}

// A walk backwards from a position with a free value gives histories, none of which changes it.
func TestFreeValuesStandWhateverTheHistory(t *testing.T) {
	const n = 3
	tab := resolved(t, n)
	h := classed(t, tab, n)
	checked := 0
	for i := range Positions(n) {
		if h.depends[i] || h.open[i] {
			continue
		}
		p := PositionAt(oware.Abapa, n, i)
		value := 2*int(tab.load(n)[mover][i]) - n
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
			if got := withHistory(tab, p, back); got != value {
				t.Errorf("%s after %v: %d, without history %d", p, back, got, value)
			}
			checked++
		}
	}
	if checked < 500 {
		t.Errorf("only %d histories", checked)
	}
}

// What the players are sure of whatever has stood, from its definition: the most that they can
// keep by positions with as many on their side until they leave the component.
func TestDenialIsTheRestOfWhatIsSureWhateverStood(t *testing.T) {
	const n = 5
	h := classed(t, resolved(t, n), n)
	for k := 1; k <= n; k++ {
		d := h.deny(k)
		keeps := slices.Repeat([]bool{true}, len(d.cost))
		enters := func(w int32) bool { return keeps[w] && !d.short(w) }
		for again := true; again; {
			again = false
			for v := range int32(len(keeps)) {
				some, all := false, true
				for _, j := range h.succ.of(v / 2) {
					w := 2*j + 1 - v%2
					some, all = some || enters(w), all && enters(w)
				}
				keep := int(h.most[v/2]) >= k || some
				if v%2 == other {
					keep = all && (h.sure[v/2] < 0 || n-int(h.sure[v/2]) >= k)
				}
				if keeps[v] && !keep {
					keeps[v], again = false, true
				}
			}
		}
		for v := range int32(len(keeps)) {
			if keeps[v] != (d.cost[v] == never) {
				t.Fatalf("%d of %d seeds, node %d: keeps %v, cost %d", k, n, v, keeps[v], d.cost[v])
			}
		}
	}
}

// Lines are what they have to be: moves of the component, without repetition, through all that must
// have stood and past what must not.
func TestLinesKeepToTheirPlans(t *testing.T) {
	const n = 5
	h := classed(t, resolved(t, n), n)
	s, lines := newScout(h), 0
	for k := 1; k <= n; k++ {
		d := h.deny(k)
		for v := int32(0); v < int32(len(d.cost)); v += 7 {
			p := d.plan(v, nil)
			if p == nil || len(p.stood) == 0 {
				continue
			}
			stood, fresh := p.stood, p.fresh
			line := s.line(v, stood, fresh)
			if line == nil {
				if len(stood) == 1 && len(fresh) == 0 {
					t.Errorf("no line from the successor %d to %d", stood[0], v)
				}
				continue
			}
			lines++
			for at, w := range line[:len(line)-1] {
				next := line[at+1]
				if !slices.Contains(h.succ.of(w/2), next/2) || w%2 == next%2 || slices.Contains(line[at+1:], w) || slices.Contains(fresh, w) {
					t.Fatalf("%v past %v: place %d", line, fresh, at)
				}
			}
			for _, w := range stood {
				if !slices.Contains(line, w) || line[len(line)-1] != v {
					t.Fatalf("%v does not visit %d and end at %d", line, w, v)
				}
			}
		}
		if slices.Contains(s.barred, true) {
			t.Fatal("nodes stay barred")
		}
	}
	if lines < 500 {
		t.Errorf("only %d lines", lines)
	}
}

func TestHistoriesAreOfTablesWithBounds(t *testing.T) {
	c, err := CountHistory(t.Context(), resolved(t, 4), 4, func(int64) {})
	if err != nil || c.Exact != Positions(4) || c.Free == 0 || c.Depend == 0 || c.Free+c.Depend > c.Exact {
		t.Errorf("%+v, %v", c, err)
	}
	for _, seeds := range []int{0, 5} {
		if _, err := CountHistory(t.Context(), resolved(t, 4), seeds, func(int64) {}); err == nil {
			t.Errorf("%d seeds of a table of four", seeds)
		}
	}
	if _, err := CountHistory(t.Context(), build(t, oware.Awari, Exact, 2), 2, func(int64) {}); err == nil {
		t.Error("a table of exact values")
	}
}
