package othello

import (
	"fmt"
	"strconv"
	"strings"

	"kroo/games"
)

// GGF is the generic game format of the program GGS, as the NBoard protocol writes a game
// of Othello on one line:
//
//	(;GM[Othello]PB[a]PW[b]TI[15:00]TY[8]BO[8 ---…--- *]B[F5//1.5]W[F6/-2.00/0.3]B[PA];)
//
// BO holds the squares in reading order, * for Dark, O for Light and a dash for none, and
// who moves first. B and W are moves, behind which value and seconds may stand. PA passes.

// WriteGGF writes a line of play on the large board, with so many whole seconds for the
// game, 0 for none.
func WriteGGF(l *games.Line[Position], seconds int) string {
	var b strings.Builder
	b.WriteString("(;GM[Othello]PC[Kroo]PB[?]PW[?]RE[?]")
	if seconds > 0 {
		fmt.Fprintf(&b, "TI[%d:%02d]", seconds/60, seconds%60)
	}
	board := strings.NewReplacer("X", "*", ".", "-").Replace(strings.Replace(l.Start().String(), "-", " ", 1))
	fmt.Fprintf(&b, "TY[8]BO[8 %s]", board)
	p := l.Start()
	for _, m := range l.Moves() {
		fmt.Fprintf(&b, "%c[%s]", "BW"[p.side], GGFMove(p.rules, m))
		p = p.Play(m)
	}
	b.WriteString(";)")
	return b.String()
}

// GGFMove is a move as records of GGF, and the NBoard protocol, name it.
func GGFMove(r Rules, m Move) string {
	if m == Pass {
		return "PA"
	}
	return strings.ToUpper(MoveName(r, m))
}

// ParseGGFMove reads a move as GGFMove writes it, in capitals or not, and leaves out what
// stands behind a slash. The move may be illegal.
func ParseGGFMove(r Rules, text string) (Move, error) {
	name, _, _ := strings.Cut(strings.TrimSpace(text), "/")
	if strings.EqualFold(name, "PA") || strings.EqualFold(name, "PASS") {
		return Pass, nil
	}
	m, length, err := scanMove(r, name)
	if err == nil && (length != len(name) || m == Pass) {
		err = fmt.Errorf("%s is no move: expected a square such as F5, or PA", games.Quote(name))
	}
	return m, err
}

// ParseGGF reads a record of a game on the large board, which is hostile input. A record
// without a board begins at the start. left are the seconds that each side has left, by
// side, 0 if the record tells no time; who has none left has a thousandth.
func ParseGGF(text string) (l *games.Line[Position], left [2]float64, err error) {
	var total float64
	var used [2]float64
	text = strings.TrimSpace(text)
	rest, begins := strings.CutPrefix(text, "(;")
	rest, ends := strings.CutSuffix(rest, ";)")
	if !begins || !ends {
		return nil, left, fmt.Errorf("%s is no record: expected (;GM[Othello]…;)", games.Quote(text))
	}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		open, shut := strings.IndexByte(rest, '['), strings.IndexByte(rest, ']')
		if open < 1 || shut < open {
			return nil, left, fmt.Errorf("%s: expected NAME[value]", games.Quote(rest))
		}
		name, value := rest[:open], rest[open+1:shut]
		rest = rest[shut+1:]
		switch name {
		case "GM":
			if !strings.EqualFold(value, "othello") {
				return nil, left, fmt.Errorf("a game of %s: expected Othello", games.Quote(value))
			}
		case "TI":
			total = ggfSeconds(value)
		case "BO":
			if l != nil {
				return nil, left, fmt.Errorf("a board behind moves, or a second one: expected one before them")
			}
			p, err := parseGGFBoard(value)
			if err != nil {
				return nil, left, err
			}
			l = descriptor.NewLine(p)
		case "B", "W":
			if l == nil {
				l = descriptor.NewLine(Start(Large))
			}
			if err := playGGF(l, &used, name, value); err != nil {
				return nil, left, fmt.Errorf("ply %d: %w", l.Plies()+1, err)
			}
		}
	}
	if l == nil {
		l = descriptor.NewLine(Start(Large))
	}
	for side := range left {
		if total > 0 {
			left[side] = max(total-used[side], 0.001)
		}
	}
	return l, left, nil
}

// playGGF makes a move of a record.
func playGGF(l *games.Line[Position], used *[2]float64, side, value string) error {
	p := l.Position()
	if want := "BW"[p.side : p.side+1]; side != want {
		return fmt.Errorf("%s[%.10s]: expected a move of %s", side, value, want)
	}
	m, err := ParseGGFMove(p.rules, value)
	if err != nil {
		return err
	}
	if parts := strings.Split(value, "/"); len(parts) > 2 {
		used[p.side] += ggfSeconds(parts[2])
	}
	return l.Play(m)
}

// parseGGFBoard reads the value of BO.
func parseGGFBoard(value string) (Position, error) {
	words := strings.Fields(value)
	if len(words) < 2 || words[0] != "8" {
		return Position{}, fmt.Errorf("board %s: expected 8, the squares, and * or O to move", games.Quote(value))
	}
	squares := strings.NewReplacer("*", "X", "-", ".").Replace(strings.Join(words[1:], ""))
	if len(squares) != 65 {
		return Position{}, fmt.Errorf("board of %d squares: expected 64 and who moves", len(squares)-1)
	}
	p, err := ParseBoard(Large, squares[:64]+"-"+squares[64:])
	if err == nil {
		if _, over := p.Terminal(); over {
			err = fmt.Errorf("board %s ends the game: expected one to play on", games.Quote(value))
		}
	}
	return p, err
}

// ggfSeconds reads a time such as 15:00, 1:00:00 or 0.3, with what may follow a slash or
// a comma; 0 if it cannot be read.
func ggfSeconds(text string) (seconds float64) {
	if i := strings.IndexAny(text, "/,"); i >= 0 {
		text = text[:i]
	}
	for _, part := range strings.Split(text, ":") {
		n, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(n >= 0 && n < 1e6) {
			return 0
		}
		seconds = 60*seconds + n
	}
	return min(seconds, 1e6)
}
