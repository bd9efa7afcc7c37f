package serve

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

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
	Outcome string `json:"outcome,omitempty"`

	Fault string `json:"fault,omitempty"` // what is wrong after the moves, for a request with the value partial
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
		h = (h + 1) % houses
		if h != from {
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

// stateOf describes the game of a request. With the value partial, the moves before a wrong one are a game.
func stateOf(q url.Values) (*state, error) {
	partial := q.Get("partial") != ""
	l, rules, err := lineOf(q)
	fault := ""
	if wrong, isMove := errors.AsType[games.MoveError](err); isMove && partial {
		// People count moves, not plies.
		fault = fmt.Sprintf("The game stops before move %s %v", numberAfter(l), wrong.Err)
		err = nil
	}
	if err != nil {
		return nil, err
	}
	tree, err := treeOfQuery(l, q)
	if partial && err != nil {
		fault = cmp.Or(fault, fmt.Sprintf("Variations and comments are left out: %v", err))
		err = nil
	}
	if err != nil {
		return nil, err
	}
	p := l.Position()
	st := &state{
		Rules: rules, From: shotOf(l.Start()), Moves: l.Text(), Tree: tree, Line: plies(l), Turn: int(p.ToMove()),
		Legal: []sown{}, Fault: fault,
	}
	if _, reason, over := l.Over(); over {
		st.Over = true
		st.Reason = string(reason)
		st.Outcome = l.Outcome()
		return st, nil
	}
	for _, m := range p.AppendMoves(nil) {
		st.Legal = append(st.Legal, sow(p, m))
	}
	return st, nil
}

// numberAfter is the number of the next move of a game, such as "3." or "3...".
func numberAfter(l *line) string { return games.MoveNumber(l.Plies(), int(l.Start().ToMove())) }

// treeOfQuery returns all lines of the game of a request; "" for one line.
func treeOfQuery(l *line, q url.Values) (string, error) {
	text := q.Get("tree")
	if text == "" {
		return "", nil
	}
	rec, err := linesOf(l.Start(), text)
	if err != nil {
		return "", err
	}
	return treeText(rec), nil
}

// known is a position in the engine's book and the endgame tables.
type known struct {
	Turn  int             `json:"turn"`
	Book  []bookMove      `json:"book,omitempty"`
	Table *endgame.Answer `json:"table,omitempty"`
	// Earlier reports that positions of the game can recur. The table's values are for a game that begins
	// here.
	Earlier bool `json:"earlier,omitempty"`
}

// known looks up the last position of a game.
func (s *Server) known(r *http.Request) (any, error) {
	l, rules, err := lineOf(r.URL.Query())
	if err != nil {
		return nil, err
	}
	e, err := s.engines.engine(r.Context(), rules)
	if err != nil {
		return nil, err
	}
	p := l.Position()
	k := &known{Turn: int(p.ToMove())}
	if _, _, over := l.Over(); over {
		return k, nil
	}
	if e.Book != nil {
		moves := e.Book.Moves(p)
		best := math.MinInt
		for _, m := range moves {
			best = max(best, m.Points)
		}
		for _, m := range moves {
			k.Book = append(k.Book, moveOf(p, m.Move, m.Points, m.Points == best))
		}
	}
	if t, ok := e.Tables.(*endgame.Table); ok && p.SeedsInPlay() <= t.Seeds() {
		answer, err := t.Query(p)
		if err != nil {
			return nil, err
		}
		k.Table = &answer
		k.Earlier = t.Rules() == oware.Abapa && canRecur(l)
	}
	return k, e.Err()
}

// canRecur reports whether a position of the line can recur: nothing was captured since.
func canRecur(l *line) bool {
	before := l.History()
	return len(before) > 0 && before[len(before)-1].SeedsInPlay() == l.Position().SeedsInPlay()
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

// record is a game with variations and comments.
type record = games.Record[oware.Position]

// maxTree is the largest length of the text of all lines of a game, which is part of an address.
const maxTree = 32 << 10

// resultTag matches the tags of a game whose result does not follow from its moves: a player resigned or
// lost on time. Tags begin the text, so that comments cannot look like one.
var resultTag = regexp.MustCompile(`^(?:\[\w+ "(?:[^"\\]|\\.)*"\])*?\[Result "(1-0|0-1|1/2-1/2)"\]`)

// linesOf parses the lines of a game in a request: moves as in OGN, with variations in parentheses,
// comments in braces, and tags first.
func linesOf(start oware.Position, text string) (record, error) {
	if len(text) > maxTree {
		return record{}, fmt.Errorf("%d bytes of variations and comments: expected at most %d", len(text), maxTree)
	}
	head := []games.Tag{
		{Name: games.TagRules, Value: kit.Game.RulesOf(start)},
		{Name: games.TagFEN, Value: start.String()},
	}
	result := games.Unknown // as the Result tag, which it must not contradict
	if tag := resultTag.FindStringSubmatch(text); tag != nil {
		result = tag[1]
	}
	records, err := kit.Game.ParseRecords(strings.NewReader(tagsText(head)+text+" "+result), "variations")
	if err != nil {
		return record{}, err
	}
	if len(records) != 1 {
		return record{}, fmt.Errorf("variations of %d games: expected one", len(records))
	}
	rec := records[0]
	rec.Tags = rec.Tags[len(head):]
	return rec, nil
}

// treeText returns a record in the format of linesOf, without what follows from the first position and
// the rules.
func treeText(rec record) string {
	rec = rec.MadeBy("") // a file saved later has another origin
	tags := slices.DeleteFunc(rec.Tags, func(t games.Tag) bool {
		return t.Name == games.TagRules || t.Name == games.TagFEN || t.Name == games.TagResult
	})
	if l, err := kit.Game.Replay(rec); err == nil && l.Result() == games.Unknown && rec.Result != games.Unknown { // a player resigned or lost on time
		tags = append(tags, games.Tag{Name: games.TagResult, Value: rec.Result})
	}
	return tagsText(tags) + commentText(rec.Comment) + linesText(rec.Start, rec.Moves)
}

func tagsText(tags []games.Tag) string {
	var b strings.Builder
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	for _, t := range tags {
		fmt.Fprintf(&b, `[%s "%s"]`, t.Name, escape.Replace(t.Value))
	}
	return b.String()
}

func commentText(comment string) string {
	if comment == "" {
		return ""
	}
	return "{" + comment + "}"
}

// linesText returns moves as text, with captured seeds, glyphs, comments and variations.
func linesText(p oware.Position, moves []games.MoveText) string {
	var b strings.Builder
	for _, m := range moves {
		b.WriteString(kit.Game.MoveName(p, m.Move))
		if gain := p.Gain(m.Move); gain > 0 {
			fmt.Fprintf(&b, "+%d", gain)
		}
		if m.Glyph > 0 {
			fmt.Fprintf(&b, "$%d", m.Glyph)
		}
		b.WriteString(commentText(m.Comment))
		for _, v := range m.Variations {
			b.WriteString("(" + linesText(p, v) + ")")
		}
		p = p.Play(m.Move)
	}
	return b.String()
}

// maxRecord is the largest length of a text to import.
const maxRecord = 1 << 20

// imported is a game read from a text.
type imported struct {
	Rules string `json:"rules"`
	From  string `json:"from"`
	Moves string `json:"moves"`
	Tree  string `json:"tree,omitempty"` // all lines in the format of linesOf, if there is more than the moves
	Games int    `json:"games"`          // in the text; this is one of them
}

// importGame reads a board, under the rules of the request, or games in OGN.
func (s *Server) importGame(r *http.Request) (any, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	return gameIn(string(text), r.URL.Query().Get("rules"))
}

func gameIn(text, rules string) (*imported, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, fmt.Errorf("nothing to read: expected a board, such as %s, or a game in OGN", oware.Start(oware.Abapa))
	}
	rules = cmp.Or(rules, kit.Game.Rules[0])
	if strings.Count(text, "-") >= houses && !strings.ContainsAny(text, " \n[") {
		p, err := kit.Game.Parse(rules, text)
		if err != nil {
			return nil, err
		}
		return &imported{Rules: rules, From: p.String(), Games: 1}, nil
	}
	records, err := kit.Game.ParseRecords(strings.NewReader(text), "the text")
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("no game in the text: expected a board or a game in OGN")
	}
	return importedOf(records, 0)
}

