package dropout

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/farm"
	"kroo/games/oware"
	"kroo/internal/journal"
)

// source is where the values of positions come from.
type source struct {
	rules  oware.Rules
	limits search.Limits // of each search
	pool   engine.Pool[oware.Position]
	prober search.Prober[oware.Position] // endgame tables; may be nil
	engine string                        // identifies the pool and the tables; a log is only continued with the same
	log    string                        // file of the finished searches, created if missing; "" means no log
}

// sourceOf returns the searches of an engine: by workers of this machine, or those of a farm, which
// may be nil. expected is the number of searches for the farm, 0 if unknown.
func sourceOf(e *engine.Engine[oware.Position], net farm.Network, workers, expected int, log string) (s source, err error) {
	unlimited := *e // limits are recorded separately
	unlimited.Spec.Search.Nodes = 0
	unlimited.Spec.Search.Depth = 0
	unlimited.Spec.Search.MoveTime = engine.Duration{}
	s.engine = fmt.Sprintf("%s, %s", e.Signature(), e.Eval.Name)
	if more := unlimited.LimitsText(); more != "" {
		s.engine += ", " + more
	}
	s.rules, err = oware.ParseRules(e.Rules)
	if err != nil {
		return s, err
	}
	s.log = log
	s.limits = e.Spec.Search.Limits()
	if s.limits == (search.Limits{}) {
		return s, errors.New("no limits: expected a depth, a number of nodes or a time above 0")
	}
	if e.Tables != nil {
		s.prober = e.Tables
	}
	if net != nil {
		s.pool, err = farm.Searches(net, e, int64(expected))
	} else {
		s.pool, err = e.Searchers(workers)
	}
	return s, err
}

// logKind changes with the format or meaning of the log.
const logKind = "kroo-dropout 6"

// logHeader is what the searches of a log depend on. The choice of positions is not part of it: a
// log serves any width, ω, root and sides.
type logHeader struct {
	Rules  string        `json:"rules"`
	Limits search.Limits `json:"limits"`
	Engine string        `json:"engine"`
}

// finished is one record of the log: a position and its search.
type finished struct {
	pos oware.Position
	engine.Answer
}

// found returns the part of a search result that the graph keeps.
func (f finished) found() (found, error) {
	score := int16(f.Steady)
	proven := f.Proven || search.Proven(f.Score)
	err := f.Check()
	if err == nil && search.Proven(f.Steady) != proven && score != 0 {
		err = fmt.Errorf("score %d and proven %t contradict each other", score, proven)
	}
	if err != nil {
		return found{}, fmt.Errorf("search of %s: %w", f.pos, err)
	}
	return found{nodes: f.Nodes, score: score, proven: proven}, nil
}

// codec writes the position's key as a varint before the answer.
func codec(rules oware.Rules) journal.Codec[finished] {
	return journal.Codec[finished]{
		Append: func(b []byte, f finished) ([]byte, error) {
			return f.Answer.Append(binary.AppendVarint(b, f.pos.BookKey())), nil
		},
		Decode: func(b []byte) (f finished, err error) {
			key, n := binary.Varint(b)
			if n <= 0 {
				return f, errors.New("not a search: expected a position")
			}
			f.pos, err = oware.FromBookKey(rules, key)
			if err != nil {
				return f, err
			}
			var rest []byte
			f.Answer, rest, err = engine.ParseAnswer(b[n:])
			if err == nil && len(rest) > 0 {
				err = errors.New("not a search: expected one answer")
			}
			return f, err
		},
	}
}

// searches are searches of positions: finished ones, from the log and this run, and those in the
// pool.
type searches struct {
	source
	file    *journal.Journal[finished]
	results map[int64]found                        // by the key of the position
	asked   map[int64]bool                         // positions in the pool, unanswered
	submit  func(engine.Job[oware.Position]) error // passes a job to the pool
	answers chan finished                          // has room for everything in flight
	isLive  bool                                   // a search was requested: before that, the log has all answers
}

