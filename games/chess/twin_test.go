package chess

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kroo/games/gametest"
)

// twin is chess on a board of letters, read from a FEN: slow, and with no code in common with
// the bitboards.
type twin struct {
	board   [8][8]byte // rank 8 first; a dot for an empty square
	white   bool       // to move
	rights  string     // of KQkq
	passant string     // the square a pawn has just passed, or "-"
	full    bool       // rules
}

func twinOf(rules Rules, fen string) *twin {
	fields := strings.Fields(fen)
	t := &twin{white: fields[1] == "w", rights: fields[2], passant: fields[3], full: rules == Full}
	for row, text := range strings.Split(fields[0], "/") {
		file := 0
		for _, c := range []byte(text) {
			if c >= '1' && c <= '8' {
				for range c - '0' {
					t.board[row][file] = '.'
					file++
				}
				continue
			}
			t.board[row][file] = c
			file++
		}
	}
	return t
}

// at returns the letter of a square, 0 outside the board.
func (t *twin) at(row, file int) byte {
	if row < 0 || row > 7 || file < 0 || file > 7 {
		return 0
	}
	return t.board[row][file]
}

func isWhite(c byte) bool { return c >= 'A' && c <= 'Z' }
func isPiece(c byte) bool { return c != 0 && c != '.' }

func (t *twin) own(c byte) bool   { return isPiece(c) && isWhite(c) == t.white }
func (t *twin) enemy(c byte) bool { return isPiece(c) && isWhite(c) != t.white }

func name(row, file int) string { return string([]byte{'a' + byte(file), '8' - byte(row)}) }

var (
	straightWays = [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}
	obliqueWays  = [][2]int{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}
	allWays      = append(append([][2]int{}, straightWays...), obliqueWays...)
	knightWays   = [][2]int{{-2, -1}, {-2, 1}, {-1, -2}, {-1, 2}, {1, -2}, {1, 2}, {2, -1}, {2, 1}}
)

// reach returns the directions of a piece, and whether it slides along them.
func reach(letter byte) (ways [][2]int, slides bool) {
	switch letter | ' ' {
	case 'n':
		return knightWays, false
	case 'b':
		return obliqueWays, true
	case 'r':
		return straightWays, true
	case 'q':
		return allWays, true
	}
	return allWays, false
}

// attacked reports whether a side attacks a square.
func (t *twin) attacked(row, file int, byWhite bool) bool {
	pawn, behind := byte('p'), -1
	if byWhite {
		pawn, behind = 'P', 1
	}
	if t.at(row+behind, file-1) == pawn || t.at(row+behind, file+1) == pawn {
		return true
	}
	for _, letter := range []byte("nbrqk") {
		if byWhite {
			letter &^= ' '
		}
		ways, slides := reach(letter)
		for _, w := range ways {
			for r, f := row+w[0], file+w[1]; ; r, f = r+w[0], f+w[1] {
				if t.at(r, f) == letter {
					return true
				}
				if t.at(r, f) != '.' || !slides {
					break
				}
			}
		}
	}
	return false
}

// inCheck reports whether the king of a side is attacked.
func (t *twin) inCheck(white bool) bool {
	king := byte('k')
	if white {
		king = 'K'
	}
	for row := range 8 {
		for file := range 8 {
			if t.board[row][file] == king {
				return t.attacked(row, file, !white)
			}
		}
	}
	return false
}

// moves returns the legal moves by name, sorted.
func (t *twin) moves() (legal []string) {
	for _, m := range t.pseudo() {
		if u := t.makeMove(m); !t.full || !u.inCheck(t.white) {
			legal = append(legal, m)
		}
	}
	slices.Sort(legal)
	return legal
}

// pseudo returns the pseudo-legal moves, which may leave the king in check.
func (t *twin) pseudo() (list []string) {
	for row := range 8 {
		for file := range 8 {
			c := t.board[row][file]
			if !t.own(c) {
				continue
			}
			if c|' ' == 'p' {
				list = append(list, t.pawnMoves(row, file)...)
				continue
			}
			ways, slides := reach(c)
			for _, w := range ways {
				for r, f := row+w[0], file+w[1]; t.at(r, f) != 0 && !t.own(t.at(r, f)); r, f = r+w[0], f+w[1] {
					list = append(list, name(row, file)+name(r, f))
					if !slides || t.at(r, f) != '.' {
						break
					}
				}
			}
		}
	}
	return append(list, t.castlings()...)
}

func (t *twin) pawnMoves(row, file int) (list []string) {
	step, home, last := 1, 1, 7
	if t.white {
		step, home, last = -1, 6, 0
	}
	add := func(r, f int) {
		if r != last || !t.full {
			list = append(list, name(row, file)+name(r, f))
			return
		}
		for _, promotion := range []string{"q", "r", "b", "n"} {
			list = append(list, name(row, file)+name(r, f)+promotion)
		}
	}
	if t.at(row+step, file) == '.' {
		add(row+step, file)
		if row == home && t.at(row+2*step, file) == '.' {
			add(row+2*step, file)
		}
	}
	for _, side := range []int{-1, 1} {
		if c := t.at(row+step, file+side); t.enemy(c) || c == '.' && name(row+step, file+side) == t.passant {
			add(row+step, file+side)
		}
	}
	return list
}

