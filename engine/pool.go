package engine

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/parallel"
	"kroo/internal/wording"
)

// Answer is the answer of a search, a book or another program for a position. Labels, books, games
// and farms store it in the form of [Answer.Append].
type Answer struct {
	Move    games.Move    // best move
	HasMove bool          // false if the game is over or endgame tables answered
	Book    bool          // Move is from a book, without a search
	Points  int           // value of a book's move, for the side to move; not stored
	Score   int           // for the side to move, as of [search.Result]
	Steady  int           // a better estimate than Score, as of [search.Result]
	Proven  bool          // the sign of Score is proven
	Depth   int           // plies searched
	Nodes   int64         // positions visited
	Time    time.Duration // wall-clock time; stored in microseconds
}

// AnswerOf converts the result of a search.
func AnswerOf(r search.Result) Answer {
	return Answer{
		Move: r.Best, HasMove: !r.Terminal, Score: r.Score, Steady: r.Steady, Proven: r.Proven,
		Depth: r.Depth, Nodes: r.Nodes, Time: r.Time,
	}
}

// DecideByTables returns the answer of endgame tables without a search, if they decide the position.
func DecideByTables[P any](tables search.Prober[P], p P) (a Answer, known bool) {
	low, high, ok := tables.Final(p)
	if !ok {
		return a, false
	}
	a.Score, known = search.DecidedScore(low, high)
	a.Steady, a.Proven = a.Score, true
	return a, known
}

// Check returns an error for an answer that no search gives.
func (a Answer) Check() error {
	if max(a.Score, -a.Score, a.Steady, -a.Steady) > search.Win {
		return fmt.Errorf("score %d, steady %d: expected -%d to %d", a.Score, a.Steady, search.Win, search.Win)
	}
	if a.Nodes < 0 || a.Nodes > search.MaxNodes || a.Depth < 0 || a.Depth > search.MaxPly || a.Time < 0 {
		return fmt.Errorf("a search of %d positions to depth %d in %s: expected none negative, and at most %d and %d",
			a.Nodes, a.Depth, a.Time, int64(search.MaxNodes), search.MaxPly)
	}
	return nil
}

// Append appends the answer: a byte of flags and varints.
func (a Answer) Append(b []byte) []byte {
	flags := byte(0)
	for i, set := range [...]bool{a.HasMove, a.Book, a.Proven} {
		if set {
			flags |= 1 << i
		}
	}
	b = append(b, flags)
	for _, v := range [...]int64{
		int64(a.Move), int64(a.Score), int64(a.Steady - a.Score), int64(a.Depth), a.Nodes, a.Time.Microseconds(),
	} {
		b = binary.AppendVarint(b, v)
	}
	return b
}

var errAnswer = errors.New("not the answer of a search")

// ParseAnswer parses the answer at the start of b, which may be hostile, and returns the rest.
func ParseAnswer(b []byte) (a Answer, rest []byte, err error) {
	if len(b) == 0 || b[0] >= 1<<3 {
		return a, nil, errAnswer
	}
	flags, rest := b[0], b[1:]
	number := func(least, most int64) int64 {
		v, n := binary.Varint(rest)
		if n <= 0 || v < least || v > most {
			rest, err = nil, errAnswer
			return 0
		}
		rest = rest[n:]
		return v
	}
	score := func() int { return int(number(-2*search.Win, 2*search.Win)) }
	a = Answer{
		HasMove: flags&1 != 0,
		Book:    flags&2 != 0,
		Proven:  flags&4 != 0,
		Move:    games.Move(number(0, 1<<16-1)),
		Score:   score(),
	}
	a.Steady = a.Score + score()
	a.Depth, a.Nodes = int(number(0, search.MaxPly)), number(0, search.MaxNodes)
	a.Time = time.Duration(number(0, int64(longest/time.Microsecond))) * time.Microsecond
	if err = cmp.Or(err, a.Check()); err != nil {
		return Answer{}, nil, err
	}
	return a, rest, nil
}

// longest is a bound far above the time of any search.
const longest = 365 * 24 * time.Hour

// Job is the search of one position with an empty history.
type Job[P any] struct {
	Number   int // for the caller; does not affect the search
	Position P
	Limits   search.Limits
}

// Feed is a stream of jobs.
type Feed[P any] = parallel.Feed[Job[P]]