// openSearches reads the log of a source. At most inFlight positions are asked for at a time.
func openSearches(from source, inFlight int) (*searches, error) {
	s := &searches{
		source: from, results: map[int64]found{}, asked: map[int64]bool{}, answers: make(chan finished, inFlight),
	}
	header := logHeader{s.rules.String(), s.limits, s.engine}
	var err error
	s.file, err = journal.Open(s.log, logKind, header, codec(s.rules), func(f finished) (err error) {
		key := f.pos.BookKey()
		if _, twice := s.results[key]; twice {
			return fmt.Errorf("search of %s a second time", f.pos)
		}
		s.results[key], err = f.found()
		return err
	})
	return s, err
}

// endedBy is a reason to stop, as the error that ends the work of a pool: Search of a pool ends only by
// an error once its feed waits for answers.
type endedBy struct{ reason Reason }

func (e endedBy) Error() string { return string(e.reason) }

// runInPool calls work, which may ask for searches and wait for them, until it returns, the context ends
// or, if limit is not 0, the time is over. It closes the log. It returns why the work ended, with the
// context's error if that is an interruption; or, without a reason, the error of a failure.
func (s *searches) runInPool(
	ctx context.Context, limit time.Duration, work func(context.Context) (Reason, error),
) (Reason, error) {
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, endedBy{atTime})
		defer cancel()
	}
	feed := func(ctx context.Context, ask func(engine.Job[oware.Position]) error) error {
		s.submit = ask
		reason, err := work(ctx)
		if err != nil {
			return err
		}
		return endedBy{reason}
	}
	reason, err := reasonOf(ctx, s.pool.Search(ctx, feed, func(j engine.Job[oware.Position], a engine.Answer) error {
		s.answers <- finished{j.Position, a}
		return nil
	}))
	rest := errors.Join(s.takeRest(), s.file.Close())
	if rest != nil && reason != interrupted {
		reason = ""
	}
	return reason, errors.Join(err, rest)
}

// reasonOf returns the results of runInPool for the error of a pool that searched in a context.
func reasonOf(ctx context.Context, err error) (Reason, error) {
	if err == nil {
		return "", errors.New("the pool has not answered")
	}
	cause := err
	hasStopped := ctx.Err() != nil && errors.Is(err, ctx.Err())
	if hasStopped {
		cause = context.Cause(ctx)
	}
	if end, hasEnded := errors.AsType[endedBy](cause); hasEnded {
		return end.reason, nil
	}
	if hasStopped {
		return interrupted, err
	}
	return "", err
}

// takeRest takes the answers that came before the end.
func (s *searches) takeRest() error {
	var errs []error
	for len(s.answers) > 0 {
		errs = append(errs, s.take(<-s.answers))
	}
	return errors.Join(errs...)
}

// ask requests the search of a position unless it is done or in flight.
func (s *searches) ask(p oware.Position) error {
	key := p.BookKey()
	if s.has(p) || s.asked[key] {
		return nil
	}
	s.asked[key] = true
	s.isLive = true
	return s.submit(engine.Job[oware.Position]{Position: p, Limits: s.limits})
}

// has reports whether the value of a position is known.
func (s *searches) has(p oware.Position) bool {
	if _, over := p.Terminal(); over {
		return true
	}
	_, known := s.results[p.BookKey()]
	return known
}

// await takes answers until the value of a position is known.
func (s *searches) await(ctx context.Context, p oware.Position) error {
	for !s.has(p) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case f := <-s.answers:
			if err := s.take(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// take stores a finished search, in memory and in the log.
func (s *searches) take(f finished) error {
	kept, err := f.found()
	if err != nil {
		return err
	}
	key := f.pos.BookKey()
	delete(s.asked, key)
	s.results[key] = kept
	return s.file.Append(f)
}
