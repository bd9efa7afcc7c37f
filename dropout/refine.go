package dropout

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kroo/book"
	"kroo/engine"
	"kroo/farm"
	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/outline"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/internal/spec"
)

// RefineRequest configures the new searches of a book's leaves.
type RefineRequest struct {
	By       engine.Spec // searcher
	Rules    oware.Rules
	Root     oware.Position    // an entry of the book, where the lines begin
	Loss     float64           `name:"loss" default:"0.5" range:"0..96" help:"most seeds that a move of a line may lose"`
	Total    float64           `name:"total_loss" default:"1" range:"0..96" help:"most seeds that all moves of a line together may lose"`
	PerRound int               `name:"round" default:"64" range:"1..4096" help:"leaves searched between updates of the values; the book depends on this, not on --workers"`
	Searches int               `name:"searches" range:"1.." help:"end after this number of searches, including those in the log (default all)"`
	Time     spec.Duration     `name:"time" help:"end after this time, such as 3h"`
	Workers  int               `name:"workers" range:"0..1024" group:"Search" help:"searches at a time (default one per processor)"`
	Log      string            // file of the finished searches, to resume from
	Made     string            // command for the book's header; "" omits it
	Farm     farm.Network      // of the workers; nil means this machine
	Notice   func(text string) // called with warnings about the values; may be nil
}

// Check returns an error for settings out of range. Those of the searches are checked when the
// engine is made.
func (r RefineRequest) Check() error { return spec.Check(&r) }

// RefineSummary is the summary of a second pass.
type RefineSummary struct {
	Entries  int                 `json:"entries"`
	Searched int                 `json:"searched"` // leaves searched
	Visited  int64               `json:"visited"`  // positions visited by these searches
	Left     int                 `json:"left"`     // leaves on the lines without a new value
	Scores   [oware.Houses]int16 `json:"scores"`   // points where the lines begin, by house; -32768 for an illegal move
	Ended    Reason              `json:"ended"`
}

// Doc describes the book at a path, searched again as requested.
func (s RefineSummary) Doc(out string, req RefineRequest) *outline.Doc {
	return &outline.Doc{
		Value: s, Title: fmt.Sprintf("%s in %s; ended: %s", entriesText(s.Entries), out, s.Ended),
		Facts: outline.Facts(
			"where the lines begin", book.ScoresText(s.Scores, req.Root.ToMove()),
			"searched again", fmt.Sprintf("%d leaves, %s positions visited", s.Searched, visitedText(s.Visited)),
			"left", fmt.Sprintf("%d leaves on the lines", s.Left),
			"to resume, keep", req.Log),
	}
}

// allSearched ends a second pass: no leaf on the lines is left, so the values are stable.
const allSearched Reason = "every leaf on the lines is searched"

// Refine searches the leaves on the lines of play within the limits of req again, until none is
// left, and writes the book with its new values to out. A new value may bring other lines within the
// limits. Progress counts the leaves searched, out of those on the lines by the values so far. When
// the context ends, or a limit of the work is reached, it writes the book with the finished rounds;
// another call resumes from the log.
func Refine(
	ctx context.Context, b *book.Book, req RefineRequest, out string, progress parallel.Progress,
) (sum RefineSummary, err error) {
	if err := errors.Join(atomicfile.Check(out), req.Check()); err != nil {
		return sum, err
	}
	e, err := engine.Open(ctx, engine.Oware(), req.By, req.Rules.String())
	if err != nil {
		return sum, err
	}
	defer e.Close()
	if by := b.Header().Get(book.FieldWeights); req.Notice != nil && by != "" && by != e.Eval.Name {
		req.Notice(fmt.Sprintf("the book has values by %s: those by %s may be on another scale", by, e.Eval.Name))
	}
	from, err := sourceOf(e, req.Farm, req.Workers, req.Searches, req.Log)
	if err != nil {
		return sum, err
	}
	return refine(ctx, b, req, from, out, progress)
}

// refiner works in rounds of leaves.
type refiner struct {
	*searches
	req      RefineRequest
	values   *book.Refinement
	progress parallel.Progress
	sum      RefineSummary
}

// refine is Refine with the source of its searches.
func refine(
	ctx context.Context, b *book.Book, req RefineRequest, from source, out string, progress parallel.Progress,
) (sum RefineSummary, err error) {
	lines := book.Lines{Root: req.Root, Loss: book.Points(req.Loss), Total: book.Points(req.Total)}
	refinement, err := book.Refine(ctx, b, from.rules, from.prober, lines)
	if err != nil {
		return sum, err
	}
	s, err := openSearches(from, req.PerRound)
	if err != nil {
		return sum, err
	}
	r := &refiner{searches: s, req: req, values: refinement, progress: progress}
	reason, err := r.runInPool(ctx, req.Time.Duration, r.rounds)
	if reason == "" || r.sum.Searched == 0 && err != nil {
		return sum, err
	}
	if reason == interrupted {
		err = fmt.Errorf("stopped after %d leaves: %w", r.sum.Searched, err)
	}
	sum = r.sum
	_, sum.Left = refinement.Next(0)
	sum.Ended = reason
	sum.Scores = refinement.At()
	sum.Entries = len(refinement.Entries())
	return sum, errors.Join(err, book.Write(out, r.header(), refinement.Entries()))
}

// rounds works until there is a reason to stop.
func (r *refiner) rounds(ctx context.Context) (reason Reason, err error) {
	for reason == "" && err == nil {
		reason, err = r.round(ctx)
	}
	return reason, err
}

// round searches some leaves and updates the values of the book. It returns a reason if there are
// none to search.
func (r *refiner) round(ctx context.Context) (Reason, error) {
	most := r.req.PerRound
	if r.req.Searches > 0 {
		most = min(most, r.req.Searches-r.sum.Searched)
	}
	leaves, left := r.values.Next(most)
	switch {
	case left == 0:
		return allSearched, nil
	case len(leaves) == 0:
		return atSearches, nil
	}
	for _, p := range leaves {
		if err := r.ask(p); err != nil {
			return "", err
		}
	}
	values := map[int64]int{}
	for k, p := range leaves {
		if r.isLive {
			r.progress.Note(int64(r.sum.Searched+k), int64(r.sum.Searched+left), bestText(r.values.At(), r.req.Root.ToMove()))
		}
		if err := r.await(ctx, p); err != nil {
			return "", err
		}
		f := r.results[p.BookKey()]
		r.sum.Visited += f.nodes
		values[p.BookKey()] = points(int(f.score))
	}
	r.values.Set(values)
	r.sum.Searched += len(leaves)
	return "", nil
}

// header returns the header of the new book, with a record of the pass.
func (r *refiner) header() book.Header {
	limits := limitsText(r.limits)
	h := r.values.Header()
	text := fmt.Sprintf("%d leaves, %s, on lines from %s that lose up to %s seeds per move and %s in total, rounds "+
		"of %d; %s; %s",
		r.sum.Searched, limits, r.req.Root, decimal(r.req.Loss), decimal(r.req.Total), r.req.PerRound, r.engine, revision.Get())
	h.Fields = append(h.Fields, book.Field{Name: book.FieldDeepened, Value: strings.TrimSpace(text)})
	if r.req.Made != "" {
		h.Fields = append(h.Fields, book.Field{Name: book.FieldMade, Value: r.req.Made})
	}
	return h
}
