package dropout

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"kroo/engine"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/journal"
	"kroo/internal/parallel"
)

// Build expands the graph of a book until cfg.Stop is reached. Progress counts the entries of the
// book.
//
// With a log it reuses the searches in the log and appends every search that finishes. So an
// interrupted Build can be called again, possibly with another Stop, and ends with the graph of an
// uninterrupted one. It refuses a log of other searches, and one that another process has open.
//
// When the context ends, Build cancels the searches in flight and returns the graph so far together
// with an error that wraps the context's; on any other error the graph is nil.
func Build(ctx context.Context, cfg Config, pool engine.Pool[oware.Position], progress parallel.Progress) (*Graph, Reason, error) {
	cfg, err := cfg.normal()
	if err != nil {
		return nil, "", err
	}
	b, err := open(cfg)
	if err != nil {
		return nil, "", err
	}
	b.progress = progress
	reason, err := b.run(ctx, pool)
	if cerr := b.log.Close(); err == nil && cerr != nil {
		err = cerr
	}
	switch {
	case err == nil:
		return b.graph, reason, nil
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return b.graph, interrupted, fmt.Errorf("stopped after %d expansions: %w", b.graph.expanded, err)
	default:
		return nil, "", err
	}
}

// builder chooses leaves, keeps cfg.Width of them in flight, and applies their searches strictly in
// the order of the choice. So its next step depends on the configuration and on the results, not on
// their time of arrival.
type builder struct {
	cfg     Config
	graph   *Graph
	log     *journal.Journal[finished]
	results map[int64]found                        // finished searches not in the graph yet
	asked   map[int64]bool                         // positions in the pool, unanswered
	search  func(engine.Job[oware.Position]) error // submits a job
	answers chan finished                          // has room for everything in flight

	progress parallel.Progress
	begin    time.Time
	noted    time.Time // time of the note
	note     string
	asking   bool // a search was requested: the log has been read

	flight  []index // leaves in flight, in the order of the choice
	covered int     // finished positions of Config.Cover
}

// errReached ends the searches of a finished expansion.
var errReached = errors.New("there is a reason to stop")

// run works until there is a reason to stop. The expansion itself is the feed of the searches: it
// requests those of the leaves that it chooses, and waits for the answers that it needs to continue.
func (b *builder) run(ctx context.Context, pool engine.Pool[oware.Position]) (reason Reason, err error) {
	b.begin = time.Now()
	inner := ctx
	if b.cfg.Stop.Time.Duration > 0 {
		var cancel context.CancelFunc
		inner, cancel = context.WithTimeout(ctx, b.cfg.Stop.Time.Duration)
		defer cancel()
	}
	err = b.feed(inner, pool, func(ctx context.Context) (err error) {
		if reason, err = b.expandAll(ctx); err == nil {
			err = errReached
		}
		return err
	})
	if inner.Err() != nil && ctx.Err() == nil && errors.Is(err, inner.Err()) {
		reason, err = atTime, nil
	}
	b.release()
	return reason, err
}

// feed runs the searches that work requests, and returns when work does; [errReached] from work is
// not an error.
func (b *builder) feed(ctx context.Context, pool engine.Pool[oware.Position], work func(context.Context) error) error {
	err := pool.Search(ctx, func(ctx context.Context, ask func(engine.Job[oware.Position]) error) error {
		b.search = ask
		return work(ctx)
	}, func(j engine.Job[oware.Position], a engine.Answer) error {
		b.answers <- finished{j.Position, a}
		return nil
	})
	switch {
	case err == nil:
		err = errors.New("the pool has not answered")
	case errors.Is(err, errReached):
		err = nil
	}
	for len(b.answers) > 0 { // keep searches that finished before the end
		err = errors.Join(err, b.take(<-b.answers))
	}
	return err
}

func (b *builder) expandAll(ctx context.Context) (Reason, error) {
	if err := b.addRoot(ctx); err != nil {
		return "", err
	}
	for {
		if reason := b.cfg.Stop.reached(b.counters()); reason != "" {
			return reason, nil
		}
		if err := b.fill(); err != nil {
			return "", err
		}
		if len(b.flight) == 0 {
			return nothingLeft, nil
		}
		if err := b.await(ctx, b.flight[0]); err != nil {
			return "", err
		}
		b.apply()
	}
}

// addRoot adds the root.
func (b *builder) addRoot(ctx context.Context) error {
	if b.graph.nodes.len() > 0 {
		return nil
	}
	if err := b.ask(b.cfg.Root); err != nil {
		return err
	}
	if err := b.receive(ctx, b.cfg.Root); err != nil {
		return err
	}
	b.graph.add(b.cfg.Root, takeResult(b.cfg.Root, b.results))
	return nil
}

// fill chooses leaves, each as if the earlier ones were expanded already, until enough are in
// flight.
func (b *builder) fill() error {
	for len(b.flight) < b.cfg.Width && !b.capped() {
		leaf, ok := b.choose()
		if !ok {
			return nil
		}
		b.graph.setChosen(leaf, true)
		b.flight = append(b.flight, leaf)
		if err := b.askChildren(leaf); err != nil {
			return err
		}
	}
	return nil
}

// capped reports whether the leaves in flight complete the expansions.
func (b *builder) capped() bool {
	return b.cfg.Stop.Expansions > 0 && b.graph.expanded+len(b.flight) >= b.cfg.Stop.Expansions
}

// choose picks the next leaf. If one side has nothing to expand, the other takes its turn.
func (b *builder) choose() (leaf index, ok bool) {
	leaf, ok, wait := b.cover()
	if ok || wait {
		return leaf, ok
	}
	for _, side := range b.turns() {
		if leaf, _, ok = b.graph.choose(side); ok {
			break
		}
	}
	return leaf, ok
}

// turns returns the players of the book, the one whose turn it is first.
func (b *builder) turns() []oware.Side {
	players := b.cfg.Sides.Players()
	first := (b.graph.expanded + len(b.flight)) % len(players)
	return append(slices.Clone(players[first:]), players[:first]...)
}

// await returns when everything that expand needs has arrived.
func (b *builder) await(ctx context.Context, leaf index) error {
	n := b.graph.nodes.at(leaf)
	for set := n.legal; set != 0; set &= set - 1 {
		child := n.pos.Play(oware.Move(bits.TrailingZeros8(set)))
		if err := b.receive(ctx, child); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// apply expands the oldest leaf in flight.
func (b *builder) apply() {
	leaf := b.flight[0]
	b.flight = append(b.flight[:0], b.flight[1:]...)
	b.graph.expand(leaf, b.results)
	if b.asking {
		b.report()
	}
}

// release makes the leaves in flight available again.
func (b *builder) release() {
	for _, leaf := range b.flight {
		b.graph.setChosen(leaf, false)
	}
	b.flight = nil
}

func (b *builder) counters() counters {
	g := b.graph
	return counters{Expanded: g.expanded, Searched: g.searched, Solved: g.nodes.at(0).outcome.decided()}
}

// Cover lists the positions of lines for [Config].Cover: those before each of the first plies moves
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

// cover picks the next leaf of Config.Cover. wait is true if the position may enter the graph
// through a leaf in flight. Positions that do not enter the graph, or are proven, are skipped.
func (b *builder) cover() (leaf index, ok, wait bool) {
	for b.covered < len(b.cfg.Cover) {
		i, there := b.graph.find(b.cfg.Cover[b.covered])
		if !there && len(b.flight) > 0 {
			return 0, false, true
		}
		b.covered++
		if there && !b.graph.nodes.at(i).is(expanded|proven|chosen) {
			return i, true, false
		}
	}
	return 0, false, false
}
