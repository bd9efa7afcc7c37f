package serve

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"kroo/engine"
	"kroo/engine/analysis"
	"kroo/engine/play"
	"kroo/engine/search"
	"kroo/games/oware"
)

// insight is the result of a search so far. Scores are for the side to move, in hundredths of a seed
// and, as text, in seeds.
type insight struct {
	Depth   int       `json:"depth"`
	Nodes   int64     `json:"nodes"`
	Seconds float64   `json:"seconds"`
	Rate    int64     `json:"rate"` // nodes/s
	Score   int       `json:"score"`
	Text    string    `json:"text"`
	Proven  bool      `json:"proven"`
	WDL     *[3]int   `json:"wdl"`    // chances of a win, a draw and a loss, per mille; null without a calibration
	Margin  float64   `json:"margin"` // expected final difference in seeds, with WDL
	Lines   []bestOne `json:"lines"`  // of every move, best first
}

// bestOne is a move with its chance, its score and its principal variation.
type bestOne struct {
	Move   string  `json:"move"`
	Chance float64 `json:"chance"` // of a win plus half that of a draw, percent, with WDL
	Score  int     `json:"score"`
	Text   string  `json:"text"`
	PV     string  `json:"pv"`
}

func insightOf(e *owareEngine, p oware.Position, r search.Result) insight {
	i := insight{
		Depth: r.Depth, Nodes: r.Nodes, Seconds: r.Time.Seconds(), Score: r.Score, Text: analysis.Score(r.Score), Proven: r.Proven,
	}
	if r.Time > 0 {
		i.Rate = int64(float64(r.Nodes) / r.Time.Seconds())
	}
	if s, ok := kit.Prospects(e.Eval, p, r.Score); ok {
		i.WDL, i.Margin = &[3]int{s.Win, s.Draw, s.Loss}, s.Margin
	}
	for _, l := range r.Lines {
		one := bestOne{Move: kit.Game.MoveName(p, l.Move), Score: l.Score, Text: analysis.Score(l.Score), PV: kit.Game.LineNames(p, l.PV)}
		if s, ok := kit.Prospects(e.Eval, p, l.Score); ok {
			one.Chance = s.Expected()
		}
		i.Lines = append(i.Lines, one)
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
	expected := s.Expected()
	return &expected, &s.Margin
}

// maxAnalysisTime limits an infinite analysis, for pages that are left open.
const maxAnalysisTime = time.Hour

// analyse streams the results of a search of a game's last position, after every iteration. With
// endless it continues until the reader leaves or others wait for the seat.
func (s *Server) analyse(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	l, rules, err := lineOf(q)
	if err == nil {
		if _, _, over := l.Over(); over {
			err = play.ErrOver
		}
	}
	nodes, bad := s.nodesOf(q.Get("nodes"))
	if err = errors.Join(err, bad); err != nil {
		s.reply(w, nil, err)
		return
	}
	endless := q.Get("endless") != ""
	limits, atMost := s.config.limits(nodes), maxSearchTime
	if endless {
		limits, atMost = search.Limits{Time: maxAnalysisTime - time.Second}, maxAnalysisTime
	}
	stream(s, w, r, "found", func(ctx context.Context, post func(any)) (last any, err error) {
		err = s.pool.search(ctx, clientOf(r), rules, atMost, func(ctx context.Context, e *owareEngine, searcher owareSearcher) error {
			if endless {
				var stop func()
				ctx, stop = s.pool.givesWay(ctx)
				defer stop()
			}
			p := l.Position()
			query := search.Query{AllMoves: true, Info: func(r search.Result) { post(insightOf(e, p, r)) }}
			found, err := searcher.Search(ctx, p, l.History(), limits, query)
			last = insightOf(e, p, found)
			return cmp.Or(context.Cause(ctx), err)
		})
		return last, err
	})
}

// nodesOf parses a node limit. It is at most the server's, which is also the default.
func (s *Server) nodesOf(text string) (int64, error) {
	if text == "" {
		return s.config.Nodes, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, errors.New("nodes: expected a number from 1")
	}
	if s.config.Nodes == 0 { // searches are limited by time or depth
		return n, nil
	}
	return min(n, s.config.Nodes), nil
}

// limits returns the limits of a search with a node limit, possibly 0.
func (c Config) limits(nodes int64) search.Limits {
	l := search.Limits{Nodes: nodes, Depth: c.Depth, Time: maxSearchTime - time.Second}
	if c.MoveTime > 0 {
		l.Time = min(l.Time, c.MoveTime)
	}
	return l
}

// hints returns the limits of a hint: a tenth of a search.
func (c Config) hints() engine.Config {
	e := engine.Config{Depth: c.Depth, HashMB: c.HashMB}
	if c.Nodes > 0 {
		e.Nodes = max(1, c.Nodes/10)
	}
	if c.MoveTime > 0 {
		e.MoveTime.Duration = max(time.Millisecond, c.limits(0).Time/10)
	}
	return e
}
