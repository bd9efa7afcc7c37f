package chess

import (
	"fmt"
	"regexp"
	"strings"
)

// san is a move in algebraic notation, as PGN has it: the piece, the file and the row that
// it comes from if they are said, where it goes to, and what a pawn becomes; or
// castling, which many programs write with zeros. No letter or digit follows.
var san = regexp.MustCompile(`^(?:([NBRQK]?)([a-h]?)([1-8]?)[x-]?([a-h][1-8])(?:=([NBRQ]))?|(O-O(?:-O)?|0-0(?:-0)?))[+#]?([^a-zA-Z0-9]|$)`)

// The kinds of pieces as algebraic notation names them; a pawn has no letter.
const sanLetters = "\x00NBRQK"

// scanSAN reads a move in algebraic notation at the beginning of a text: Nf3, exd5, Rad1,
// e8=Q, O-O, Ng1-f3, with + or # behind it, which nobody checks. ok is false for another
// text. The move must be the only legal one that is named so.
func (p Position) scanSAN(text string) (m Move, length int, ok bool, err error) {
	parts := san.FindStringSubmatch(text)
	if parts == nil {
		return 0, 0, false, nil
	}
	name, found := strings.TrimSuffix(parts[0], parts[7]), 0
	for _, legal := range p.AppendMoves(nil) {
		if p.named(legal, parts) {
			m = legal
			found++
		}
	}
	switch {
	case found == 0:
		err = fmt.Errorf("illegal move %s of %s", name, sides[p.side])
	case found > 1:
		err = fmt.Errorf("move %s: %d pieces can go there: expected the file or the row of the one that does", name, found)
	}
	return m, len(name), true, err
}

// named tells whether the parts of a name fit a legal move.
func (p *Position) named(m Move, parts []string) bool {
	piece, file, row, square, becomes, castling := parts[1], parts[2], parts[3], parts[4], parts[5], parts[6]
	from, to, promotion := split(m)
	kind := p.kindAt(from)
	switch strings.ReplaceAll(castling, "0", "O") {
	case "O-O":
		return kind == King && to-from == 2
	case "O-O-O":
		return kind == King && from-to == 2
	}
	letter := ""
	if kind != Pawn {
		letter = sanLetters[kind : kind+1]
	}
	promoted := ""
	if promotion > 0 {
		promoted = sanLetters[promotion : promotion+1]
	}
	return letter == piece && SquareName(to) == square && promoted == becomes &&
		strings.HasPrefix(SquareName(from), file) && strings.HasSuffix(SquareName(from), row)
}
