package oware

import (
	"math"
	"strings"
	"testing"

	"kroo/games/gametest"
	"kroo/internal/testkit"
)

func TestDescriptor(t *testing.T) { gametest.Run(t, Descriptor()) }

func TestASeedIsWorthATwentyFourthOfAWin(t *testing.T) {
	if got := Descriptor().PointsPerUnit(); math.Abs(got-1000.0/24) > 1e-12 {
		t.Errorf("%v points per seed", got)
	}
	testkit.Equal(t, InSeeds(1000.0), 24, "seeds of a won game")
}

func TestRandomDrawsReachableBoards(t *testing.T) {
	g, r := Descriptor(), rng(62)
	var inPlay float64
	const n = 5000
	for range n {
		p := testkit.Must(g.Random(r, "abapa"))(t)
		if !p.Reachable() || p.ToMove() != South {
			t.Fatalf("%v: want South to move and no store of one seed", p)
		}
		inPlay += float64(g.Phase(p)) / n
	}
	// On average the houses of all boards contain 48·12/14 = 41.1 seeds; boards with few in play
	// are over, and those with a store of one are not drawn.
	if inPlay < 39 || inPlay > 43 {
		t.Errorf("%.2f seeds in play on average, want about 41", inPlay)
	}
}

// Exactly the right moves of an exercise do what its task asks.
func TestTheLessonIsRightAboutItsMoves(t *testing.T) {
	does := map[string]func(p Position, m Move) bool{
		"Sow": func(p Position, m Move) bool { return int(m)+p.House(int(m)) >= Houses },
		"Capture": func(p Position, m Move) bool {
			return p.Gain(m) == 2 && p.House(Houses) == 1 && p.Play(m).House(0) == 0
		},
		"Chain": func(p Position, m Move) bool { return p.Gain(m) == 7 && emptied(p, m) == 3 },
		"Feed": func(p Position, m Move) bool {
			own, _ := p.Play(m).SideSeeds()
			_, before := p.SideSeeds()
			return before == 0 && own > 0
		},
		"End": func(p Position, m Move) bool {
			_, over := p.Play(m).Terminal()
			return over && p.Store()+p.Gain(m) == Seeds/2+1
		},
	}
	for _, e := range Lesson() {
		p, err := ParseBoard(Abapa, e.Board)
		if err != nil || p.ToMove() != South || does[e.Name] == nil {
			t.Errorf("%s: board %s, %v: expected one with South to move, and what its moves do", e.Name, e.Board, err)
			continue
		}
		if _, over := p.Terminal(); over {
			t.Errorf("%s: the game is over before the move", e.Name)
		}
		for h := range Houses {
			m, name := Move(h), MoveName(Move(h), South)
			if got, want := p.IsLegal(m) && does[e.Name](p, m), strings.Contains(e.Moves, name); got != want {
				t.Errorf("%s: %s is right: %v, the lesson has %v", e.Name, name, got, want)
			}
		}
		if e.Rule == "" || e.Task == "" || e.Right == "" || e.Wrong == "" {
			t.Errorf("%s lacks words: %+v", e.Name, e)
		}
	}
}

// emptied counts the opponent's houses that a move captures.
func emptied(p Position, m Move) (n int) {
	for h := range Houses {
		if p.House(Houses+h) > 0 && p.Play(m).House(h) == 0 {
			n++
		}
	}
	return n
}

func TestParseBoardRefuses(t *testing.T) {
	for s, want := range map[string]string{
		"":                                "has 1 fields: expected 15",
		"4-4-4-4-4-4-4-4-4-4-4-4-0-0":     "has 14 fields",
		"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S-S": "has 16 fields",
		"x-4-4-4-4-4-4-4-4-4-4-4-0-0-S":   `field 1 (house A) is "x"`,
		"4-4-4-4-4-4-4-4-4-4-4-49-0-0-S":  `field 12 (house f) is "49": expected 0 to 48`,
		"4-4-4-4-4-4-4-4-4-4-4-4-+0-0-S":  "field 13 (South's store)",
		"4-4-4-4-4-4-4-4-4-4-4-4-0--S":    `field 14 (North's store) is ""`,
		"4-4-4-4-4-4-4-4-4-4-4-4-0-000-S": "field 14",
		"4-4-4-4-4-4-4-4-4-4-4-4-0-0-s":   "field 15 (side to move)",
		"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\n": `"S\n"`,
		"4-4-4-4-4-4-4-4-4-4-4-4-0-1-S":   "49 seeds with the stores: expected 48",
	} {
		_, err := ParseBoard(Abapa, s)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("ParseBoard(%q) = %v, want an error with %q", s, err, want)
		}
	}
	if _, err := ParseBoard(Rules(5), "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"); err == nil {
		t.Error("unknown rules are accepted")
	}
}

func TestMoveNames(t *testing.T) {
	for i, name := range strings.Split("A B C D E F a b c d e f", " ") {
		m, side, err := ParseMove(name[0])
		if err != nil || int(side) != i/6 || int(m) != i%6 || MoveName(m, side) != name {
			t.Errorf("ParseMove(%s) = %d, %v, %v, named %s", name, m, side, err, MoveName(m, side))
		}
	}
	for _, c := range []byte("@Gg`0 \x00\xff") {
		if _, _, err := ParseMove(c); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("ParseMove(%q) = %v, want an error", c, err)
		}
	}
	if MoveName(6, South) != "?" || MoveName(0, Side(2)) != "?" {
		t.Error("invalid moves have names")
	}
}

// The number below (or above) a letter in the diagram belongs to this house.
func TestDiagramShowsHousesByName(t *testing.T) {
	for i := range 2 * Houses {
		var houses [2 * Houses]int
		houses[i] = 37
		p := testkit.Must(New(Abapa, houses, [2]int{5, 6}, North))(t)
		lines := strings.Split(p.Diagram(), "\n")
		m, side := Move(i%Houses), Side(i/Houses)
		names, row := lines[0], lines[2]
		if side == South {
			names, row = lines[6], lines[4]
		}
		at := strings.Index(names, MoveName(m, side))
		if at < 0 || !strings.HasPrefix(row[at-1:], "37") || strings.Count(p.Diagram(), "37") != 1 {
			t.Errorf("house %s is not the one with 37:\n%s", MoveName(m, side), p.Diagram())
		}
		if lines[7] != "North 6, South 5, N to move" {
			t.Errorf("wrong stores or side to move:\n%s", p.Diagram())
		}
	}
}

func FuzzParseBoard(f *testing.F) {
	for _, s := range []string{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "48-0-0-0-0-0-0-0-0-0-0-0-0-0-N", cycleStart, slam, "4-4-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParseBoard(Awari, s)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("error of more than one line: %q", err)
			}
			return
		}
		if q, err := ParseBoard(Awari, p.String()); err != nil || q != p {
			t.Errorf("%q is %v, read again %v, %v", s, p, q, err)
		}
		checkRank(t, p)
		compareWithTwin(t, p)
	})
}
