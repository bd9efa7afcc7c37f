package chess

import (
	"strings"
	"testing"

	"kroo/internal/testkit"
)

func TestBoardsReadBack(t *testing.T) {
	for _, fen := range []string{
		startBoards[Full], kiwipete,
		"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 1",
		"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
	} {
		p := parse(t, Full, fen)
		want := fen
		if strings.Contains(fen, "Pp2Q") { // the capture would expose the king to the queen
			want = strings.Replace(fen, "d3", "-", 1)
		}
		testkit.Equal(t, p.String(), want, "%s is written as %s", fen, p)
		testkit.Equal(t, parse(t, Full, strings.TrimSuffix(fen, " 0 1")), p, "without clocks %s is read as", fen)
	}
}

func TestInvalidBoardsAreRefused(t *testing.T) {
	for fen, want := range map[string]string{
		"":                                                         "0 fields",
		"8/8/8/8/8/8/8/8 w - - 0":                                  "5 fields",
		"8/8/8/8/8/8/8/8 x - - 0 1":                                `side to move is "x"`,
		"8/8/8/8/8/8/8 w - - 0 1":                                  "7 rows",
		"8/8/8/8/8/8/8/9 w - - 0 1":                                `rank 1: '9' is not a piece`,
		"8/8/8/8/8/8/8/7 w - - 0 1":                                "rank 1: \"7\" has 7 squares",
		"8/8/8/8/8/8/8/8P w - - 0 1":                               "more than 8 squares",
		"8/8/8/8/8/8/8/88 w - - 0 1":                               "16 squares",
		"8/8/8/4x3/8/8/8/8 w - - 0 1":                              "rank 5: 'x' is not a piece",
		"8/8/8/8/8/8/8/K7 w - - 0 1":                               "Black has 0 kings",
		"8/8/8/8/8/8/8/KK5k w - - 0 1":                             "White has 2 kings",
		"k7/8/8/8/8/8/8/K6P w - - 0 1":                             "White has a pawn on h1",
		"kp6/8/8/8/8/8/8/K7 w - - 0 1":                             "Black has a pawn on b8",
		"k7/8/8/8/8/PPPPPPPP/P7/K7 w - - 0 1":                      "White has 9 pawns",
		"k7/8/8/8/8/NNN5/PPPPPPPP/K7 w - - 0 1":                    "8 pawns and 1 pieces that were pawns",
		"k7/8/8/8/8/8/8/K6R w K - 0 1":                             "castling right K: expected the king on e1",
		"4k3/8/8/8/8/8/8/4K2R w Q - 0 1":                           "a rook on a1",
		"4k3/8/8/8/8/8/8/4K2R w KK - 0 1":                          `castling rights with "K"`,
		"4k3/8/8/8/8/8/8/4K2R w  - 0 1":                            "5 fields",
		"4k3/8/8/8/8/8/8/4K3 w x - 0 1":                            `castling rights with "x"`,
		"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1":                          "Black is in check",
		"4k3/8/8/8/8/8/8/4K3 w - e9 0 1":                           "en passant square",
		"4k3/8/8/8/8/8/8/4K3 w - e66 0 1":                          "en passant square",
		"4k3/8/8/8/8/8/8/4K3 w - e6 0 1":                           "no pawn of Black can have passed it",
		"4k3/8/4p3/4pP2/8/8/8/4K3 w - e6 0 1":                      "no pawn of Black",
		"4k3/4p3/8/4pP2/8/8/8/4K3 w - e6 0 1":                      "no pawn of Black",
		"4k3/8/8/4pP2/8/8/8/4K3 w - e3 0 1":                        "no pawn of Black",
		"4k3/8/8/8/8/8/8/4K3 w - - x 1":                            "half-move clock",
		"4k3/8/8/8/8/8/8/4K3 w - - 0 -1":                           "move number",
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "", // valid
	} {
		_, err := ParseBoard(Full, fen)
		if want == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		testkit.ErrorContains(t, err, want)
	}
}

func TestParseBoardUnderLaMoScasRules(t *testing.T) {
	for fen, want := range map[string]string{
		startBoards[Full]:                          "nobody castles",
		"4k3/8/8/4pP2/8/8/8/4K3 w - e6 0 1":        "nobody captures so",
		"8/8/8/8/8/8/8/4K3 w - - 0 1":              "Black has 0 kings", // White would have captured it and be to move
		"4k3/8/8/8/8/8/4P3/4P1K1 w - - 0 1":        "pawn on e1",
		"4k3/8/8/8/8/8/8/KK6 w - - 0 1":            "2 kings",
		"4P2k/8/8/8/8/8/8/4K3 w - - 0 1":           "",
		"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1":          "", // no rule of check
		"4k3/8/8/8/8/8/8/8 w - - 0 1":              "", // captured
		"rnbqkbnr/8/8/8/8/8/8/RNBQKBNR b - - 12 3": "",
	} {
		_, err := ParseBoard(LaMoSca, fen)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", fen, err, want)
		}
	}
}

func FuzzParseBoard(f *testing.F) {
	f.Add(startBoards[Full])
	f.Add(kiwipete)
	f.Add("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1")
	f.Add("4P2k/8/8/8/8/8/8/4K3 w - - 99 9999")
	f.Add(strings.Repeat("\x98", 60))       // each byte becomes four when quoted
	f.Add(strings.Repeat("\U0010fffe", 60)) // and each of these ten
	f.Fuzz(func(t *testing.T, text string) {
		for _, rules := range []Rules{Full, LaMoSca} {
			p, err := ParseBoard(rules, text)
			if err != nil {
				if strings.ContainsAny(err.Error(), "\r\n") || len(err.Error()) > 400 {
					t.Errorf("%q: error %q", text, err)
				}
				continue
			}
			if q, err := ParseBoard(rules, p.String()); err != nil || q != p {
				t.Fatalf("%q is written as %s and read as %s, error %v", text, p, q, err)
			}
			if n := len(p.AppendMoves(nil)); n > maxMoves {
				t.Errorf("%s has %d moves", p, n)
			}
			for _, m := range p.AppendMoves(nil) {
				if q, err := ParseBoard(rules, p.Play(m).String()); err != nil || q != p.Play(m) {
					t.Fatalf("%s: %s leads to %s, read as %s, error %v", p, MoveName(m), p.Play(m), q, err)
				}
			}
			p.diagram()
			p.orbit()
			p.Terminal()
		}
	})
}