// Pool searches streams of positions: [Searchers] on this machine, or the workers of a farm. Results
// of jobs limited by nodes or depth do not depend on the number of workers: each starts from an
// empty hash table.
type Pool[P any] interface {
	// Search searches the jobs of a feed, requesting the next one when there is room. It calls done
	// once for each, in the order of completion and never concurrently. It returns when all are
	// done; or, with the first error of the feed, of a search, of done or of the context, when the
	// searches in progress have been cancelled. Cancelled searches are not passed to done.
	Search(ctx context.Context, feed Feed[P], done func(Job[P], Answer) error) error
}

// Searchers is a pool of goroutines. Each search has a searcher, and so a hash table, to itself,
// cleared before the job: the answer depends only on the job, the evaluation and the options, unless
// time limits it.
type Searchers[P search.Position[P]] struct {
	// Failed, if not nil, is called instead of done for each failed job; returning nil continues
	// with the others.
	Failed func(Job[P], error) error

	make func() Searcher[P]
	idle chan Searcher[P] // one per worker
}

// newPool makes a pool of workers, one per processor if workers is not positive. The number of
// workers does not affect results; the size of a searcher's hash table does.
func newPool[P search.Position[P]](newSearcher func() Searcher[P], workers int) *Searchers[P] {
	workers = parallel.Workers(workers)
	s := &Searchers[P]{make: newSearcher, idle: make(chan Searcher[P], workers)}
	for range workers {
		s.idle <- s.make()
	}
	return s
}

// Searchers makes a pool of the engine's searchers, if there is memory for it. Searches fail once a
// file of the engine was changed.
func (e *Engine[P]) Searchers(workers int) (*Searchers[P], error) {
	if err := e.CheckMemory(parallel.Workers(workers)); err != nil {
		return nil, err
	}
	return newPool(e.NewSearcher, workers), nil
}

// Search implements [Pool]. It is safe for concurrent use; all calls share the searchers.
func (s *Searchers[P]) Search(ctx context.Context, feed Feed[P], done func(Job[P], Answer) error) error {
	type outcome struct {
		found Answer
		err   error // for Failed
	}
	return parallel.Collect(ctx, cap(s.idle), feed, func(ctx context.Context, _ int, j Job[P]) (o outcome, err error) {
		o.found, err = s.One(ctx, j)
		if err != nil && s.Failed != nil && ctx.Err() == nil {
			o.err, err = err, nil
		}
		return o, err
	}, func(j Job[P], o outcome) error {
		if o.err != nil {
			return s.Failed(j, o.err)
		}
		return done(j, o.found)
	})
}

// One searches one job when a searcher is idle. A search that panics returns an error, and its
// searcher is replaced, as it may be in any state.
func (s *Searchers[P]) One(ctx context.Context, j Job[P]) (a Answer, err error) {
	searcher := <-s.idle
	defer func() {
		if p := recover(); p != nil {
			a, err = Answer{}, fmt.Errorf("position %v: the search panicked: %s", j.Position, wording.Short(fmt.Sprint(p)))
			searcher.Close()
			searcher = s.make()
		}
		s.idle <- searcher
	}()
	searcher.Clear()
	r, err := searcher.Search(ctx, j.Position, nil, j.Limits, search.Query{})
	if err != nil { // perhaps cut short
		return a, err
	}
	return AnswerOf(r), nil
}

// Searcher searches one position at a time: by the engine's own search ([Own]), or by another
// program ([Spec.Program]). It is not safe for concurrent use.
type Searcher[P any] interface {
	// Clear forgets earlier searches.
	Clear()
	// Search is that of [search.Searcher]. It returns the context's error with the result found so
	// far, an error if a file of the engine was changed, or the repeated fault of the program.
	Search(ctx context.Context, p P, history []P, lim search.Limits, q search.Query) (search.Result, error)
	// Close ends its processes until the next search.
	Close()
}

// Own makes a Searcher of the engine's own search.
func Own[P search.Position[P]](s *search.Searcher[P]) Searcher[P] { return own[P]{s} }

type own[P search.Position[P]] struct{ *search.Searcher[P] }

func (s own[P]) Search(ctx context.Context, p P, history []P, lim search.Limits, q search.Query) (search.Result, error) {
	return s.Searcher.Search(ctx, p, history, lim, q), ctx.Err()
}

func (own[P]) Close() {}

// checked is a searcher of an engine whose files may change meanwhile.
type checked[P any] struct {
	Searcher[P]
	files func() error
}

func (s checked[P]) Search(ctx context.Context, p P, history []P, lim search.Limits, q search.Query) (search.Result, error) {
	r, err := s.Searcher.Search(ctx, p, history, lim, q)
	return r, cmp.Or(err, s.files())
}
