package dropout

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"kroo/book"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/parallel"
)

// Reason is why the growth of a book, or a second pass over it, ended.
type Reason string

// The reasons.
const (
	atExpansions Reason = "expansions"
	atSearches   Reason = "searches"
	atTime       Reason = "time"
	rootSolved   Reason = "the root is solved"
	nothingLeft  Reason = "nothing is left to expand"
	interrupted  Reason = "interrupted"
)

// expansion chooses leaves, keeps Request.Width of them in flight, and applies their searches
// strictly in the order of the choice. So its next step depends on the request and on the results,
// not on their time of arrival.
type expansion struct {
	Request
	*searches
	graph   *graph
	flight  []index // leaves in flight, in the order of the choice
	covered int     // finished positions of Request.Cover

	progress parallel.Progress // counts the entries of the book
	start    time.Time
	noted    time.Time // time of the note
	note     string
}

// newExpansion prepares an expansion that resumes from the log of its searches.
func newExpansion(req Request, from source, progress parallel.Progress) (*expansion, error) {
	s, err := openSearches(from, req.Width*oware.Houses)
	if err != nil {
		return nil, err
	}
	g, err := newGraph(req.Omega, from.prober)
	if err != nil {
		return nil, errors.Join(err, s.file.Close())
	}
	return &expansion{Request: req, searches: s, graph: g, progress: progress, start: time.Now()}, nil
}

// expand expands the graph of a book until a limit of the request is reached.
//
// With a log it reuses the searches in the log and appends every search that finishes. So an
// interrupted expansion can be done again, possibly with another Stop, and ends with the graph of an
// uninterrupted one. It refuses a log of other searches, and one that another process has open.
//
// When the context ends, expand cancels the searches in flight and returns the graph so far together
// with an error that wraps the context's; on any other error the graph is nil.
func expand(ctx context.Context, req Request, from source, progress parallel.Progress) (*graph, Reason, error) {
	x, err := newExpansion(req, from, progress)
	if err != nil {
		return nil, "", err
	}
	reason, err := x.runInPool(ctx, req.Stop.Time.Duration, x.expandAll)
	if reason == "" {
		return nil, "", errors.Join(err, x.graph.release())
	}
	x.landAll()
	if err != nil {
		err = fmt.Errorf("stopped after %d expansions: %w", x.graph.expanded, err)
	}
	return x.graph, reason, err
}

func (x *expansion) expandAll(ctx context.Context) (Reason, error) {
	if err := x.addRoot(ctx); err != nil {
		return "", err
	}
	for {
		if x.isLive {
			x.report()
		}
		if reason := x.reasonToStop(); reason != "" {
			return reason, nil
		}
		replaying := !x.isLive
		if err := x.fill(); err != nil {
			return "", err
		}
		if len(x.flight) == 0 {
			return nothingLeft, nil
		}
		if replaying && x.isLive {
			x.report() // before the first search
		}
		if err := x.expandOldest(ctx); err != nil {
			return "", err
		}
	}
}

func (x *expansion) addRoot(ctx context.Context) error {
	if err := x.ask(x.Root); err != nil {
		return err
	}
	if err := x.await(ctx, x.Root); err != nil {
		return err
	}
	_, err := x.graph.add(x.Root, x.results)
	return err
}

// reasonToStop returns the reason to stop, "" to continue.
func (x *expansion) reasonToStop() Reason {
	switch {
	case x.graph.nodes.at(root).outcome.isDecided():
		return rootSolved
	case x.Expansions > 0 && x.graph.expanded >= x.Expansions:
		return atExpansions
	case x.Stop.Searches > 0 && x.graph.searched >= x.Stop.Searches:
		return atSearches
	}
	return ""
}

// fill chooses leaves, each as if the earlier ones were expanded already, until enough are in
// flight.
func (x *expansion) fill() error {
	for len(x.flight) < x.Width && (x.Expansions == 0 || x.graph.expanded+len(x.flight) < x.Expansions) {
		leaf := x.choose()
		if leaf == 0 {
			return nil
		}
		if err := x.launch(leaf); err != nil {
			return err
		}
	}
	return nil
}

// launch asks for the searches that a leaf needs to be expanded.
func (x *expansion) launch(leaf index) error {
	x.graph.setChosen(leaf, true)
	x.flight = append(x.flight, leaf)
	return x.forNew(leaf, x.ask)
}

// forNew calls do with the positions that the moves of a leaf would add to the graph.
func (x *expansion) forNew(leaf index, do func(oware.Position) error) error {
	for child := range x.graph.nodes.at(leaf).children() {
		if x.graph.find(child) == 0 {
			if err := do(child); err != nil {
				return err
			}
		}
	}
	return nil
}

// choose picks the next leaf, or 0. If one side has nothing to expand, the other
// takes its turn.
func (x *expansion) choose() index {
	leaf, wait := x.cover()
	for _, side := range x.turns() {
		if leaf == 0 && !wait {
			leaf, _ = x.graph.nextLeaf(side)
		}
	}
	return leaf
}

