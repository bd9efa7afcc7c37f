package farm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/strict"
)

// KindSearch is the kind of work whose tasks are jobs of an [engine.Pool].
const KindSearch = "search 3"

// Searches returns a pool that searches like e on the workers of a network. tasks is the expected
// number of searches, 0 if unknown.
func Searches[P search.Position[P]](net Network, e *engine.Engine[P], tasks int64) (engine.Pool[P], error) {
	spec, files, err := Describe(e)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	work := Work{
		Kind: KindSearch, Engine: engine.Signature(), Spec: text, Files: files,
		Deadline: DeadlineOf(e.Spec.Search), Tasks: tasks,
	}
	return &remote[P]{net, work, codec[P]{Game: e.Kit.Game, Rules: e.Rules}, e.Err}, nil
}

type remote[P search.Position[P]] struct {
	net   Network
	work  Work
	codec codec[P]
	check func() error // of the engine's files
}

// Search implements [engine.Pool]. A job that fails several times ends it.
func (r *remote[P]) Search(ctx context.Context, feed engine.Feed[P], done func(engine.Job[P], engine.Answer) error) error {
	return r.net.Do(ctx, r.work, func(ctx context.Context, ask func(Task) error) error {
		return feed(ctx, func(j engine.Job[P]) error {
			t, err := r.task(j, done)
			if err != nil {
				return err
			}
			return ask(t)
		})
	})
}

// task returns the task of a job, whose answer goes to done.
func (r *remote[P]) task(j engine.Job[P], done func(engine.Job[P], engine.Answer) error) (Task, error) {
	data, err := r.codec.encodeJob(j)
	take := func(answer []byte) error {
		found, err := r.codec.decodeAnswer(answer, j)
		if err != nil {
			return Refuse(err)
		}
		if err := r.check(); err != nil {
			return err
		}
		return done(j, found)
	}
	return Task{Data: data, Take: take}, err
}

type searches[P search.Position[P]] struct {
	codec  codec[P]
	engine *engine.Engine[P]
	pool   *engine.Searchers[P]
}

// OpenSearches opens a doer of searches with a number of searchers.
func OpenSearches[P search.Position[P]](k engine.Kit[P], s EngineSpec, files Files, searchers int) (Doer, error) {
	e, err := OpenEngine(k, s, files, searchers)
	if err != nil {
		return nil, err
	}
	pool, err := e.Searchers(searchers)
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return &searches[P]{codec[P]{Game: k.Game, Rules: s.Rules}, e, pool}, nil
}

func (s *searches[P]) Do(ctx context.Context, task []byte) ([]byte, error) {
	job, err := s.codec.decodeJob(task)
	if err != nil {
		return nil, err
	}
	found, err := s.pool.One(ctx, job)
	if err != nil {
		return nil, err
	}
	return encodeAnswer(found), nil
}

func (s *searches[P]) Close() error { return s.engine.Close() }

// DecodeEngineSpec decodes the spec of [KindSearch] work.
func DecodeEngineSpec(text []byte) (s EngineSpec, err error) {
	if err = DecodeSpec(text, &s); err == nil && s.Game == "" {
		err = fmt.Errorf("the coordinator's session names no game")
	}
	return s, err
}

// codec encodes searches, as JSON, and their answers for workers on other machines. It trusts
// neither end: decoded positions are valid for the game, and decoded answers possible.
type codec[P search.Position[P]] struct {
	Game  *games.Game[P]
	Rules string // of the positions
}

// Limits for decoding.
const (
	maxJob      = 1 << 12 // in bytes
	maxDuration = 30 * 24 * time.Hour
	slackNodes  = 1 << 18 // nodes beyond the limit that a search may visit: up to 256 threads check it every 1024 nodes
)

type jobText struct {
	Board  string        `json:"board"`
	Limits search.Limits `json:"limits"`
}

func (c codec[P]) encodeJob(j engine.Job[P]) ([]byte, error) {
	return json.Marshal(jobText{c.Game.Print(j.Position), j.Limits})
}

// decodeJob decodes a job, and returns an error for one without a limit.
func (c codec[P]) decodeJob(b []byte) (j engine.Job[P], err error) {
	var t jobText
	if err := strict.JSON(b, maxJob, &t); err != nil {
		return j, fmt.Errorf("a job: %w", err)
	}
	l := t.Limits
	if min(int64(l.Depth), l.Nodes, int64(l.Time), int64(l.Soft)) < 0 ||
		l.Depth > search.MaxPly || l.Nodes > search.MaxNodes || max(l.Time, l.Soft) > maxDuration ||
		l == (search.Limits{Soft: l.Soft}) {
		return j, fmt.Errorf("a job with the limits %+v: expected a depth, nodes or a time", l)
	}
	p, err := c.Game.Parse(c.Rules, t.Board)
	if err != nil {
		return j, fmt.Errorf("a job: %w", err)
	}
	return engine.Job[P]{Position: p, Limits: l}, nil
}

// encodeAnswer encodes an answer, without its time, so that equal searches have equal bytes.
func encodeAnswer(a engine.Answer) []byte {
	a.Time = 0
	return a.Append(nil)
}

// decodeAnswer decodes the answer to a job and checks that it is possible: scores in range, legal
// moves, no more depth or nodes than the limits allow. It cannot detect a wrong score.
func (c codec[P]) decodeAnswer(b []byte, j engine.Job[P]) (engine.Answer, error) {
	a, rest, err := engine.ParseAnswer(b)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%d bytes too many", len(rest))
	}
	if err == nil {
		err = possible(a, j)
	}
	if err != nil {
		return engine.Answer{}, fmt.Errorf("an answer for %s: %w", c.Game.Print(j.Position), err)
	}
	return a, nil
}

// possible returns an error for an answer that is impossible for a job.
func possible[P search.Position[P]](a engine.Answer, j engine.Job[P]) error {
	moves := j.Position.AppendMoves(nil)
	_, over := j.Position.Terminal()
	over = over || len(moves) == 0
	limit := j.Limits
	switch {
	case a.Steady != a.Score && (search.Proven(a.Steady) || search.Proven(a.Score)):
		return fmt.Errorf("steady score %d with a score of %d: expected the same where one is proven", a.Steady, a.Score)
	case a.HasMove == over:
		return fmt.Errorf("it has a best move: %t: expected %t", a.HasMove, !over)
	case a.Nodes < 1 || limit.Nodes > 0 && a.Nodes > limit.Nodes+slackNodes:
		return fmt.Errorf("%d nodes: expected 1 to the %d of the limit", a.Nodes, limit.Nodes)
	case limit.Depth > 0 && a.Depth > limit.Depth:
		return fmt.Errorf("depth %d: expected at most %d", a.Depth, limit.Depth)
	case a.Book || a.Time != 0:
		return errors.New("a move from a book, or a time: expected a search without one")
	case over && (a.Move != 0 || a.Depth > 0 || !a.Proven):
		return errors.New("the search of a finished game: expected no moves and no depth")
	case over:
		return nil
	case a.Proven != (a.Depth > 0 && search.Proven(a.Score)):
		return fmt.Errorf("proven is %t with a score of %d at depth %d", a.Proven, a.Score, a.Depth)
	case !slices.Contains(moves, a.Move):
		return fmt.Errorf("move %d: expected a legal one", a.Move)
	}
	return nil
}
