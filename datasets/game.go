package datasets

import (
	"fmt"
	"maps"
	"slices"

	"kroo/games"
	"kroo/games/chess"
	"kroo/games/othello"
	"kroo/games/oware"
	"kroo/games/tictactoe"
)

// codecs are the games whose positions a table may hold, by name.
var codecs = map[string]codec{
	oware.Descriptor().Name:     codecOf[oware.Position]{oware.Descriptor()},
	othello.Descriptor().Name:   codecOf[othello.Position]{othello.Descriptor()},
	tictactoe.Descriptor().Name: codecOf[tictactoe.Position]{tictactoe.Descriptor()},
	chess.Descriptor().Name:     codecOf[chess.Position]{chess.Descriptor()},
}

// codec reads and writes the positions of a game without telling their type.
type codec interface {
	info() games.Info
	// decode reads a position from its key, or from its board if the game has
	// no keys. Where both are given they must agree.
	decode(rules string, key int64, board string) (place, error)
}

// place is a position as rows see it.
type place interface {
	identity() (key int64, board string) // as Identity
	board() string
	phase() int
	moveName(games.Move) string
	parseMove(string) (games.Move, error)
}

// codecFor finds the codec of a table.
func codecFor(m Meta) (codec, error) {
	c, ok := codecs[m.Game]
	if !ok {
		return nil, fmt.Errorf("meta: unknown game %q: expected %s", m.Game, games.OrList(slices.Sorted(maps.Keys(codecs))))
	}
	return c, nil
}

type codecOf[P games.Position[P]] struct{ g *games.Game[P] }

type placeOf[P games.Position[P]] struct {
	g *games.Game[P]
	p P
}

func (c codecOf[P]) info() games.Info { return c.g.Info }

func (c codecOf[P]) decode(rules string, key int64, board string) (place, error) {
	p, err := PositionOf(c.g, rules, key, board)
	if err != nil {
		return nil, err
	}
	if text := c.g.Print(p); len(board) > 0 && text != board {
		return nil, fmt.Errorf("board is %.80q, the key's is %q", board, text)
	}
	return placeOf[P]{c.g, p}, nil
}

// PositionOf is the position of a row: that of its key in a game that numbers
// its positions, else that of its board.
func PositionOf[P games.Position[P]](g *games.Game[P], rules string, key int64, board string) (P, error) {
	if g.FromKey != nil {
		return g.FromKey(rules, key)
	}
	return g.Parse(rules, board)
}

// Identity is what a row says of a position: the key where the game numbers its
// positions, else the board text.
func Identity[P games.Position[P]](g *games.Game[P], p P) (key int64, board string) {
	if g.FromKey != nil {
		key, _ = g.Key(p)
		return key, ""
	}
	return 0, g.Print(p)
}

func (p placeOf[P]) identity() (int64, string)    { return Identity(p.g, p.p) }
func (p placeOf[P]) board() string                { return p.g.Print(p.p) }
func (p placeOf[P]) phase() int                   { return p.g.Phase(p.p) }
func (p placeOf[P]) moveName(m games.Move) string { return p.g.MoveName(p.p, m) }
func (p placeOf[P]) parseMove(name string) (games.Move, error) {
	return p.g.ParseMove(p.p, name)
}
