package chess

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kroo/games"
)

// sanName is the algebraic notation of a move: with the file, the row or both of where the
// piece comes from if another of its kind can go there. It builds on other things than
// scanSAN: what every piece could do, by name.
func sanName(p Position, m Move) string {
	from, to, promotion := split(m)
	name := func(square int) string { return SquareName(square) }
	kind := p.kindAt(from)
	text := ""
	switch {
	case kind == King && from-to == 2:
		text = "O-O-O"
	case kind == King && to-from == 2:
		text = "O-O"
	case kind == Pawn:
		if name(from)[0] != name(to)[0] {
			text = name(from)[:1] + "x"
		}
		text += name(to)
		if promotion > 0 {
			text += "=" + strings.ToUpper(letters[promotion:promotion+1])
		}
	default:
		text = strings.ToUpper(letters[kind:kind+1]) + apart(p, m)
		if p.occupied()>>to&1 != 0 {
			text += "x"
		}
		text += name(to)
	}
	if q := p.Play(m); q.InCheck() {
		text += "+"
	}
	return text
}

// apart is what tells a piece from others of its kind that can go to the same square.
func apart(p Position, m Move) string {
	from, to, _ := split(m)
	file, row, others := false, false, false
	for _, other := range p.AppendMoves(nil) {
		from2, to2, _ := split(other)
		if from2 == from || to2 != to || p.kindAt(from2) != p.kindAt(from) {
			continue
		}
		others = true
		file = file || from2&7 == from&7
		row = row || from2>>3 == from>>3
	}
	name := SquareName(from)
	switch {
	case !others:
		return ""
	case !file:
		return name[:1]
	case !row:
		return name[1:]
	}
	return name
}

// Every legal move of random positions is read from its algebraic notation, whatever
// stands behind it, and from the longer one with both squares.
func TestAlgebraicNotationOfAllMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(91, 0))
	castled, promoted, apart := 0, 0, 0
	for range 300 {
		p := games.RandomPlayout(rng, Start(Full), 300)
		for _, m := range p.AppendMoves(nil) {
			name := sanName(p, m)
			for _, text := range []string{name, name + " " + name, name + "\n1-0", name + "!?"} {
				if got, n, err := p.ScanMove(text); err != nil || got != m || n != len(name) {
					t.Fatalf("%s: %q is read as %s of %d bytes, error %v: want %s", p, text, MoveName(got), n, err, MoveName(m))
				}
			}
			from, to, promotion := split(m)
			if strings.HasPrefix(name, "O") {
				castled++
				continue
			}
			if promotion > 0 {
				promoted++
			}
			plain := strings.TrimRight(name, "+")
			if letter := plain[:1]; strings.Contains("NBRQK", letter) {
				long := letter + SquareName(from) + "-" + SquareName(to)
				if got, n, err := p.ScanMove(long); err != nil || got != m || n != len(long) {
					t.Fatalf("%s: %s is read as %s, error %v", p, long, MoveName(got), err)
				}
				if len(strings.Replace(plain, "x", "", 1)) > 3 {
					apart++
				}
			}
		}
	}
	if castled < 2 || promoted < 20 || apart < 50 {
		t.Errorf("%d castlings, %d promotions, %d names that tell pieces apart: expected more of each", castled, promoted, apart)
	}
}

func TestAlgebraicNotationMustSayWhichPiece(t *testing.T) {
	p := parse(t, Full, "4k3/8/8/8/8/8/4K3/R6R w - - 0 1")
	if _, _, err := p.ScanMove("Rd1"); err == nil || !strings.Contains(err.Error(), "2 pieces can go there") {
		t.Errorf("Rd1 of two rooks: error %v", err)
	}
	for text, want := range map[string]string{"Rad1": "a1d1", "Rhd1+": "h1d1", "Rxd1": ""} {
		m, _, err := p.ScanMove(text)
		if want == "" && err == nil || want != "" && (err != nil || MoveName(m) != want) {
			t.Errorf("%s is read as %s, error %v: want %s", text, MoveName(m), err, want)
		}
	}
}

// opera is a game of Morphy's, Paris 1858, as PGN has it.
const opera = `[Event "Paris"]
[White "Morphy"]
[Black "Duke of Brunswick and Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 {a weak move} 4. dxe5 Bxf3 (4... dxe5 5. Qxd8+ Kxd8 6. Nxe5)
5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5?! 10. Nxb5 cxb5 11. Bxb5+
Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+! Nxb8 17. Rd8# 1-0
`

