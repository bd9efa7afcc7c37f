package farm

import (
	"context"
	"errors"
	"fmt"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/internal/parallel"
)

// KindSearch is the kind of work whose tasks are jobs of a [Pool].
const KindSearch = "search 1"

// New makes a pool of searches by an engine: of goroutines, as many as workers says, or
// of the workers of a network if there is one. tasks is how many searches there will
// be, 0 if that is not known. Close the pool before the engine.
func New[P search.Position[P]](ctx context.Context, net Network, e *engine.Engine[P], workers int, tasks int64) (Pool[P], error) {
	if net != nil {
		return newRemote(ctx, net, e, tasks)
	}
	if err := e.Config.CheckMemory(parallel.Workers(workers)); err != nil {
		return nil, err
	}
	l := NewLocal(e.NewSearcher, workers)
	l.CheckWith(e.Err)
	return l, nil
}

// remote is the pool of the workers of a network.
type remote[P search.Position[P]] struct {
	codec   Codec[P]
	session Session
	check   func() error // of the engine's files
}

func newRemote[P search.Position[P]](ctx context.Context, net Network, e *engine.Engine[P], tasks int64) (*remote[P], error) {
	spec, files, err := Describe(e, "")
	if err != nil {
		return nil, err
	}
	text, err := EncodeSpec(spec)
	if err != nil {
		return nil, err
	}
	s, err := net.Open(ctx, Work{
		Kind: KindSearch, Engine: engine.Signature(), Spec: text, Files: files,
		Compare: e.Config.Reproducible(), Deadline: DeadlineOf(e.Config), Tasks: tasks,
	})
	if err != nil {
		return nil, err
	}
	return &remote[P]{Codec[P]{Game: e.Kit.Game, Rules: e.Rules}, s, e.Err}, nil
}

// Run is as [Pool] says. Jobs that several workers fail at end it with an error.
func (r *remote[P]) Run(ctx context.Context, jobs []Job[P], done func(Result) error) error {
	tasks := make([][]byte, len(jobs))
	for i, j := range jobs {
		tasks[i] = r.codec.AppendJob(nil, j)
	}
	return r.session.Do(ctx, tasks, func(i int, answer []byte) error {
		found, err := r.codec.DecodeResult(answer, jobs[i])
		if err != nil {
			return Refuse(err)
		}
		return done(Result{Index: i, Search: found, Err: r.check()})
	})
}

// askedAtATime is how many searches a caller may ask for at a time that asks one by
// one: more than the workers of a large farm.
const askedAtATime = 2048

// Workers is how many searches it makes sense to ask for at a time.
func (r *remote[P]) Workers() int { return askedAtATime }

// Close ends the session.
func (r *remote[P]) Close() error { return r.session.Close() }

// searches does tasks of [KindSearch].
type searches[P search.Position[P]] struct {
	codec  Codec[P]
	engine *engine.Engine[P]
	pool   *Local[P]
}

// OpenSearches makes the doer of searches for a spec, with so many searchers.
func OpenSearches[P search.Position[P]](k engine.Kit[P], s EngineSpec, files Files, searchers int) (Doer, error) {
	e, err := OpenEngine(k, s, files, searchers)
	if err != nil {
		return nil, err
	}
	pool := NewLocal(e.NewSearcher, searchers)
	pool.CheckWith(e.Err)
	return &searches[P]{Codec[P]{Game: k.Game, Rules: s.Rules}, e, pool}, nil
}

func (s *searches[P]) Do(ctx context.Context, task []byte) ([]byte, error) {
	job, err := s.codec.DecodeJob(task)
	if err != nil {
		return nil, err
	}
	r := s.pool.search(ctx, job)
	if err := ctx.Err(); err != nil { // perhaps cut short
		return nil, err
	}
	if r.Err != nil {
		return nil, r.Err
	}
	return s.codec.AppendResult(nil, r.Search), nil
}

func (s *searches[P]) Close() error {
	return errors.Join(s.pool.Close(), s.engine.Close())
}

// DecodeEngineSpec reads the spec of work of [KindSearch].
func DecodeEngineSpec(text []byte) (s EngineSpec, err error) {
	if err = DecodeSpec(text, &s); err == nil && s.Game == "" {
		err = fmt.Errorf("what the coordinator wants names no game")
	}
	return s, err
}
