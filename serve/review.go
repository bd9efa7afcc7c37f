package serve

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"kroo/engine/analysis"
)

// maxReview is the largest number of plies of a game to review.
const maxReview = 400

// reviewed is a review so far: the last moves of a game, and the number of all moves.
type reviewed struct {
	Found []analysis.Move `json:"found"`
	Total int             `json:"total"`
	Sides []analysis.Side `json:"sides,omitempty"` // when the review is complete
}

// review streams the grades of the moves of a game, from the last back to the first, or to the first
// after the number skip. It has the limits of a hint, so that it agrees with one.
func (s *Server) review(w http.ResponseWriter, r *http.Request) {
	l, rules, err := lineOf(r.URL.Query())
	if err == nil && (l.Plies() == 0 || l.Plies() > maxReview) {
		err = fmt.Errorf("a game of %d moves: expected 1 to %d to review", l.Plies(), maxReview)
	}
	skip := 0
	if text := r.URL.Query().Get("skip"); text != "" && err == nil {
		if skip, err = strconv.Atoi(text); err != nil || skip < 0 || skip >= l.Plies() {
			err = fmt.Errorf("skip %.10q: expected a number of moves, below %d", text, l.Plies())
		}
	}
	if err != nil {
		s.reply(w, nil, err)
		return
	}
	stream(s, w, r, "progress", func(ctx context.Context, post func(any)) (last any, err error) {
		err = s.pool.search(ctx, clientOf(r), rules, maxReviewTime, func(ctx context.Context, e *owareEngine, searcher owareSearcher) error {
			moves, err := analysis.Game(ctx, e, searcher, l.Record(), skip, func(found []analysis.Move, total int) { post(reviewed{Found: found, Total: total}) })
			last = reviewed{moves, len(moves), analysis.Sides(moves, kit.Game.Sides)}
			return err
		})
		return last, err
	})
}
