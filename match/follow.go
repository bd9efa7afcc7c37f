package match

import (
	"context"
	"errors"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/internal/journal"
)

// Follower reads the score of a match that another process plays, from its log.
type Follower[P search.Position[P]] struct {
	referee *referee[P]
	log     *journal.Follower[pairLog]
}

// Follow opens the players of a match, whose moves are not needed, for their names. Close the follower.
func Follow[P search.Position[P]](ctx context.Context, k engine.Kit[P], c Config, a, b engine.Spec) (*Follower[P], error) {
	m, err := openMatch(ctx, k, c)
	if err != nil {
		return nil, err
	}
	m.A, err = openContestant(ctx, k, a, c)
	if err == nil {
		m.B, err = openContestant(ctx, k, b, c)
	}
	f := &Follower[P]{log: journal.NewFollower(c.Log, pairCodec)}
	if err == nil {
		f.referee, err = newReferee(m)
	}
	if err != nil {
		return nil, errors.Join(err, m.A.Close(), m.B.Close(), m.closeAdjudicator())
	}
	return f, nil
}

// Score returns the number of finished games, and the score so far as the progress of [Run] shows it.
func (f *Follower[P]) Score() (games int64, score string, err error) {
	r := f.referee
	for pair, err := range f.log.Pieces() {
		if err != nil {
			return 2 * r.done, standing(r.score, r.Test), err
		}
		if err := r.count(pair); err != nil {
			return 2 * r.done, standing(r.score, r.Test), err
		}
	}
	return 2 * r.done, standing(r.score, r.Test), nil
}

// Close frees the files of the players.
func (f *Follower[P]) Close() error {
	return errors.Join(f.referee.A.Close(), f.referee.B.Close(), f.referee.closeAdjudicator())
}
