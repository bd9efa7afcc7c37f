package serve

import (
	"context"
	"net/http"

	"kroo/engine"
	"kroo/engine/analysis"
	"kroo/engine/play"
	"kroo/games/oware"
)

// thought is a move of the engine and why it plays it.
type thought struct {
	Move   string `json:"move"`
	Book   bool   `json:"book"`
	Points int    `json:"points,omitempty"` // of the book
	Depth  int    `json:"depth,omitempty"`
	Score  string `json:"score,omitempty"` // in seeds, for the side that moves
}

func thoughtOf(t play.Thought) thought {
	if t.Book {
		return thought{Move: t.Name, Book: true, Points: t.Points}
	}
	return thought{Move: t.Name, Depth: t.Depth, Score: analysis.Score(t.Score)}
}

// answer tells the engine's move at a level.
func (s *Server) answer(r *http.Request) (any, error) {
	level, err := engine.ParseLevel(r.URL.Query().Get("level"))
	if err != nil {
		return nil, err
	}
	var t play.Thought
	err = s.withGame(r, 1, func(ctx context.Context, g *play.Game[oware.Position]) (err error) {
		g.SetLevel(level)
		t, err = g.Answer(ctx)
		return err
	})
	return thoughtOf(t), err
}

// hint reports what the engine would play at its best.
type hint struct {
	Search thought  `json:"search"`
	Book   *thought `json:"book,omitempty"`
}

func (s *Server) hint(r *http.Request) (any, error) {
	var h play.Hint
	err := s.withGame(r, 0, func(ctx context.Context, g *play.Game[oware.Position]) (err error) {
		h, err = g.Hint(ctx)
		return err
	})
	told := hint{Search: thoughtOf(h.Search)}
	if h.InBook {
		b := thoughtOf(h.Book)
		told.Book = &b
	}
	return told, err
}

// withGame has the game of a request played on by an engine. The person's side is that
// to move, or with other = 1 the other one.
func (s *Server) withGame(r *http.Request, other int, use func(ctx context.Context, g *play.Game[oware.Position]) error) error {
	l, rules, err := lineOf(r.URL.Query())
	if err != nil {
		return err
	}
	return s.pool.search(r.Context(), clientOf(r), rules, maxSearchTime, func(ctx context.Context, e *owareEngine, searcher owareSearcher) error {
		person := (int(l.Position().ToMove()) + other) % 2
		g := play.NewWith(e, searcher, l.Start(), person)
		if err := g.Load(l.Record()); err != nil {
			return err
		}
		return use(ctx, g)
	})
}

// known answers with what book and tables have of a position.
func (s *Server) known(r *http.Request) (any, error) {
	k, err := s.knownOf(r.URL.Query())
	return k, err
}

// state answers with what there is to show of a game.
func (s *Server) state(r *http.Request) (any, error) {
	st, err := s.stateOf(r.URL.Query())
	return st, err
}
