package serve

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"kroo/engine"
	"kroo/engine/analysis"
	"kroo/engine/play"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
)

// thought is a move of the engine and why it plays it.
type thought struct {
	Move   string   `json:"move"`
	Book   bool     `json:"book"`
	Depth  int      `json:"depth,omitempty"`
	Score  string   `json:"score,omitempty"`  // in seeds, for the side that moves
	Chance *float64 `json:"chance,omitempty"` // percent, as in bestOne; nil if unknown
}

func thoughtOf(e *owareEngine, p oware.Position, t play.Thought) thought {
	if t.Book {
		return thought{Move: t.Name, Book: true}
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
	return s.withGame(r, 1, func(ctx context.Context, e *owareEngine, p oware.Position,
		g *play.Game[oware.Position]) (any, error) {
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
	return s.withGame(r, 0, func(ctx context.Context, e *owareEngine, p oware.Position,
		g *play.Game[oware.Position]) (any, error) {
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
func (s *Server) withGame(
	r *http.Request, other int, use func(ctx context.Context, e *owareEngine, p oware.Position,
		g *play.Game[oware.Position]) (any, error),
) (found any, err error) {
	l, rules, err := lineOf(r.URL.Query())
	if err != nil {
		return nil, err
	}
	t := turn{clientOf(r), rules, maxSearchTime, func() {}}
	err = s.engines.search(r.Context(), t, func(ctx context.Context, e *owareEngine, searcher owareSearcher) error {
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

// insight is the result of a search so far. Scores are for the side to move, in hundredths of a seed
// and, as text, in seeds.
type insight struct {
	Depth   int     `json:"depth"`
	Nodes   int64   `json:"nodes"`
	Seconds float64 `json:"seconds"`
	Score   int     `json:"score"`
	Text    string  `json:"text"`
	WDL     *[3]int `json:"wdl"` // chances of a win, a draw and a loss, per mille; null without a calibration
	// Borrowed: the chances are by the calibration of the program's own weights ([engine.Kit.CalibrationOf]).
	Borrowed bool      `json:"borrowed"`
	Margin   float64   `json:"margin"` // expected final difference in seeds, with WDL
	Lines    []bestOne `json:"lines"`  // of every move, best first
}

// bestOne is a move with its chance, its score and its principal variation.
type bestOne struct {
	Move   string   `json:"move"`
	Chance *float64 `json:"chance"` // of a win plus half that of a draw, percent; null as WDL
	Score  int      `json:"score"`
	Text   string   `json:"text"`
	PV     string   `json:"pv"`
}

func insightOf(e *owareEngine, p oware.Position, r search.Result) insight {
	i := insight{Depth: r.Depth, Nodes: r.Nodes, Seconds: r.Time.Seconds(), Score: r.Score, Text: analysis.Score(r.Score)}
	if s, ok := kit.Prospects(e.Eval, p, r.Score); ok {
		i.WDL, i.Margin = &[3]int{s.Win, s.Draw, s.Loss}, s.Margin
		_, i.Borrowed = kit.CalibrationOf(e.Eval)
	}
	for _, l := range r.Lines {
		chance, _ := prospects(e.Eval, p, l.Score)
		i.Lines = append(i.Lines,
			bestOne{kit.Game.MoveName(p, l.Move), chance, l.Score, analysis.Score(l.Score),
				kit.Game.LineNames(p, l.PV)})
	}
	return i
}

// prospects converts a score to the chance, in percent, and the expected margin of the side to move;
// nil without a calibration.
func prospects(e engine.Evaluation[oware.Position], p oware.Position, score int) (chance, margin *float64) {
	s, ok := kit.Prospects(e, p, score)
	if !ok {
		return nil, nil
	}
	expected := s.ExpectedResult()
	return &expected, &s.Margin
}

// maxAnalysisTime limits an infinite analysis, for pages that are left open.
const maxAnalysisTime = time.Hour

// analyse streams the results of a search of a game's last position, after every iteration. With
// endless it continues until the reader leaves; it gives way to others, and starts again after them.
func (s *Server) analyse(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	l, rules, err := lineOf(q)
	if err == nil {
		if _, _, over := l.Over(); over {
			err = play.ErrOver
		}
	}
	if err != nil {
		s.reply(w, nil, err)
		return
	}
	start := s.engines.search
	limits := s.config.limits()
	atMost := maxSearchTime
	if q.Get("endless") != "" {
		start = s.engines.searchInfinitely
		limits = search.Limits{Time: maxAnalysisTime - time.Second}
		atMost = maxAnalysisTime
	}
	stream(s, w, r, func(ctx context.Context, post poster) (last any, err error) {
		t := turn{clientOf(r), rules, atMost, post.waiting}
		err = start(ctx, t, func(ctx context.Context, e *owareEngine, searcher owareSearcher) error {
			p := l.Position()
			query := search.Query{AllMoves: true, Info: func(r search.Result) { post("found", insightOf(e, p, r)) }}
			found, err := searcher.Search(ctx, p, l.History(), limits, query)
			last = insightOf(e, p, found)
			return cmp.Or(context.Cause(ctx), err)
		})
		return last, err
	})
}

// limits returns the limits of a search.
func (c Config) limits() search.Limits {
	l, longest := c.Search.Limits(), maxSearchTime-time.Second
	l.Time = min(longest, cmp.Or(l.Time, longest))
	return l
}

// hints returns the limits of a hint: a tenth of a search.
func (c Config) hints() engine.Config {
	e := c.Search
	if e.Nodes > 0 {
		e.Nodes = max(1, e.Nodes/10)
	}
	if e.MoveTime.Duration > 0 {
		e.MoveTime.Duration = max(time.Millisecond, c.limits().Time/10)
	}
	return e
}

// maxReview is the largest number of plies of a game to review.
const maxReview = 400

// reviewed is a review so far: the last moves of a game, and the number of all moves.
type reviewed struct {
	Found []analysis.Move `json:"found"`
	Total int             `json:"total"`
	Sides []analysis.Side `json:"sides,omitempty"` // when the review is complete
}

// review streams the grades of the moves of a game, from the last back to the first, or to the first
// after the number skip; opening is the number of moves of a match's opening. It has the limits of a hint, so
// that it agrees with one.
func (s *Server) review(w http.ResponseWriter, r *http.Request) {
	l, rules, err := lineOf(r.URL.Query())
	if err == nil && (l.Plies() == 0 || l.Plies() > maxReview) {
		err = fmt.Errorf("a game of %d moves: expected 1 to %d to review", l.Plies(), maxReview)
	}
	skip := 0
	if text := r.URL.Query().Get("skip"); text != "" && err == nil {
		skip, err = strconv.Atoi(text)
		if err != nil || skip < 0 || skip >= l.Plies() {
			err = fmt.Errorf("skip %.10q: expected a number of moves, below %d", text, l.Plies())
		}
	}
	opening := 0
	if text := r.URL.Query().Get("opening"); text != "" && err == nil {
		opening, err = strconv.Atoi(text)
		if err != nil || opening < 0 || opening > l.Plies() {
			err = fmt.Errorf("opening %.10q: expected a number of moves, at most %d", text, l.Plies())
		}
	}
	if err != nil {
		s.reply(w, nil, err)
		return
	}
	rec := l.Record()
	for i := range opening {
		rec.Moves[i].Comment = games.OpeningComment
	}
	stream(s, w, r, func(ctx context.Context, post poster) (last any, err error) {
		t := turn{clientOf(r), rules, maxReviewTime, post.waiting}
		err = s.engines.search(ctx, t, func(ctx context.Context, e *owareEngine, searcher owareSearcher) error {
			progress := func(found []analysis.Move, total int) { post("progress", reviewed{Found: found, Total: total}) }
			moves, err := analysis.Game(ctx, e, searcher, rec, skip, progress)
			last = reviewed{moves, len(moves), analysis.Sides(moves, kit.Game.Sides)}
			return err
		})
		return last, err
	})
}