func TestGamesOfPGNAreRead(t *testing.T) {
	records, err := Descriptor().ParseTrees(strings.NewReader(opera+"\n"+opera), "x")
	if err != nil || len(records) != 2 {
		t.Fatalf("%d games, error %v", len(records), err)
	}
	l, err := Descriptor().Replay(records[1])
	if err != nil || l.Plies() != 33 || l.Position().String() != "1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - 0 1" || l.Result() != games.FirstWins {
		t.Errorf("%d plies to %s, %s, error %v", l.Plies(), l.Position(), l.Result(), err)
	}
	if v := records[0].Moves[7].Variations; len(v) != 1 || len(v[0]) != 4 {
		t.Errorf("variations %v", v)
	}
}

// Castling is also written with zeros, which look like a result.
func TestCastlingWithZeros(t *testing.T) {
	zeros := strings.ReplaceAll(opera, "O-O-O", "0-0-0+")
	records, err := Descriptor().ParseTrees(strings.NewReader(zeros+"1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 (4... d6) 5. d3 1-0\n"), "x")
	if err != nil || len(records) != 2 || len(records[0].Moves) != 33 || len(records[1].Moves) != 9 {
		t.Fatalf("%d games, error %v", len(records), err)
	}
	if name := MoveName(records[1].Moves[7].Move); name != "e8g8" || records[1].Result != games.FirstWins {
		t.Errorf("0-0 is read as %s, the result as %s", name, records[1].Result)
	}
	for text, want := range map[string]string{
		"1. 0-0":          "x:1:4: illegal move 0-0 of White",
		"1. e4 0-0-0":     "x:1:7: illegal move 0-0-0 of Black",
		"1. e4 0-0-0-0":   `x:1:7: result "0-0-0-0": expected`,
		"1. e4 e5 0-1 e5": "x:1:14: ",
	} {
		if _, err := Descriptor().ParseRecords(strings.NewReader(text), "x"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", text, err, want)
		}
	}
}

// A repetition and fifty moves without progress end a game if a player says so: a game that
// went on is read to its end, whatever its result.
func TestGamesThatWentOnBehindAClaim(t *testing.T) {
	again := "Nf3 Nf6 Ng1 Ng8 "
	text := strings.Repeat(again, 2) + "e4 e5 1-0\n\n[Result \"0-1\"]\n" + strings.Repeat(again, 30) + "0-1\n\n" + strings.Repeat(again, 2) + "1/2-1/2\n"
	records, err := Descriptor().ParseTrees(strings.NewReader(text), "x")
	if err != nil || len(records) != 3 || len(records[0].Moves) != 10 || len(records[1].Moves) != 120 || records[1].Result != games.SecondWins {
		t.Fatalf("%d games, error %v", len(records), err)
	}
	l, err := Descriptor().Replay(records[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, _, over := l.Over(); over {
		t.Error("over behind moves that made progress")
	}
	l.Undo()
	if l.Undo(); l.Result() != games.DrawnGame {
		t.Errorf("at the third appearance the game is %s: expected a draw", l.Result())
	}
	var b strings.Builder
	if err := Descriptor().WriteRecord(&b, records[1]); err != nil || !strings.HasSuffix(b.String(), " 0-1\n\n") {
		t.Errorf("written as %s, error %v", b.String(), err)
	}
	for _, on := range []string{"f3 e5 g4 Qh4 a2a3", "e4 f6 d4 g5 Qh5 a7a6"} {
		if _, err := Descriptor().ParseRecords(strings.NewReader(on), "x"); err == nil || !strings.Contains(err.Error(), "after the end of the game (checkmate)") {
			t.Errorf("behind a mate: %v", err)
		}
	}
}

// Whatever a text says, what is read of it is a game by the rules.
func FuzzGamesOfPGN(f *testing.F) {
	f.Add(opera)
	f.Add("e4e5 Ng1-f3 e8=Q O-O-O+# Rad1 xd5")
	f.Fuzz(func(t *testing.T, text string) {
		records, err := Descriptor().ParseTrees(strings.NewReader(text), "x")
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("error %q", err)
		}
		for _, rec := range records {
			if _, err := Descriptor().Replay(rec); err != nil {
				t.Errorf("%q is read as a game that cannot be played: %v", text, err)
			}
		}
	})
}
