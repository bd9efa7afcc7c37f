package engine

import (
	"cmp"
	"context"

	"kroo/engine/search"
)

// Searcher searches one position after the other: by the engine's own search ([Own]), or
// by another program in its place ([Spec.Program]). It is for one goroutine at a time.
type Searcher[P any] interface {
	// Clear makes it forget the searches before.
	Clear()
	// Search is that of [search.Searcher]. An error is the context's, whose result is what
	// was found so far; says that a file of the engine was changed; or is what the
	// program has done wrong, again and again.
	Search(ctx context.Context, p P, history []P, lim search.Limits, q search.Query) (search.Result, error)
	// Close ends what runs for it until its next search.
	Close()
}

// Own makes a Searcher of the engine's own search.
func Own[P search.Position[P]](s *search.Searcher[P]) Searcher[P] { return own[P]{s} }

type own[P search.Position[P]] struct{ *search.Searcher[P] }

func (s own[P]) Search(ctx context.Context, p P, history []P, lim search.Limits, q search.Query) (search.Result, error) {
	return s.Searcher.Search(ctx, p, history, lim, q), ctx.Err()
}

func (own[P]) Close() {}

// checked is a searcher of an engine whose files may be changed meanwhile.
type checked[P any] struct {
	Searcher[P]
	files func() error
}

func (s checked[P]) Search(ctx context.Context, p P, history []P, lim search.Limits, q search.Query) (search.Result, error) {
	r, err := s.Searcher.Search(ctx, p, history, lim, q)
	return r, cmp.Or(err, s.files())
}