// cover picks the next leaf of Request.Cover. wait is true if the position may enter the graph
// through a leaf in flight. Positions that do not enter the graph, or are proven, are skipped.
func (x *expansion) cover() (leaf index, wait bool) {
	for x.covered < len(x.Cover) {
		i := x.graph.find(x.Cover[x.covered])
		if i == 0 && len(x.flight) > 0 {
			return 0, true
		}
		x.covered++
		if i != 0 && x.graph.nodes.at(i).isFree() {
			return i, false
		}
	}
	return 0, false
}

// turns returns the players of the book, the one whose turn it is first.
func (x *expansion) turns() []oware.Side {
	players := book.Sides(x.Sides).Players()
	first := (x.graph.expanded + len(x.flight)) % len(players)
	return append(slices.Clone(players[first:]), players[:first]...)
}

// expandOldest waits for the searches of the oldest leaf in flight, and expands it.
func (x *expansion) expandOldest(ctx context.Context) error {
	leaf := x.flight[0]
	err := x.forNew(leaf, func(p oware.Position) error { return x.await(ctx, p) })
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	x.flight = append(x.flight[:0], x.flight[1:]...)
	return x.graph.expand(leaf, x.results)
}

// landAll makes the leaves in flight available again.
func (x *expansion) landAll() {
	for _, leaf := range x.flight {
		x.graph.setChosen(leaf, false)
	}
	x.flight = nil
}

// Cover lists the positions of lines for [Request].Cover: those before each of the first plies moves
// of every record, ply by ply, each once. The moves must be legal, as in records that were parsed.
func Cover(records []games.Record[oware.Position], plies int) []oware.Position {
	var list []oware.Position
	listed := map[oware.Position]bool{}
	lines := make([]oware.Position, len(records))
	longest := 0
	for i, r := range records {
		lines[i] = r.Start
		longest = max(longest, len(r.Moves))
	}
	for ply := range min(plies, longest) {
		for i, r := range records {
			if ply >= len(r.Moves) {
				continue
			}
			if p := lines[i]; !listed[p] {
				listed[p] = true
				list = append(list, p)
			}
			lines[i] = lines[i].Play(r.Moves[ply].Move)
		}
	}
	return list
}

// share returns the progress towards the nearest limit, 0 to 1.
func (x *expansion) share(took time.Duration) (share float64) {
	for _, limit := range [][2]float64{
		{float64(x.graph.expanded), float64(x.Expansions)},
		{float64(x.graph.searched), float64(x.Stop.Searches)},
		{float64(took), float64(x.Stop.Time.Duration)},
	} {
		if limit[1] > 0 {
			share = max(share, min(limit[0]/limit[1], 1))
		}
	}
	return share
}

// noteEvery is the interval between progress notes: making one takes as long as a few expansions.
const noteEvery = 200 * time.Millisecond

// report counts entries, out of an estimate of the total at the present rate. Results from the log
// take no time, so the first call is that before the first search.
func (x *expansion) report() {
	if x.progress == nil {
		return
	}
	now := time.Now()
	done := x.graph.expanded
	total := int64(x.Expansions)
	if done > 0 {
		share := x.share(now.Sub(x.start))
		total = int64(math.Round(float64(done) / max(share, 1e-6)))
		if now.Sub(x.noted) >= noteEvery || share == 1 {
			x.note = x.prospect()
			x.noted = now
		}
	}
	x.progress.Note(int64(done), total, x.note)
}

// prospect describes the value of the book so far and the next leaf.
func (x *expansion) prospect() string {
	g, toMove := x.graph, x.Root.ToMove()
	text := bestText(g.rootScores(), toMove)
	if left := len(x.Cover) - x.covered; left > 0 {
		return fmt.Sprintf("%s; %d positions to cover", text, left)
	}
	names := oware.Descriptor().Sides
	for _, side := range x.turns() {
		if leaf, line := g.nextLeaf(side); leaf != 0 {
			priority := float64(g.nodes.at(root).priority[g.rootRole(side)]) / ply
			return fmt.Sprintf("%s; best line %s; next leaf %s of %s's book, priority %.1f",
				text, lineText(g.pv(), toMove), lineText(line, toMove), names[side], priority)
		}
	}
	return text
}

// bestText formats the best move of a side and its value in seeds, "" if no value is known.
func bestText(scores [oware.Houses]int16, side oware.Side) string {
	m, points := book.Entry{Scores: scores}.Best()
	if points == book.Illegal {
		return ""
	}
	return fmt.Sprintf("%s %+.2f", oware.MoveName(m, side), oware.InSeeds(points))
}

// lineText formats moves by their letters.
func lineText(moves []oware.Move, side oware.Side) string {
	var b strings.Builder
	for _, m := range moves {
		b.WriteString(oware.MoveName(m, side))
		side = side.Other()
	}
	return b.String()
}
