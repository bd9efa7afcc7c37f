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

// The boards of OpenSpiel are states 0, 28 and 41 of the game in its repository
// (playthroughs/oware.txt). The others are from the tests of PlayStrategy's strategygames, which
// give the houses of one and the winners of others.
func TestBoardsOfOtherPrograms(t *testing.T) {
	for text, want := range map[string]string{
		"0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4":           "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
		"0 | 5 2 | 0 11 3 2 1 8 1 1 1 0 0 13":         "0-11-3-2-1-8-1-1-1-0-0-13-5-2-S",
		"1 | 10 2 | 1 1 5 0 2 2 0 0 6 0 1 18":         "1-1-5-0-2-2-0-0-6-0-1-18-10-2-N",
		"4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1": "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
		"5S,5S,6S,6S,1S,5S/1,5S,5S,5S,1,5S 0 0 N 2":   "0-5-5-5-0-5-5-1-6-6-5-5-0-0-N",
		"5S,7S,7S,8S,1S,2S/1S,6S,5S,2,6S 0 0 N 3":     "1-6-5-0-0-6-2-1-8-7-7-5-0-0-N",
		"3,2S,1S,2S/1S,3,2S,3S 20 17 S":               "1-0-0-0-2-3-2-1-2-0-0-0-20-17-S",
		"11S,5/2,23S,3 11 3 S 50":                     "0-0-23-0-0-0-0-0-0-0-0-11-11-3-S",
		"1,1S,1S,1S,1S,2S/6 20 22 S 50":               "0-0-0-0-0-0-2-1-1-1-1-0-20-22-S",
	} {
		p, err := parseAnyBoard(Abapa, text)
		if err != nil || p.String() != want {
			t.Errorf("%s: %s, %v, expected %s", text, p, err, want)
		}
		if q, err := Descriptor().Parse("abapa", text); err != nil || q != p {
			t.Errorf("%s: %s, %v from the descriptor", text, q, err)
		}
	}
}

func TestInvalidBoardsOfOtherProgramsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4":                          "expected the side to move",
		"2 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4":                        "expected the side to move",
		"0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4 | 1":                    "expected the side to move",
		"0 | 0 x | 4 4 4 4 4 4 4 4 4 4 4 4":                        `"x": expected 0 to 48`,
		"0 | 0 1 | 4 4 4 4 4 4 4 4 4 4 4 4":                        "49 seeds",
		"|":                                                        "expected the side to move",
		"4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 X 1":              `the side to move is "X"`,
		"4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 SN":               `the side to move is "SN"`,
		"4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S 0 0 S 1":                 `a row is "4S,4S,4S,4S,4S"`,
		"4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,0S,8S 0 0 S 1":              "a row is",
		"4S,4S,4S,4S,4S,4S/7 12 12 S 1":                            `a row is "7"`,
		"6/6/6 24 24 S 1":                                          "two rows",
		"6/6 24 25 S 1":                                            "49 seeds",
		"6/6 24 -1 S 1":                                            "fields: expected 15",
		"6/6 S":                                                    "words",
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "fields: expected 15",
	} {
		_, err := parseAnyBoard(Abapa, text)
		testkit.Refused(t, err, want)
	}
}

func FuzzAnyBoard(f *testing.F) {
	f.Add("0 | 5 2 | 0 11 3 2 1 8 1 1 1 0 0 13")
	f.Add("5S,7S,7S,8S,1S,2S/1S,6S,5S,2,6S 0 0 N 3")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parseAnyBoard(Abapa, text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		if q, err := ParseBoard(Abapa, p.String()); err != nil || q != p {
			t.Errorf("%q is %s, which is read as %s, %v", text, p, q, err)
		}
	})
}
