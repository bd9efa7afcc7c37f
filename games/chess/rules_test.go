package chess

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kroo/games"
	"kroo/games/gametest"
	"kroo/internal/testkit"
)

func parse(t testing.TB, rules Rules, fen string) Position {
	t.Helper()
	return testkit.Must(ParseBoard(rules, fen))(t)
}

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

// The counts are published at chessprogramming.org/Perft_Results: the start, P. McKenzie's
// Kiwipete, and positions 3 to 6 there, which are rich in en passant captures, promotions, pins
// and checks.
func TestPerftOfFullRules(t *testing.T) {
	for fen, want := range map[string][]int64{
		startBoards[Full]: {1, 20, 400, 8902, 197281},
		kiwipete:          {1, 48, 2039, 97862},
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1":                                {1, 14, 191, 2812, 43238},
		"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1":         {1, 6, 264, 9467},
		"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8":                {1, 44, 1486, 62379},
		"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": {1, 46, 2079, 89890},
	} {
		p := parse(t, Full, fen)
		for depth, n := range want {
			testkit.Equal(t, p.perft(depth), n, "%s, depth %d", fen, depth)
		}
	}
}

// Up to four plies no king can be captured, so the counts are those of chess plus moves that
// leave the king in check, which exist from the fourth ply on.
func TestPerftOfLaMoScasRules(t *testing.T) {
	for depth, want := range []int64{1, 20, 400, 8902, 197742} {
		testkit.Equal(t, Start(LaMoSca).perft(depth), want, "depth %d", depth)
	}
}

func TestPerftsAgree(t *testing.T) {
	for _, p := range []Position{Start(Full), parse(t, Full, kiwipete), Start(LaMoSca)} {
		for depth := range 4 {
			testkit.Equal(t, p.perft(depth), games.Perft(p, depth), "%s, depth %d", p, depth)
		}
	}
}

// A draw for lack of material does not end a count.
func TestPerftContinuesWithoutMatingMaterial(t *testing.T) {
	p := parse(t, Full, "8/8/8/3k4/8/8/8/K7 w - - 0 1")
	testkit.Equal(t, p.perft(1), 3, "p.perft")
}

func TestMovesAllocateNothing(t *testing.T) {
	p := parse(t, Full, kiwipete)
	var room [maxMoves]Move
	var hints [maxMoves]int32
	sum := uint64(0)
	if n := testing.AllocsPerRun(100, func() {
		moves := p.AppendMoves(room[:0])
		p.AppendHints(hints[:0], moves)
		for _, m := range moves {
			q := p.Play(m)
			diff, _ := q.Terminal()
			sum += q.Key() + uint64(diff)
		}
	}); n != 0 || sum == 0 {
		t.Errorf("%v allocations", n)
	}
}

// A player has to claim a draw by repetition or by fifty moves without progress: a game that
// continued is read to its end, whatever its result.
func TestGamesMayContinueAfterAnUnclaimedDraw(t *testing.T) {
	again := "g1f3 g8f6 f3g1 f6g8 "
	text := strings.Repeat(again, 2) + "e2e4 e7e5 1-0\n\n[Result \"0-1\"]\n" + strings.Repeat(again, 30) + "0-1\n"
	records, err := Descriptor().ParseRecords(strings.NewReader(text), "x")
	if err != nil || len(records) != 2 || len(records[0].Moves) != 10 || len(records[1].Moves) != 120 || records[1].Result != games.SecondWins {
		t.Fatalf("%d games, error %v", len(records), err)
	}
	l := testkit.Must(Descriptor().Replay(records[0]))(t)
	if _, _, over := l.Over(); over {
		t.Error("over after moves that made progress")
	}
	l.Undo()
	if l.Undo(); l.Result() != games.DrawnGame {
		t.Errorf("at the third appearance the game is %s: expected a draw", l.Result())
	}
	const mate = "f2f3 e7e5 g2g4 d8h4 a2a3"
	_, err = Descriptor().ParseRecords(strings.NewReader(mate), "x")
	testkit.ErrorContains(t, err, "after the end of the game (checkmate)")
}

func TestDescriptor(t *testing.T) { gametest.Run(t, Descriptor()) }

