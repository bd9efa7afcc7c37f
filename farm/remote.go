package farm

import (
	"context"
	"errors"
	"fmt"

	"kroo/engine"
	"kroo/engine/search"
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
	text, err := EncodeSpec(spec)
	if err != nil {
		return nil, err
	}
	work := Work{
		Kind: KindSearch, Engine: engine.Signature(), Spec: text, Files: files,
		Deadline: DeadlineOf(e.Spec.Search), Tasks: tasks,
	}
	return &remote[P]{net, work, codec[P]{Game: e.Kit.Game, Rules: e.Rules}, e.Err}, nil
}

// remote is a pool of the workers of a network.
type remote[P search.Position[P]] struct {
	net   Network
	work  Work
	codec codec[P]
	check func() error // of the engine's files
}

// Search implements [engine.Pool]. A job at which several workers fail ends it.
func (r *remote[P]) Search(ctx context.Context, feed engine.Feed[P], done func(engine.Job[P], engine.Answer) error) error {
	return r.net.Do(ctx, r.work, func(ctx context.Context, ask func(Task) error) error {
		return feed(ctx, func(j engine.Job[P]) error {
			data, err := r.codec.encodeJob(j)
			if err != nil {
				return err
			}
			return ask(Task{Data: data, Take: func(answer []byte) error {
				found, err := r.codec.decodeAnswer(answer, j)
				if err != nil {
					return Refuse(err)
				}
				if err := r.check(); err != nil {
					return err
				}
				return done(j, found)
			}})
		})
	})
}

// searches does tasks of [KindSearch].
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
