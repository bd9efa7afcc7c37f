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
	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/internal/spec"
)

// DeepenRequest configures the new searches of a book's leaves.
type DeepenRequest struct {
	By       engine.Spec // searcher
	Rules    oware.Rules
	Root     oware.Position    // an entry of the book, where the lines begin
	Loss     float64           `name:"loss" default:"0.5" range:"0..96" help:"most seeds that a move of a line may lose"`
	Total    float64           `name:"total_loss" default:"1" range:"0..96" help:"most seeds that all moves of a line together may lose"`
	Round    int               `name:"round" default:"64" range:"1..4096" help:"leaves searched between updates of the values; the book depends on this, not on --workers"`
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
func (d DeepenRequest) Check() error { return spec.Check(&d) }

// Deepened is the summary of a second pass.
type Deepened struct {
	Entries  int                 `json:"entries"`
	Searched int                 `json:"searched"` // leaves searched
	Visited  int64               `json:"visited"`  // positions visited by these searches
	Left     int                 `json:"left"`     // leaves on the lines without a new value
	Scores   [oware.Houses]int16 `json:"scores"`   // points where the lines begin, by house; -32768 for an illegal move
	Ended    Reason              `json:"ended"`
}

// Doc describes the book at a path, searched again as requested.
func (d Deepened) Doc(out string, req DeepenRequest) *doc.Doc {
	return &doc.Doc{
		Value: d, Title: fmt.Sprintf("%d entries in %s; ended: %s", d.Entries, out, d.Ended),
		Facts: doc.Facts(
			"where the lines begin", book.ScoresText(d.Scores, req.Root.ToMove()),
			"searched again", fmt.Sprintf("%d leaves, %d million positions visited", d.Searched, d.Visited/1e6),
			"left", fmt.Sprintf("%d leaves on the lines", d.Left),
			"to resume, keep", req.Log),
	}
}

// allSearched ends a second pass: no leaf on the lines is left, so the values are stable.
const allSearched Reason = "every leaf on the lines is searched"

// Deepen searches the leaves on the lines of play within the limits of req again, until none is
// left, and writes the book with its new values to out. A new value may bring other lines within the
// limits. Progress counts the leaves searched, out of those on the lines by the values so far. When
// the context ends, or a limit of the work is reached, it writes the book with the finished rounds;
// another call resumes from the log.
func Deepen(
	ctx context.Context, b *book.Book, req DeepenRequest, out string, progress parallel.Progress,
) (sum Deepened, err error) {
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
	return deepen(ctx, b, req, from, out, progress)
}

// deepening works in rounds of leaves.
type deepening struct {
	*searches
	req      DeepenRequest
	deep     *book.Deepening
	progress parallel.Progress
	sum      Deepened
}

// deepen is Deepen with the source of its searches.
func deepen(
	ctx context.Context, b *book.Book, req DeepenRequest, from source, out string, progress parallel.Progress,
) (sum Deepened, err error) {
	lines := book.Lines{Root: req.Root, Loss: points(centi(req.Loss)), Total: points(centi(req.Total))}
	deep, err := book.Deepen(ctx, b, from.rules, from.prober, lines)
	if err != nil {
		return sum, err
	}
	s, err := openSearches(from, req.Round)
	if err != nil {
		return sum, err
	}
	w := &deepening{searches: s, req: req, deep: deep, progress: progress}
	reason, err := w.run(ctx, req.Time.Duration, w.rounds)
	if reason == "" || w.sum.Searched == 0 && err != nil {
		return sum, err
	}
	if reason == interrupted {
		err = fmt.Errorf("stopped after %d leaves: %w", w.sum.Searched, err)
	}
	sum = w.sum
	_, sum.Left = deep.Next(0)
	sum.Ended = reason
	sum.Scores = deep.At()
	sum.Entries = len(deep.Entries())
	return sum, errors.Join(err, book.Write(out, w.header(), deep.Entries()))
}

// centi converts seeds to centi-seeds.
func centi(seeds float64) int { return int(100*seeds + 0.5) }

// rounds works until there is a reason to stop.
func (w *deepening) rounds(ctx context.Context) (reason Reason, err error) {
	for reason == "" && err == nil {
		reason, err = w.round(ctx)
	}
	return reason, err
}

// round searches some leaves and updates the values of the book. It returns a reason if there are
// none to search.
func (w *deepening) round(ctx context.Context) (Reason, error) {
	most := w.req.Round
	if w.req.Searches > 0 {
		most = min(most, w.req.Searches-w.sum.Searched)
	}
	leaves, left := w.deep.Next(most)
	switch {
	case left == 0:
		return allSearched, nil
	case len(leaves) == 0:
		return atEvaluations, nil
	}
	for _, p := range leaves {
		if err := w.ask(p); err != nil {
			return "", err
		}
	}
	values := map[int64]int{}
	for k, p := range leaves {
		if w.began {
			w.progress.Note(int64(w.sum.Searched+k), int64(w.sum.Searched+left), bestText(w.deep.At(), w.req.Root.ToMove()))
		}
		if err := w.await(ctx, p); err != nil {
			return "", err
		}
		f := w.results[p.BookKey()]
		w.sum.Visited += f.nodes
		values[p.BookKey()] = points(int(f.score))
	}
	w.deep.Set(values)
	w.sum.Searched += len(leaves)
	return "", nil
}

// header returns the header of the new book, with a record of the pass.
func (w *deepening) header() book.Header {
	limits := limitsText(w.limits)
	h := w.deep.Header()
	text := fmt.Sprintf("%d leaves, %s, on lines from %s that lose up to %s seeds per move and %s in total, rounds of %d; %s; %s",
		w.sum.Searched, limits, w.req.Root, decimal(w.req.Loss), decimal(w.req.Total), w.req.Round, w.engine, revision.Get())
	h.Fields = append(h.Fields, book.Field{Name: book.FieldDeepened, Value: strings.TrimSpace(text)})
	if w.req.Made != "" {
		h.Fields = append(h.Fields, book.Field{Name: book.FieldMade, Value: w.req.Made})
	}
	return h
}
