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
	Move   string   `json:"move"`
	Book   bool     `json:"book"`
	Points int      `json:"points,omitempty"` // of the book
	Depth  int      `json:"depth,omitempty"`
	Score  string   `json:"score,omitempty"`  // in seeds, for the side that moves
	Chance *float64 `json:"chance,omitempty"` // percent, as in bestOne; nil if unknown
}

func thoughtOf(e *owareEngine, p oware.Position, t play.Thought) thought {
	if t.Book {
		return thought{Move: t.Name, Book: true, Points: t.Points}
	}
	chance, _ := prospects(e.Eval, p, t.Score)
	return thought{Move: t.Name, Depth: t.Depth, Score: analysis.Score(t.Score), Chance: chance}
}

// answer returns the engine's move at a level.
func (s *Server) answer(r *http.Request) (any, error) {
	level, err := engine.ParseLevel(r.URL.Query().Get("level"))
	if err != nil {
		return nil, err
	}
	return s.withGame(r, 1, func(ctx context.Context, e *owareEngine, p oware.Position, g *play.Game[oware.Position]) (any, error) {
		g.SetLevel(level)
		t, err := g.Answer(ctx)
		return thoughtOf(e, p, t), err
	})
}

// hint is the move that the engine would play at its best.
type hint struct {
	Search thought  `json:"search"`
	Book   *thought `json:"book,omitempty"`
}

func (s *Server) hint(r *http.Request) (any, error) {
	return s.withGame(r, 0, func(ctx context.Context, e *owareEngine, p oware.Position, g *play.Game[oware.Position]) (any, error) {
		found, err := g.Hint(ctx)
		h := hint{Search: thoughtOf(e, p, found.Search)}
		if found.InBook {
			b := thoughtOf(e, p, found.Book)
			h.Book = &b
		}
		return h, err
	})
}

// withGame sets up the game of a request for an engine. The person plays the side to move or, if
// other is 1, the other side.
func (s *Server) withGame(r *http.Request, other int, use func(ctx context.Context, e *owareEngine, p oware.Position, g *play.Game[oware.Position]) (any, error)) (found any, err error) {
	l, rules, err := lineOf(r.URL.Query())
	if err != nil {
		return nil, err
	}
	err = s.pool.search(r.Context(), clientOf(r), rules, maxSearchTime, func(ctx context.Context, e *owareEngine, searcher owareSearcher) error {
		person := (int(l.Position().ToMove()) + other) % 2
		g := play.NewWith(e, searcher, l.Start(), person)
		if err := g.Load(l.Record()); err != nil {
			return err
		}
		found, err = use(ctx, e, l.Position(), g)
		return err
	})
	return found, err
}
