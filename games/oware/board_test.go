package oware

import (
	"strings"
	"testing"

	"kroo/internal/testkit"
)

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

// The number below (or above) a letter in the diagram is that of this house.
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