// play plays moves from a board.
func play(t *testing.T, rules Rules, fen, moves string) *games.Line[Position] {
	t.Helper()
	l := Descriptor().NewLine(parse(t, rules, fen))
	testkit.NoError(t, l.PlayText(moves))
	return l
}

func TestEndReason(t *testing.T) {
	shuffle := "g1f3 g8f6 f3g1 f6g8 "
	for _, tt := range []struct {
		rules      Rules
		fen, moves string
		diff       int
		reason     games.Reason
	}{
		{Full, startBoards[Full], "f2f3 e7e5 g2g4 d8h4", -unitsPerWin, Checkmate},
		{Full, startBoards[Full], "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7", unitsPerWin, Checkmate},
		{Full, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", 0, Stalemate},
		{Full, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f8", unitsPerWin, Checkmate},
		{Full, "7k/6p1/8/8/8/8/8/K5B1 b - - 0 1", "g7g5", 0, ""},
		{Full, "7k/8/8/8/8/8/6p1/K5B1 w - - 0 1", "g1h2 g2g1n h2g1", 0, DeadPosition},
		{Full, "7k/8/8/8/8/8/6p1/K5B1 b - - 0 1", "h8h7 a1b1 h7h6 b1c1", 0, ""},
		{Full, startBoards[Full], shuffle + shuffle, 0, games.Repeated},
		{Full, startBoards[Full], shuffle + "g1f3 g8f6 f3g1", 0, ""},
		{LaMoSca, startBoards[LaMoSca], shuffle + shuffle + shuffle, 0, ""},
		{LaMoSca, startBoards[LaMoSca], "e2e4 f7f5 d1h5 a7a6 h5e8", unitsPerWin, KingCaptured},
		{LaMoSca, startBoards[LaMoSca], "f2f3 e7e5 g2g4 d8h4 a2a3 h4e1", -unitsPerWin, KingCaptured},
		{LaMoSca, "8/8/8/8/8/p7/P7/kr5K b - - 0 1", "b1h1", -unitsPerWin, KingCaptured},
		{LaMoSca, "7P/7k/7P/8/8/p7/1r6/K7 w - - 0 1", "a1b2 a3a2", 0, ""},
	} {
		l := play(t, tt.rules, tt.fen, tt.moves)
		if diff, reason, over := l.Over(); diff != tt.diff || reason != tt.reason || over != (reason != "") {
			t.Errorf("%s %s: over %v by %q, difference %d, want %q and %d", tt.fen, tt.moves, over, reason, diff, tt.reason, tt.diff)
		}
	}
}

// A king that captures its own rook castles if it has the right to; otherwise the move is read
// literally.
func TestKingTakesRookIsReadAsCastling(t *testing.T) {
	for _, tt := range []struct{ board, text, want string }{
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "e1g1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1a1", "e1c1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8h8", "e8g8"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8a8", "e8c8"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1", "e1h1", "e1h1"},
		{"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1a1", "e1a1"},
	} {
		if m, length, err := parse(t, Full, tt.board).scanMove(tt.text + "e7e5"); err != nil || length != 4 || MoveName(m) != tt.want {
			t.Errorf("%s: %s is read as %s of %d bytes, error %v: want %s", tt.board, tt.text, MoveName(m), length, err, tt.want)
		}
	}
}

// Tests each rule by the moves it allows.
func TestMovesOfEachRule(t *testing.T) {
	for _, tt := range []struct {
		what       string
		rules      Rules
		fen        string
		legal, not string
	}{
		{"castling", Full, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1 e1c1", ""},
		{"castling without the right", Full, "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1", "e1c1", "e1g1"},
		{"castling out of check", Full, "r3k2r/8/8/4r3/8/8/8/R3K2R w KQkq - 0 1", "e1d1", "e1g1 e1c1"},
		{"castling through check", Full, "4k3/8/8/3r1r2/8/8/8/R3K2R w KQ - 0 1", "e1e2", "e1g1 e1c1"},
		{"castling past an attacked rook", Full, "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", ""},
		{"castling over a piece", Full, "4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", "e1d1", "e1g1 e1c1"},
		{"castling of LaMoSca", LaMoSca, "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "e1f1", "e1g1 e1c1"},
		{"en passant", Full, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6 e5e6", ""},
		{"en passant, a move later", Full, "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5e6", "e5d6"},
		{"en passant that opens the row", Full, "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "e5e6", "e5d6"},
		{"en passant of LaMoSca", LaMoSca, "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5e6", "e5d6"},
		{"promotion", Full, "3n3k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7e8q e7e8r e7e8b e7e8n e7d8q", "e7e8"},
		{"promotion of LaMoSca", LaMoSca, "3n3k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7e8 e7d8", "e7e8q"},
		{"a pawn on the last row of LaMoSca", LaMoSca, "3nP2k/8/8/8/8/8/8/K7 w - - 0 1", "a1a2", "e8d8 e8f8"},
		{"a pin", Full, "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "e1f1", "e2c3 e2g3"},
		{"a pin of LaMoSca", LaMoSca, "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "e1f1 e2c3 e2g3", ""},
		{"a king into check, of LaMoSca", LaMoSca, "3r3k/8/8/8/8/8/8/4K3 w - - 0 1", "e1d1", ""},
	} {
		var names []string
		p := parse(t, tt.rules, tt.fen)
		for _, m := range p.AppendMoves(nil) {
			names = append(names, MoveName(m))
		}
		for _, m := range strings.Fields(tt.legal) {
			if !slices.Contains(names, m) {
				t.Errorf("%s: %s is missing in %v", tt.what, m, names)
			}
		}
		for _, m := range strings.Fields(tt.not) {
			if slices.Contains(names, m) {
				t.Errorf("%s: %s is among %v", tt.what, m, names)
			}
		}
	}
}

// LaMoSca printed the first moves and the replies in this order.
func TestMovesAreInTheOrderOfLaMoSca(t *testing.T) {
	p := Start(LaMoSca)
	const first = "a2a3 a2a4 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4 e2e3 e2e4 f2f3 f2f4 g2g3 g2g4 h2h3 h2h4 b1a3 b1c3 g1f3 g1h3"
	testkit.Equal(t, Descriptor().MoveNames(p, p.AppendMoves(nil)...), first, "moves")
	const replies = "b8a6 b8c6 g8f6 g8h6 a7a6 a7a5 b7b6 b7b5 c7c6 c7c5 d7d6 d7d5 e7e6 e7e5 f7f6 f7f5 g7g6 g7g5 h7h6 h7h5"
	p = play(t, LaMoSca, startBoards[LaMoSca], "a2a3").Position()
	testkit.Equal(t, Descriptor().MoveNames(p, p.AppendMoves(nil)...), replies, "moves")
}

func TestFiftyMovesWithoutProgressDraw(t *testing.T) {
	l := play(t, Full, "7k/8/8/8/8/8/1R6/1K6 w - - 30 40", "")
	rng := rand.New(rand.NewPCG(3, 14))
	for i := 0; ; i++ {
		_, reason, over := l.Over()
		if over {
			if reason != games.NoProgress || i != 100 {
				t.Errorf("over by %s after %d plies, want %s after 100", reason, i, games.NoProgress)
			}
			return
		}
		// Play a random move that does not end the game.
		for _, j := range rng.Perm(maxMoves) {
			moves := l.Position().AppendMoves(nil)
			testkit.NoError(t, l.Play(moves[j%len(moves)]))
			if _, reason, over := l.Over(); !over || reason == games.NoProgress {
				break
			}
			l.Undo()
		}
	}
}

func TestOrbitsOfColoursAndMirrors(t *testing.T) {
	white := parse(t, Full, "4k3/8/8/8/3p4/8/P7/R3K3 w - - 0 1")
	for fen, same := range map[string]bool{
		"r3k3/p7/8/3P4/8/8/8/4K3 b - - 0 1": true,  // colours exchanged
		"3k4/8/8/8/4p3/8/7P/3K3R w - - 0 1": true,  // mirrored
		"4k3/8/8/8/3p4/8/P7/R3K3 b - - 0 1": false, // the other side to move
		"4k3/8/8/8/3p4/8/P7/R3K3 w Q - 0 1": false, // with a castling right
	} {
		testkit.Equal(t, parse(t, Full, fen).orbit() == white.orbit(), same, "%s: the same orbit", fen)
	}
	castles := parse(t, Full, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
	if castles.orbit() == parse(t, Full, "3k4/8/8/8/8/8/8/3K3R w - - 0 1").orbit() {
		t.Error("a position with a castling right has the orbit of its mirror image")
	}
}

func TestKeysDiffer(t *testing.T) {
	seen := map[uint64]Position{}
	rng := rand.New(rand.NewPCG(4, 14))
	for _, rules := range Descriptor().Rules {
		for _, p := range gametest.RandomPositions(t, Descriptor(), rng, rules, 2000) {
			if q, there := seen[p.Key()]; there && q != p {
				t.Fatalf("%s and %s have the same key", p, q)
			}
			seen[p.Key()] = p
		}
	}
	if Start(Full).Key() == Start(LaMoSca).Key() {
		t.Error("the rules are not in the key")
	}
}

// Tactical moves are captures that lose nothing and promotions to a queen. They make progress.
func TestHintsOfTacticalMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 14))
	for _, rules := range Descriptor().Rules {
		for _, p := range gametest.RandomPositions(t, Descriptor(), rng, rules, 300) {
			moves := p.AppendMoves(nil)
			for i, hint := range p.AppendHints(nil, moves) {
				from, to, promotion := split(moves[i])
				captures := p.Play(moves[i]).pieces() < p.pieces()
				slow := twinOf(LaMoSca, p.String())
				if want := captures && settled(slow, MoveName(moves[i])) >= 0 || promotion == Queen; (hint > 0) != want {
					t.Fatalf("%s: %s has the hint %d", p, MoveName(moves[i]), hint)
				}
				if hint > 0 && p.Play(moves[i]).Progress() == p.Progress() {
					t.Fatalf("%s: %s%s is tactical and reversible", p, SquareName(from), SquareName(to))
				}
			}
		}
	}
}

// settled returns the gain of a capture. It is the twin of exchange, and makes the captures in
// turn, each with the smallest piece. It ignores pins, checks and promotions.
func settled(t *twin, m string) int {
	value := func(square string) int { return worthOf[t.board['8'-square[1]][square[0]-'a']|' '] }
	won := value(m[2:4])
	if won == 0 {
		won = 1 // en passant
	}
	u := t.makeMove(m[:4])
	back, least := "", 1000
	for _, n := range u.pseudo() {
		if v := worthOf[u.board['8'-n[1]][n[0]-'a']|' ']; n[2:4] == m[2:4] && v < least {
			back, least = n, v
		}
	}
	if back == "" {
		return won
	}
	return won - max(0, settled(u, back))
}

var worthOf = map[byte]int{'p': 1, 'n': 3, 'b': 3, 'r': 5, 'q': 9, 'k': 100}

func TestMoveNamesCanBeConcatenated(t *testing.T) {
	l := play(t, Full, "1k6/4P3/8/8/8/8/7P/K7 w - - 0 1", "e7e8bb8b7a1b1")
	testkit.Equal(t, l.Text(), "e7e8b b8b7 a1b1", "read as")
}

func TestInvalidMoveNamesAreRefused(t *testing.T) {
	p := parse(t, Full, "1k6/4P3/8/8/8/8/8/K7 w - - 0 1")
	for text, want := range map[string]string{
		"":       "is not a square",
		"e":      "is not a square",
		"e9e8":   `"e9" is not a square`,
		"e7":     `after e7: "" is not a square`,
		"e7x":    `after e7: "x" is not a square`,
		"e7h9":   `after e7: "h9" is not a square`,
		"e7, x":  `after e7: ", " is not a square`,
		"e8":     `after e8: "" is not a square`,
		"Kb2":    "is not a square",
		"O-O":    "is not a square",
		"e7e8":   "expected the promotion piece",
		"e7e8k":  "expected the promotion piece",
		"b8b7":   "no piece of White is on b8",
		"Nf3":    "is not a square",
		"N3":     `"N3" is not a square`,
		"a1a2 x": "",
	} {
		_, _, err := p.scanMove(text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if name, ok := Descriptor().OpponentsMove(p, "b8b7"); !ok || name != "b8b7" {
		t.Errorf("b8b7 is the opponent's: %q, %v", name, ok)
	}
}
