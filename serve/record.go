package serve

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"kroo/games"
	"kroo/games/oware"
)

// maxRecord is the largest length of a text to import.
const maxRecord = 1 << 20

// imported is a game read from a text.
type imported struct {
	Rules string `json:"rules"`
	From  string `json:"from"`
	Moves string `json:"moves"`
	Tree  string `json:"tree,omitempty"` // all lines in the format of linesOf, if there is more than the moves
	Games int    `json:"games"`          // in the text; this is the first
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
	records, err := oware.Descriptor().ParseRecords(strings.NewReader(text), "the text")
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("no game in the text: expected a board or a game in OGN")
	}
	rec := records[0]
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

// exportGame sends a game in OGN. The values south and north name the players; ended is the result of a
// game that a player resigned or lost on time. With tree, the record has all lines and comments.
func (s *Server) exportGame(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	l, _, err := lineOf(q)
	if err != nil {
		s.reply(w, nil, err)
		return
	}
	rec := l.Record()
	if text := q.Get("tree"); text != "" {
		if rec, err = linesOf(l.Start(), text); err == nil {
			l, err = kit.Game.Replay(rec)
		}
		if err != nil {
			s.reply(w, nil, err)
			return
		}
		if rec.Result == games.Unknown {
			rec.Result = l.Result()
		}
	}
	for side, name := range []string{q.Get("south"), q.Get("north")} {
		if name == "" {
			continue
		}
		tag := games.Tag{Name: kit.Game.Sides[side], Value: strings.Join(strings.Fields(name), " ")}
		if i := slices.IndexFunc(rec.Tags, func(t games.Tag) bool { return t.Name == tag.Name }); i >= 0 {
			rec.Tags[i] = tag
		} else {
			rec.Tags = append(rec.Tags, tag)
		}
	}
	if ended := q.Get("ended"); rec.Result == games.Unknown && (ended == games.FirstWins || ended == games.SecondWins) {
		rec.Result = ended
	}
	var text bytes.Buffer
	if err := oware.Descriptor().WriteRecord(&text, rec); err != nil {
		s.reply(w, nil, err)
		return
	}
	w.Header().Set("Content-Disposition", `attachment; filename="game.ogn"`)
	sendAs(w, http.StatusOK, "text/plain; charset=utf-8", text.Bytes())
}
