package serve

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"

	"kroo/endgame"
	"kroo/games"
	"kroo/games/oware"
)

// line is the game of a request, by the values rules, from (the first board, "" for the start
// position) and moves.
type line = games.Line[oware.Position]

// maxMoves is the largest length of the moves of a request.
const maxMoves = 4096

func lineOf(q url.Values) (*line, string, error) {
	rules := cmp.Or(q.Get("rules"), kit.Game.Rules[0])
	if err := kit.Game.CheckRules(rules); err != nil {
		return nil, "", err
	}
	start, err := kit.Game.Start(rules)
	if from := q.Get("from"); from != "" && err == nil {
		start, err = kit.Game.Parse(rules, from)
	}
	if err != nil {
		return nil, "", err
	}
	moves := q.Get("moves")
	if len(moves) > maxMoves {
		return nil, "", fmt.Errorf("%d bytes of moves: expected at most %d", len(moves), maxMoves)
	}
	l := kit.Game.NewLine(start)
	return l, rules, l.PlayText(moves)
}

// houses is the number of houses of a board, in the order A…F, a…f.
const houses = 2 * oware.Houses

// state is a game as a page shows it.
type state struct {
	Rules string `json:"rules"`
	From  *shot  `json:"from"`
	Moves string `json:"moves"`
	Tree  string `json:"tree,omitempty"` // all lines, if the request has more than one, in the format of linesOf
	Line  []ply  `json:"line"`           // the moves made
	Turn  int    `json:"turn"`           // of the last position: 0 South, 1 North
	Legal []sown `json:"legal"`

	Over    bool   `json:"over"`
	Reason  string `json:"reason,omitempty"`
	Result  string `json:"result,omitempty"`
	Outcome string `json:"outcome,omitempty"`
}

// shot is a position to draw.
type shot struct {
	Board  string      `json:"board"`
	Houses [houses]int `json:"houses"`
	Stores [2]int      `json:"stores"`
	Legal  string      `json:"legal,omitempty"` // moves, ignoring repetitions
}

func shotOf(p oware.Position) *shot {
	side := int(p.ToMove())
	s := &shot{Board: p.String()}
	for i := range houses {
		s.Houses[(i+side*oware.Houses)%houses] = p.House(i)
	}
	s.Stores[side], s.Stores[1-side] = p.Store(), p.OpponentStore()
	if _, over := p.Terminal(); !over {
		for _, m := range p.AppendMoves(nil) {
			s.Legal += kit.Game.MoveName(p, m)
		}
	}
	return s
}

// sown is a move in steps: the houses that get a seed each, in order, and the houses that are then
// captured, last first.
type sown struct {
	Move  string `json:"move"`
	House int    `json:"house"`
	Path  []int  `json:"path"`
	Takes []int  `json:"takes,omitempty"`
}

// sow returns the steps of a move.
func sow(p oware.Position, m oware.Move) sown {
	before, after := shotOf(p), shotOf(p.Play(m))
	from := int(m) + int(p.ToMove())*oware.Houses
	s := sown{Move: kit.Game.MoveName(p, m), House: from, Path: []int{}}
	held := before.Houses
	held[from] = 0
	for h, seeds := from, before.Houses[from]; seeds > 0; {
		if h = (h + 1) % houses; h != from {
			s.Path = append(s.Path, h)
			held[h]++
			seeds--
		}
	}
	for i := len(s.Path) - 1; i >= max(0, len(s.Path)-houses); i-- {
		if h := s.Path[i]; held[h] > 0 && after.Houses[h] == 0 {
			s.Takes = append(s.Takes, h)
			held[h] = 0
		}
	}
	return s
}

// ply is a move that was made, and the position after it.
type ply struct {
	sown
	Side int  `json:"side"`
	Gain int  `json:"gain"` // seeds captured
	To   shot `json:"to"`
}

// state describes the game of a request.
func (s *Server) state(r *http.Request) (any, error) {
	st, err := stateOf(r.URL.Query())
	return st, err
}

func stateOf(q url.Values) (*state, error) {
	l, rules, err := lineOf(q)
	if err != nil {
		return nil, err
	}
	tree := ""
	if text := q.Get("tree"); text != "" {
		rec, err := linesOf(l.Start(), text)
		if err != nil {
			return nil, err
		}
		tree = treeText(rec)
	}
	p := l.Position()
	st := &state{Rules: rules, From: shotOf(l.Start()), Moves: l.Text(), Tree: tree, Line: plies(l), Turn: int(p.ToMove()), Legal: []sown{}}
	if _, reason, over := l.Over(); over {
		st.Over, st.Reason, st.Result, st.Outcome = true, string(reason), l.Result(), l.Outcome()
		return st, nil
	}
	for _, m := range p.AppendMoves(nil) {
		st.Legal = append(st.Legal, sow(p, m))
	}
	return st, nil
}

// known is a position in the engine's book and the endgame tables.
type known struct {
	Turn  int             `json:"turn"`
	Book  []bookMove      `json:"book,omitempty"`
	Table *endgame.Answer `json:"table,omitempty"`
}

// known looks up the last position of a game.
func (s *Server) known(r *http.Request) (any, error) {
	l, rules, err := lineOf(r.URL.Query())
	if err != nil {
		return nil, err
	}
	e, err := s.pool.engine(rules)
	if err != nil {
		return nil, err
	}
	p := l.Position()
	k := &known{Turn: int(p.ToMove())}
	if _, _, over := l.Over(); over {
		return k, nil
	}
	if e.Book != nil {
		for _, m := range e.Book.Moves(p) {
			k.Book = append(k.Book, moveOf(p, m.Move, m.Points))
		}
	}
	if t, ok := e.Tables.(*endgame.Table); ok && p.SeedsInPlay() <= t.Seeds() {
		answer, err := t.Query(p)
		if err != nil {
			return nil, err
		}
		k.Table = &answer
	}
	return k, e.Err()
}

// plies returns the moves of a line.
func plies(l *line) []ply {
	all := []ply{}
	positions := append(l.History(), l.Position())
	for i, m := range l.Moves() {
		p := positions[i]
		all = append(all, ply{sow(p, m), int(p.ToMove()), p.Gain(m), *shotOf(positions[i+1])})
	}
	return all
}