// importedOf returns a game of a text by its index.
func importedOf(records []record, index int) (*imported, error) {
	rec := records[index]
	l, err := kit.Game.Replay(rec)
	if err != nil {
		return nil, err
	}
	if len(l.Text()) > maxMoves {
		return nil, fmt.Errorf("a game of %d moves: expected at most %d", l.Plies(), maxMoves)
	}
	g := &imported{Rules: kit.Game.RulesOf(l.Start()), From: l.Start().String(), Moves: l.Text(), Games: len(records)}
	if tree := treeText(rec); len(tree) > maxTree {
		return nil, fmt.Errorf("%d bytes of tags, variations and comments: expected at most %d, since the address of the page has them all", len(tree), maxTree)
	} else if tree != g.Moves {
		g.Tree = tree
	}
	return g, nil
}

// query returns the values of a request for the game.
func (g *imported) query() url.Values {
	q := url.Values{"rules": {g.Rules}, "from": {g.From}, "moves": {g.Moves}}
	if g.Tree != "" {
		q.Set("tree", g.Tree)
	}
	return q
}

// exportGame sends a game in OGN.
func (s *Server) exportGame(w http.ResponseWriter, r *http.Request) {
	rec, err := recordOf(r.URL.Query())
	var text bytes.Buffer
	if err == nil {
		err = kit.Game.WriteRecord(&text, rec)
	}
	if err != nil {
		s.reply(w, nil, err)
		return
	}
	w.Header().Set("Content-Disposition", `attachment; filename="game.ogn"`)
	sendAs(w, http.StatusOK, "text/plain; charset=utf-8", text.Bytes())
}

// recordOf returns the game of a request as a record. The values south and north name the players; ended
// is the result of a game that a player resigned or lost on time. With tree, it has all lines and comments.
func recordOf(q url.Values) (rec record, err error) {
	l, _, err := lineOf(q)
	if err != nil {
		return rec, err
	}
	rec = l.Record()
	if text := q.Get("tree"); text != "" {
		rec, err = linesOf(l.Start(), text)
		if err == nil {
			l, err = kit.Game.Replay(rec)
		}
		if err != nil {
			return rec, err
		}
		if rec.Result == games.Unknown {
			rec.Result = l.Result()
		}
	}
	for side, name := range []string{q.Get("south"), q.Get("north")} {
		name = strings.Join(strings.Fields(name), " ")
		if name != "" {
			tag := games.Tag{Name: kit.Game.Sides[side], Value: name}
			i := slices.IndexFunc(rec.Tags, func(t games.Tag) bool { return t.Name == tag.Name })
			if i < 0 {
				i, rec.Tags = len(rec.Tags), append(rec.Tags, tag)
			}
			rec.Tags[i] = tag
		}
	}
	if ended := q.Get("ended"); rec.Result == games.Unknown && (ended == games.FirstWins || ended == games.SecondWins) {
		rec.Result = ended
	}
	return rec, nil
}
