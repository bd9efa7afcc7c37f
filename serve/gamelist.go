package serve

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/games"
	"kroo/internal/outline"
	"kroo/internal/vfs"
)

// shownGames is the number of games that a page lists.
const shownGames = 200

// gameList is a part of the games of a file: those at from up to to, from 0.
type gameList struct {
	table           *outline.Table
	from, to, games int
}

// gameList lists games of a file, from a number in the request on. Each opens on the board.
func (s *Server) gameList(q url.Values, name string) (l gameList, err error) {
	records, err := s.records(name)
	if err != nil {
		return l, err
	}
	l.games = len(records)
	first, err := strconv.Atoi(cmp.Or(q.Get("first"), "1"))
	if err != nil || first < 1 || first > max(1, l.games) {
		return l, fmt.Errorf("first %.10q: expected the number of a game, 1 to %d", q.Get("first"), l.games)
	}
	l.from = first - 1
	l.to = min(l.from+shownGames, l.games)
	l.table = outline.NewTable("game", "result", kit.Game.Sides[0], kit.Game.Sides[1], "plies", "opening")
	for i, rec := range records[l.from:l.to] {
		number := l.from + i + 1
		l.table.Add(number, rec.Result, rec.Tag(kit.Game.Sides[0]), rec.Tag(kit.Game.Sides[1]), len(rec.Moves), openingOf(rec))
		l.table.Links = append(l.table.Links, address("/", nil, "file", name, "number", strconv.Itoa(number)))
	}
	return l, nil
}

func (l gameList) section() outline.Section {
	list := outline.Section{Heading: "games", Table: l.table, Note: "A game opens on the board."}
	if l.from > 0 || l.to < l.games {
		list.Note = fmt.Sprintf("Games %d to %d of %d. A game opens on the board.", l.from+1, l.to, l.games)
	}
	return list
}

// turn links to the pages of the list before and after this one; nothing if there are none. The label
// names the links for screen readers.
func (l gameList) turn(q url.Values, label string) g.Node {
	page := func(from int, rel, direction string) g.Node {
		to := min(from+shownGames, l.games)
		return h.A(h.Class("button"), h.Rel(rel), h.Href(address("/files", q, "first", strconv.Itoa(from+1))),
			g.Textf("%s: games %d to %d", direction, from+1, to))
	}
	var links g.Group
	if l.from > 0 {
		links = append(links, page(max(0, l.from-shownGames), "prev", "Previous"))
	}
	if l.to < l.games {
		links = append(links, page(l.to, "next", "Next"))
	}
	if links == nil {
		return links
	}
	return h.Nav(h.Class("row turn"), h.Aria("label", label), links)
}

// openingOf returns the opening of a game as a line of moves: the opening of the match, or the first six moves.
func openingOf(rec record) string {
	n := 0
	for n < len(rec.Moves) && rec.Moves[n].Comment == games.OpeningComment {
		n++
	}
	if n == 0 {
		n = min(6, len(rec.Moves))
	}
	var moves []games.Move
	for _, m := range rec.Moves[:n] {
		moves = append(moves, m.Move)
	}
	return kit.Game.LineNames(rec.Start, moves)
}

// errOtherGame is the error for records of another game.
var errOtherGame = errors.New("expected games of oware")

// records reads the games of a file.
func (s *Server) records(name string) ([]record, error) {
	path, err := s.folder.path(name)
	if err != nil {
		return nil, err
	}
	file, err := vfs.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, cause(err))
	}
	defer file.Close()
	text := bufio.NewReaderSize(file, headSize)
	head, err := text.Peek(headSize)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", name, cause(err))
	}
	if g := games.DetectGame(string(head), s.config.Games.Infos()); g.Name != kit.Game.Name {
		return nil, fmt.Errorf("%s has games of %s: %w", name, g.Name, errOtherGame)
	}
	return kit.Game.ParseRecords(text, name)
}

// headSize is the length of the beginning of a file of records by which its game is detected.
const headSize = 64 << 10
