package serve

import (
	"context"
	"fmt"
	"net/http"

	"kroo/analysis"
)

// A review searches every position of a game.
const (
	maxReview   = 400    // plies
	reviewNodes = 20_000 // of each search
)

// progress is how far something is.
type progress struct {
	Done  int64 `json:"done"`
	Total int64 `json:"total"`
}

// review streams the progress of a game's analysis, and then what every move was worth.
func (s *Server) review(w http.ResponseWriter, r *http.Request) {
	l, rules, err := lineOf(r.URL.Query())
	if n := l.Plies(); err == nil && (n == 0 || n > maxReview) {
		err = fmt.Errorf("a game of %d moves: expected 1 to %d to review", n, maxReview)
	}
	if err != nil {
		s.reply(w, nil, err)
		return
	}
	stream(s, w, r, "progress", func(ctx context.Context, post func(any)) (moves any, err error) {
		err = s.pool.search(ctx, clientOf(r), rules, maxReviewTime, func(ctx context.Context, e *owareEngine, searcher *owareSearcher) error {
			short := *e
			short.Config.Nodes = min(reviewNodes, s.config.Nodes)
			moves, err = analysis.Game(ctx, &short, searcher, l.Record(), func(done, total int64) { post(progress{done, total}) })
			return err
		})
		return moves, err
	})
}
