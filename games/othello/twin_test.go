package othello

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/games/gametest"
)

// twin is a slow and obvious board: squares by row and column, searched in eight directions.
type twin struct {
	size    int
	squares [8][8]byte // 'X', 'O' or 0
	toMove  byte
}

func twinOf(p Position) (t twin) {
	t = twin{size: p.rules.Size(), toMove: "XO"[p.side]}
	for i, c := range []byte(p.String())[:t.size*t.size] {
		if c != '.' {
			t.squares[i/t.size][i%t.size] = c
		}
	}
	return t
}

func (t twin) other() byte { return 'X' + 'O' - t.toMove }

// turns lists the squares that a disc would turn.
func (t twin) turns(row, column int) (all [][2]int) {
	if t.squares[row][column] != 0 {
		return nil
	}
	for dr := -1; dr <= 1; dr++ {
		for dc := -1; dc <= 1; dc++ {
			var line [][2]int
			r, c := row+dr, column+dc
			for r >= 0 && c >= 0 && r < t.size && c < t.size && t.squares[r][c] == t.other() && (dr != 0 || dc != 0) {
				line = append(line, [2]int{r, c})
				r, c = r+dr, c+dc
			}
			if len(line) > 0 && r >= 0 && c >= 0 && r < t.size && c < t.size && t.squares[r][c] == t.toMove {
				all = append(all, line...)
			}
		}
	}
	return all
}

// places returns the squares where a disc can be put, from the last to the first.
func (t twin) places() (all [][2]int) {
	for i := t.size*t.size - 1; i >= 0; i-- {
		if at := [2]int{i / t.size, i % t.size}; len(t.turns(at[0], at[1])) > 0 {
			all = append(all, at)
		}
	}
	return all
}

func (t twin) pass() twin { t.toMove = t.other(); return t }

func (t twin) put(row, column int) twin {
	for _, at := range append(t.turns(row, column), [2]int{row, column}) {
		t.squares[at[0]][at[1]] = t.toMove
	}
	return t.pass()
}

func (t twin) count(c byte) (n int) {
	for _, row := range t.squares {
		for _, s := range row {
			if s == c {
				n++
			}
		}
	}
	return n
}

func (t twin) perft(depth int) (n int64) {
	if depth == 0 {
		return 1
	}
	places := t.places()
	if len(places) == 0 && len(t.pass().places()) > 0 {
		return t.pass().perft(depth - 1)
	}
	for _, at := range places {
		n += t.put(at[0], at[1]).perft(depth - 1)
	}
	return n
}

// compare compares everything that the twin can compute for a position.
func compare(t *testing.T, p Position) {
	t.Helper()
	w := twinOf(p)
	var want, passing []Move
	for _, at := range w.places() {
		m := Move(p.rules.at(at[0], at[1]))
		want = append(want, m)
		if got := twinOf(p.Play(m)); got != w.put(at[0], at[1]) {
			t.Fatalf("%s: %s leads to %s", p, MoveName(p.rules, m), p.Play(m))
		}
		if got := bits.OnesCount64(flips(p.own, p.opp, 1<<m)); got != len(w.turns(at[0], at[1])) {
			t.Fatalf("%s: %s turns %d, want %d", p, MoveName(p.rules, m), got, len(w.turns(at[0], at[1])))
		}
	}
	if want == nil && len(w.pass().places()) > 0 {
		passing = []Move{Pass}
		if twinOf(p.Play(Pass)) != w.pass() {
			t.Fatalf("%s: a pass leads to %s", p, p.Play(Pass))
		}
	}
	if got := p.AppendMoves(nil); !slices.Equal(got, append(want, passing...)) {
		t.Fatalf("%s: moves %v, want %v", p, got, append(want, passing...))
	}
	diff, over := p.Terminal()
	if ends := want == nil && passing == nil; over != ends || over && diff != w.count(w.toMove)-w.count(w.other()) {
		t.Fatalf("%s: Terminal() = %d, %v", p, diff, over)
	}
	if p.Empty() != w.size*w.size-w.count('X')-w.count('O') || p.Progress() != w.count('X')+w.count('O') {
		t.Fatalf("%s: %d empty squares, %d discs", p, p.Empty(), p.Progress())
	}
}

func TestMovesAgreeWithTheTwin(t *testing.T) {
	for r := range Rules(len(rulesNames)) {
		rng := rand.New(rand.NewPCG(5, uint64(r)))
		for range 60 {
			last, history := gametest.RandomGame(rng, Start(r), 100)
			for _, p := range append(history, last) {
				compare(t, p)
			}
			if moves := last.AppendMoves(nil); len(moves) > 0 { // the end, at which RandomGame stops
				compare(t, last.Play(moves[0]))
			}
		}
	}
}

// Boards that are not from a game have rows of every length in all directions.
func TestMovesOfAnyBoardAgreeWithTheTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for i := range 600 {
		r := Rules(i % 2)
		own := rng.Uint64() & r.Squares()
		opp := rng.Uint64() & r.Squares() &^ own
		if i%3 == 0 { // few own discs: long rows
			own &= rng.Uint64() & rng.Uint64()
			opp = (opp | rng.Uint64()&r.Squares()) &^ own
		}
		p := Position{own: own, opp: opp, side: player(i / 2 % 2), rules: r}
		compare(t, p)
	}
}
