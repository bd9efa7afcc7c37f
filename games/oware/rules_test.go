package oware

import (
	"slices"
	"strings"
	"testing"

	"kroo/games"
	"kroo/internal/testkit"
)

// board is ParseBoard for valid boards.
func board(t testing.TB, r Rules, s string) Position {
	t.Helper()
	return testkit.Must(ParseBoard(r, s))(t)
}

// names returns the legal moves as letters.
func names(p Position) string {
	var b strings.Builder
	for _, m := range p.AppendMoves(nil) {
		b.WriteString(MoveName(m, p.ToMove()))
	}
	return b.String()
}

const (
	slam   = "0-0-0-0-1-2-1-1-0-0-0-0-21-22-S" // F captures all that North has
	hungry = "1-0-4-0-0-1-0-0-0-0-0-0-21-21-S" // C and F reach North, A does not
	unfed  = "3-0-0-0-0-0-0-0-0-0-0-0-22-23-S" // nothing that South has reaches North
)

// Each move under the rules named leads to the board, and captures gain seeds.
func TestSowingAndCaptures(t *testing.T) {
	for _, tt := range []struct {
		what, from, letter, want string
		gain                     int
		only                     []Rules // nil for all
	}{
		{"round the board", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "A", "0-5-5-5-5-4-4-4-4-4-4-4-0-0-N", 0, nil},
		{"round the board", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "F", "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N", 0, nil},
		{"round the board", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N", "f", "5-5-5-5-4-4-4-4-4-4-4-0-0-0-S", 0, nil},
		{"11 seeds reach the preceding house", "11-0-0-0-0-4-4-4-4-4-4-4-4-5-S", "A", "0-1-1-1-1-5-5-5-5-5-5-5-4-5-N", 0, nil},
		{"12 seeds skip their house", "12-0-0-0-0-4-4-4-4-4-4-4-4-4-S", "A", "0-2-1-1-1-5-5-5-5-5-5-5-4-4-N", 0, nil},
		{"23 seeds skip it twice", "23-0-0-0-0-4-3-3-3-3-3-3-3-0-S", "A", "0-3-2-2-2-6-5-5-5-5-5-5-3-0-N", 0, nil},
		{"34 seeds three times, and the last makes 4", "0-0-0-0-0-34-0-1-1-1-1-1-5-4-S", "F", "3-3-3-3-3-0-4-4-4-4-4-4-5-4-N", 0, nil},
		{"a lap captures", "1-1-1-1-1-13-0-1-2-2-3-3-10-9-S", "F", "2-2-2-2-2-0-0-0-3-3-4-4-15-9-N", 5, nil},
		{"two", "0-0-0-0-0-1-1-5-5-5-5-5-10-11-S", "F", "0-0-0-0-0-0-0-5-5-5-5-5-12-11-N", 2, nil},
		{"three", "0-0-0-0-0-1-2-5-5-5-5-5-10-10-S", "F", "0-0-0-0-0-0-0-5-5-5-5-5-13-10-N", 3, nil},
		{"not one", "0-0-0-0-0-1-0-5-5-5-5-5-11-11-S", "F", "0-0-0-0-0-0-1-5-5-5-5-5-11-11-N", 0, nil},
		{"not four", "0-0-0-0-0-1-3-5-5-5-5-5-10-9-S", "F", "0-0-0-0-0-0-4-5-5-5-5-5-10-9-N", 0, nil},
		{"backwards", "0-0-0-0-0-3-2-1-2-5-5-5-12-13-S", "F", "0-0-0-0-0-0-0-0-0-5-5-5-20-13-N", 8, nil},
		{"up to a house with four", "0-0-0-0-0-3-1-3-1-5-5-5-12-13-S", "F", "0-0-0-0-0-0-2-4-0-5-5-5-14-13-N", 2, nil},
		{"the last seed makes four", "0-0-0-0-0-3-1-1-3-5-5-5-12-13-S", "F", "0-0-0-0-0-0-2-2-4-5-5-5-12-13-N", 0, nil},
		{"South's F has two", "0-0-0-0-2-1-1-5-5-5-5-5-10-9-S", "E", "0-0-0-0-0-2-0-5-5-5-5-5-12-9-N", 2, nil},
		{"two in an own house", "0-0-0-0-1-1-5-5-5-5-5-5-8-8-S", "E", "0-0-0-0-0-2-5-5-5-5-5-5-8-8-N", 0, nil},
		{"North's f has two", "1-1-5-5-5-5-0-0-0-0-3-1-11-11-N", "e", "0-0-5-5-5-5-0-0-0-0-0-2-11-15-S", 4, nil},
		{"a grand slam captures nothing", slam, "F", "0-0-0-0-1-0-2-2-0-0-0-0-21-22-N", 0, []Rules{Abapa}},
		{"a grand slam of North's", "1-2-0-0-0-0-0-0-0-0-2-3-20-20-N", "f", "2-3-1-0-0-0-0-0-0-0-2-0-20-20-S", 0, []Rules{Abapa}},
		{"a grand slam of North's", "1-1-0-0-0-0-0-0-0-0-3-2-21-20-N", "f", "2-2-0-0-0-0-0-0-0-0-3-0-21-20-S", 0, []Rules{Abapa}},
		{"the largest capture of abapa", "0-0-0-0-0-5-2-2-2-2-2-1-16-16-S", "F", "0-0-0-0-0-0-0-0-0-0-0-1-31-16-N", 15, []Rules{Abapa}},
		{"a grand slam that every move is", "0-0-0-0-0-2-1-1-0-0-0-0-22-22-S", "F", "0-0-0-0-0-0-0-0-0-0-0-0-26-22-N", 4, []Rules{Awari}},
		{"a grand slam", slam, "F", "0-0-0-0-1-0-0-0-0-0-0-0-25-22-N", 4, []Rules{Simple}},
		{"North cannot be fed", unfed, "A", "0-1-1-1-0-0-0-0-0-0-0-0-22-23-N", 0, []Rules{Awari}},
	} {
		for _, r := range allRules {
			if tt.only != nil && !slices.Contains(tt.only, r) {
				continue
			}
			t.Run(tt.what+"/"+r.String(), func(t *testing.T) {
				p := board(t, r, tt.from)
				m, side, err := ParseMove(tt.letter[0])
				if err != nil || side != p.ToMove() || !p.IsLegal(m) {
					t.Fatalf("%s of %s is not legal, error %v", tt.letter, tt.from, err)
				}
				if got := p.Play(m); got.String() != tt.want || got.Rules() != r || p.Gain(m) != tt.gain {
					t.Errorf("%s of %s gives %v under %v and captures %d, want %s and %d", tt.letter, tt.from, got, got.Rules(), p.Gain(m), tt.want, tt.gain)
				}
			})
		}
	}
}

// The legal moves, and whether and how the game is over.
func TestLegalMovesAndEnds(t *testing.T) {
	const majority = "4-3-3-3-3-3-0-0-0-0-0-1-25-3-S"
	always, atMajority := allRules, []Rules{Abapa, Awari, Simple, Arena}
	for _, tt := range []struct {
		what        string
		rules       []Rules
		from, moves string
		diff        int
		over        bool
	}{
		{"a grand slam may be played", []Rules{Abapa, Simple}, slam, "EF", 0, false},
		{"a grand slam is forbidden", []Rules{Awari}, slam, "E", 0, false},
		{"a grand slam is allowed when every move is one", []Rules{Awari}, "0-0-0-0-0-2-1-1-0-0-0-0-22-22-S", "F", 0, false},
		{"an opponent without seeds must be fed", []Rules{Abapa, Awari}, hungry, "CF", 0, false},
		{"an opponent need not be fed", []Rules{Simple}, hungry, "ACF", 0, false},
		{"every move feeds", []Rules{Abapa}, "0-0-0-0-0-0-6-5-4-3-2-1-13-14-N", "abcdef", 0, false},
		{"one move feeds", []Rules{Abapa}, "0-0-0-0-0-0-5-4-3-2-1-1-16-16-N", "f", 0, false},
		{"the game ends when no move feeds", []Rules{Abapa}, unfed, "", 22 + 3 - 23, true},
		{"the game goes on when no move feeds", []Rules{Awari}, unfed, "A", 0, false},
		{"the game ends without seeds to move", []Rules{Awari}, "0-1-1-1-0-0-0-0-0-0-0-0-22-23-N", "", 23 - 22 - 3, true},
		{"the game ends without seeds to move", always, "0-0-0-0-0-0-1-0-2-0-0-0-22-23-S", "", 22 - 23 - 3, true}, // the seeds on North's side go to North
		{"24 seeds are no majority", always, "4-3-3-3-3-3-1-0-0-0-0-1-24-3-S", "ABCDEF", 0, false},
		{"25 seeds end the game", atMajority, majority, "ABCDEF", 22, true},
		{"25 seeds end the game", atMajority, "4-3-3-3-3-3-0-0-0-0-0-1-25-3-N", "f", -22, true},
		{"25 seeds end the game", atMajority, "4-3-3-3-3-3-0-0-0-0-0-1-3-25-S", "ABCDEF", -22, true},
		{"25 seeds do not end the game", []Rules{SimpleToEnd}, majority, "ABCDEF", 0, false},
		{"to the end: the seeds go to their side", []Rules{SimpleToEnd}, "0-0-0-0-0-0-0-0-0-0-2-1-25-20-S", "", 25 - 20 - 3, true},
		{"to the end: no seeds are left", []Rules{SimpleToEnd}, "0-0-0-0-0-0-0-0-0-0-0-0-30-18-N", "", 18 - 30, true},
	} {
		for _, r := range tt.rules {
			t.Run(tt.what+"/"+r.String(), func(t *testing.T) {
				p := board(t, r, tt.from)
				if diff, over := p.Terminal(); names(p) != tt.moves || diff != tt.diff || over != tt.over {
					t.Errorf("%s: moves %s, Terminal() = %d, %v, want %s, %d, %v", tt.from, names(p), diff, over, tt.moves, tt.diff, tt.over)
				}
			})
		}
	}
}

// Games of both simple rule sets with the same moves have the same winner.
func TestSimpleToEndHasTheSameWinner(t *testing.T) {
	r, on := rng(77), 0
	for range 300 {
		g, long := descriptor.NewLine(Start(Simple)), descriptor.NewLine(Start(SimpleToEnd))
		for {
			legal := long.Position().AppendMoves(nil)
			m := legal[r.IntN(len(legal))]
			if _, _, over := g.Over(); over {
				on++
			} else if err := g.Play(m); err != nil {
				t.Fatal(err)
			}
			testkit.NoError(t, long.Play(m))
			if _, _, over := long.Over(); over {
				break
			}
		}
		short, _, _ := g.Over()
		diff, reason, _ := long.Over()
		south, north := stores(long)
		if short*diff < 0 || (short == 0) != (diff == 0) || south+north != Seeds || reason != NoMoves && reason != games.Repeated && reason != Drawn {
			t.Fatalf("%s: %d by majority, %d (%s, %v-%v) to the end", long.Text(), short, diff, reason, south, north)
		}
	}
	if on < 1000 {
		t.Errorf("%d plies after a majority, want many", on)
	}
}

func TestRepetitionValues(t *testing.T) {
	for _, tt := range []struct {
		rules Rules
		diff  int     // for the side to move
		over  [5]bool // indexed by times
	}{
		{Abapa, 22 + 2 - 23 - 1, [5]bool{2: true, 3: true, 4: true}},
		{Awari, 22 - 23, [5]bool{2: true, 3: true, 4: true}},
		{Simple, 22 - 23, [5]bool{3: true, 4: true}},
		{SimpleToEnd, 22 - 23, [5]bool{3: true, 4: true}},
		{Arena, 0, [5]bool{}},
	} {
		p := board(t, tt.rules, cycleStart)
		for times := 1; times < len(tt.over); times++ {
			diff, over := p.Repetition(times)
			if over != tt.over[times] || (over && diff != tt.diff) {
				t.Errorf("%v: Repetition(%d) = %d, %v, want %d, %v", tt.rules, times, diff, over, tt.diff, tt.over[times])
			}
		}
	}
}

func TestProgressCountsCapturedSeeds(t *testing.T) {
	p := board(t, Abapa, "1-1-1-1-1-13-0-1-2-2-3-3-10-9-S")
	if p.Progress() != 19 || p.SeedsInPlay() != 29 || p.MinCycle() != 12 {
		t.Errorf("Progress %d, SeedsInPlay %d, MinCycle %d; want 19, 29, 12", p.Progress(), p.SeedsInPlay(), p.MinCycle())
	}
	if own, opp := p.SideSeeds(); own != 18 || opp != 11 {
		t.Errorf("SideSeeds() = %d, %d, want 18, 11", own, opp)
	}
}

func TestSwapAndMirror(t *testing.T) {
	p := board(t, Awari, "1-2-3-4-5-6-0-1-2-3-4-5-7-5-S")
	if got, want := p.Swap(), board(t, Awari, "1-2-3-4-5-6-0-1-2-3-4-5-7-5-N"); got != want {
		t.Errorf("Swap() = %v, want %v", got, want)
	}
	m := p.Mirror()
	if want := board(t, Awari, "0-1-2-3-4-5-1-2-3-4-5-6-5-7-N"); m != want {
		t.Errorf("Mirror() = %v, want %v", m, want)
	}
	for i := range 12 {
		testkit.Equal(t, m.House(i), p.House(i), "house %d of the mirror", i)
	}
	ownP, oppP := p.Words()
	ownM, oppM := m.Words()
	if ownP != 0x07_06_05_04_03_02_01 || oppP != 0x05_05_04_03_02_01_00 || ownM != ownP || oppM != oppP {
		t.Errorf("Words() = %#x, %#x and of the mirror %#x, %#x", ownP, oppP, ownM, oppM)
	}
	if South.Other() != North || North.Other() != South {
		t.Error("Other() is not the other side")
	}
}

func TestKeyIsSeenFromSideToMove(t *testing.T) {
	p := board(t, Abapa, "1-2-3-4-5-6-0-1-2-3-4-5-7-5-S")
	testkit.Equal(t, p.Key(), p.Mirror().Key(), "mirrored positions have different keys")
	keys := map[uint64]bool{}
	for _, r := range allRules { // a hash table must not return a value of another rule set
		q := board(t, r, p.String())
		keys[q.Key()] = true
		testkit.Equal(t, q.Key(), q.Mirror().Key(), "mirrored positions have different keys under %v", r)
	}
	testkit.Equal(t, len(keys), len(allRules), "keys by rules")
	if p.Key() == p.Swap().Key() {
		t.Error("the side to move is not part of the key")
	}
}

// Similar positions, as in a search, must have different keys, and every bit of the keys must be
// set in about half of them.
func TestKeysAreWellMixed(t *testing.T) {
	seen := map[uint64]Position{}
	level, next := []Position{Start(Abapa)}, []Position{}
	for len(seen) < 200_000 {
		next = next[:0]
		for _, p := range level {
			if q, ok := seen[p.Key()]; ok {
				if q != p && q != p.Mirror() {
					t.Fatalf("%v and %v share a key", p, q)
				}
				continue
			}
			seen[p.Key()] = p
			for _, m := range p.AppendMoves(nil) {
				next = append(next, p.Play(m))
			}
		}
		level, next = slices.Clone(next), level
	}
	var set [64]int
	for k := range seen {
		for b := range set {
			set[b] += int(k >> b & 1)
		}
	}
	for b, n := range set {
		if share := float64(n) / float64(len(seen)); share < 0.49 || share > 0.51 {
			t.Errorf("bit %d is set in %.3f of the keys", b, share)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	four := [12]int{4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}
	for _, tt := range []struct {
		rules  Rules
		house0 int
		stores [2]int
		toMove Side
		want   string
	}{
		{Abapa, -1, [2]int{}, South, "house A has -1 seeds"},
		{Abapa, 49, [2]int{}, South, "house A has 49 seeds"},
		{Abapa, 4, [2]int{-1, 0}, South, "store of S has -1"},
		{Abapa, 4, [2]int{0, 60}, South, "store of N has 60"},
		{Abapa, 5, [2]int{}, South, "has 49 seeds with the stores: expected 48"},
		{Rules(5), 4, [2]int{}, South, "unknown rules"},
		{Abapa, 4, [2]int{}, Side(2), "unknown side"},
	} {
		houses := four
		houses[0] = tt.house0
		_, err := New(tt.rules, houses, tt.stores, tt.toMove)
		testkit.ErrorContains(t, err, tt.want)
	}
}

func TestRulesNames(t *testing.T) {
	for _, r := range allRules {
		if got, err := ParseRules(r.String()); err != nil || got != r {
			t.Errorf("ParseRules(%q) = %v, %v", r.String(), got, err)
		}
	}
	_, err := ParseRules("kalah")
	testkit.ErrorContains(t, err, "expected abapa, awari, simple, simple-to-end or arena")
	testkit.Equal(t, Rules(7).String(), "rules(7)", "Rules(7) is named")
}

func TestHotPathsAllocateNothing(t *testing.T) {
	p := board(t, Awari, slam)
	moves := make([]Move, 0, Houses)
	rank, key, sink := p.Rank(), p.BookKey(), 0
	for name, f := range map[string]func(){
		"Play":        func() { sink += p.Play(4).Store() },
		"Gain":        func() { sink += p.Gain(4) },
		"Legal":       func() { sink += int(p.Legal()) },
		"AppendMoves": func() { moves = p.AppendMoves(moves[:0]) },
		"Terminal":    func() { d, _ := p.Terminal(); sink += d },
		"Repetition":  func() { d, _ := p.Repetition(2); sink += d },
		"Key":         func() { sink += int(p.Key()) },
		"Rank":        func() { sink += int(p.Rank()) },
		"BookKey":     func() { sink += int(p.BookKey()) },
		"Orbit":       func() { sink += int(p.Orbit()) },
		"Unrank":      func() { q, _ := Unrank(Abapa, rank, North); sink += q.Store() },
		"FromBookKey": func() { q, _ := FromBookKey(Abapa, key); sink += q.Store() },
		"Perft":       func() { sink += int(p.Perft(3)) },
	} {
		testkit.Equal(t, testing.AllocsPerRun(100, f), 0, "%s", name)
	}
}