func (t *twin) castlings() (list []string) {
	row, short, long := 0, "k", "q"
	if t.white {
		row, short, long = 7, "K", "Q"
	}
	if t.inCheck(t.white) {
		return nil
	}
	quiet := func(file int) bool { return !t.attacked(row, file, !t.white) }
	empty := func(files ...int) bool {
		return !slices.ContainsFunc(files, func(f int) bool { return t.board[row][f] != '.' })
	}
	if strings.Contains(t.rights, short) && empty(5, 6) && quiet(5) && quiet(6) {
		list = append(list, name(row, 4)+name(row, 6))
	}
	if strings.Contains(t.rights, long) && empty(1, 2, 3) && quiet(3) && quiet(2) {
		list = append(list, name(row, 4)+name(row, 2))
	}
	return list
}

// play makes a move, and keeps the en passant square only if a capture there is legal.
func (t *twin) play(m string) *twin {
	u := t.makeMove(m)
	if u.passant != "-" && !slices.ContainsFunc(u.moves(), func(n string) bool {
		return n[2:4] == u.passant && n[0] != n[2] && u.board['8'-n[1]][n[0]-'a']|' ' == 'p'
	}) {
		u.passant = "-"
	}
	return u
}

// makeMove makes a move and records every square that a pawn passes.
func (t *twin) makeMove(m string) *twin {
	u := *t
	file, row, toFile, toRow := int(m[0]-'a'), int('8'-m[1]), int(m[2]-'a'), int('8'-m[3])
	c := u.board[row][file]
	pawn := c|' ' == 'p'
	if pawn && m[2:4] == t.passant && file != toFile {
		u.board[row][toFile] = '.'
	}
	u.board[row][file], u.board[toRow][toFile] = '.', c
	if len(m) == 5 {
		u.board[toRow][toFile] = m[4]
		if t.white {
			u.board[toRow][toFile] &^= ' '
		}
	}
	if c|' ' == 'k' && toFile-file == 2 {
		u.board[row][5], u.board[row][7] = u.board[row][7], '.'
	}
	if c|' ' == 'k' && file-toFile == 2 {
		u.board[row][3], u.board[row][0] = u.board[row][0], '.'
	}
	for square, lost := range map[string]string{"a1": "Q", "e1": "KQ", "h1": "K", "a8": "q", "e8": "kq", "h8": "k"} {
		if m[:2] == square || m[2:4] == square {
			for _, right := range lost {
				u.rights = strings.ReplaceAll(u.rights, string(right), "")
			}
		}
	}
	u.white = !t.white
	u.passant = "-"
	if pawn && distance(row, toRow) == 2 && t.full {
		u.passant = name((row+toRow)/2, file)
	}
	return &u
}

// fen returns the position as String formats it.
func (t *twin) fen() string {
	var b strings.Builder
	for row := range 8 {
		if row > 0 {
			b.WriteByte('/')
		}
		empty := byte(0)
		for _, c := range append(t.board[row][:], 0) {
			if c == '.' {
				empty++
				continue
			}
			if empty > 0 {
				b.WriteByte('0' + empty)
				empty = 0
			}
			if c != 0 {
				b.WriteByte(c)
			}
		}
	}
	turn, rights := " b ", t.rights
	if t.white {
		turn = " w "
	}
	if rights == "" {
		rights = "-"
	}
	return b.String() + turn + rights + " " + t.passant + " 0 1"
}

// progresses reports whether a move must increase Progress: captures and pawn moves.
func progresses(p Position, m Move) bool {
	from, to, _ := split(m)
	return p.kindAt(from) == Pawn || p.kindAt(to) != Kinds
}

func TestMovesAgreeWithTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 14))
	for _, rules := range []Rules{Full, LaMoSca} {
		for _, p := range gametest.RandomPositions(t, Descriptor(), rng, rules.String(), 400) {
			slow := twinOf(rules, p.String())
			var names []string
			for _, m := range p.AppendMoves(nil) {
				names = append(names, MoveName(m))
				q := p.Play(m)
				if got, want := q.String(), slow.play(MoveName(m)).fen(); got != want {
					t.Fatalf("%s: %s leads to %s, want %s", p, MoveName(m), got, want)
				}
				if read, err := ParseBoard(rules, q.String()); err != nil || read != q {
					t.Fatalf("%s: read as %s, error %v", q, read, err)
				}
				if (q.Progress() > p.Progress()) != progresses(p, m) || q.Progress() < p.Progress() || q.Progress() != int(q.progressOf()) {
					t.Fatalf("%s: %s: progress %d to %d, counted %d", p, MoveName(m), p.Progress(), q.Progress(), q.progressOf())
				}
			}
			slices.Sort(names)
			if want := slow.moves(); !slices.Equal(names, want) {
				t.Fatalf("%s: moves %v, want %v", p, names, want)
			}
			if got, want := p.InCheck(), rules == Full && slow.inCheck(slow.white); got != want {
				t.Fatalf("%s: in check %v, want %v", p, got, want)
			}
		}
	}
}

func TestAttacksAgreeWithSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 14))
	for range 2000 {
		occupied, square := rng.Uint64()&rng.Uint64(), rng.IntN(Squares)
		for _, c := range []struct {
			got  uint64
			ways [][2]int
		}{{rookAttacks(square, occupied), straightWays}, {bishopAttacks(square, occupied), obliqueWays}} {
			want := uint64(0)
			for _, w := range c.ways {
				for r, f := square>>3+w[0], square&7+w[1]; r >= 0 && r < 8 && f >= 0 && f < 8; r, f = r+w[0], f+w[1] {
					want |= 1 << (8*r + f)
					if occupied>>(8*r+f)&1 != 0 {
						break
					}
				}
			}
			if c.got != want {
				t.Fatalf("square %s, occupied %x: %x, want %x", SquareName(square), occupied, c.got, want)
			}
		}
	}
}
