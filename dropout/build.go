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

// Build expands the graph of a book until cfg.Stop says so. Progress counts the
// entries of the book.
//
// With a log it takes the searches that the log has from there and adds every
// search that finishes, so that an interrupted Build can be called again and
// ends with the graph of an uninterrupted one; so can one be continued with
// another Stop. A log of other searches is refused, and so is one that another
// process has open.
//
// When the context ends, Build gives up the searches in hand and returns the
// graph so far together with an error that wraps the context's; on any other
// error the graph is nil.
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

// builder chooses leaves, keeps cfg.Width of them in flight, and applies their
// searches strictly in the order of the choice. So what it does next depends on
// the configuration and on the results, not on when they came.
type builder struct {
	cfg     Config
	graph   *Graph
	log     *journal.Journal[finished]
	results map[int64]found                        // searches that are not in the graph yet
	asked   map[int64]bool                         // positions that the pool has not answered yet
	search  func(engine.Job[oware.Position]) error // has a job done
	answers chan finished                          // with room for all that is in flight

	progress parallel.Progress
	begin    time.Time
	noted    time.Time // when the note was made
	note     string
	asking   bool // a search was asked for: the log has been read

	flight  []index // leaves in flight, in the order of the choice
	covered int     // positions of Config.Cover that are done
}

// errReached ends the searches of an expansion that is done.
var errReached = errors.New("there is a reason to stop")

// run works until there is a reason to stop. The expansion itself is the feed of the
// searches: it asks for those of the leaves that it chooses, and waits for the answers
// that it needs to continue.
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

// feed has the searches that work asks for done, and returns when work does: without an
// error if that was [errReached].
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
	for len(b.answers) > 0 { // searches that finished before the end
		err = errors.Join(err, b.take(<-b.answers))
	}
	return err
}

func (b *builder) expandAll(ctx context.Context) (Reason, error) {
	if err := b.plant(ctx); err != nil {
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

// plant makes the root.
func (b *builder) plant(ctx context.Context) error {
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

// fill chooses leaves, each as if those before it were gone, until enough are
// in flight.
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

// capped reports whether what is in flight completes the expansions.
func (b *builder) capped() bool {
	return b.cfg.Stop.Expansions > 0 && b.graph.expanded+len(b.flight) >= b.cfg.Stop.Expansions
}

// choose picks the next leaf. A side that has nothing to expand leaves its
// turn to the other.
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

// turns are the players of the book, the one first whose leaf is next.
func (b *builder) turns() []oware.Side {
	players := b.cfg.Sides.Players()
	first := (b.graph.expanded + len(b.flight)) % len(players)
	return append(slices.Clone(players[first:]), players[:first]...)
}

// await returns when all that expand needs is there.
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

// release gives the leaves in flight back.
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

// Cover lists the positions of lines for [Config].Cover: those before each of
// the first plies moves of every record, all of one ply before those of the
// next, each once. The moves must be legal, as those of a record that was read are.
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

// cover picks the next leaf to be expanded because it was asked for. It asks
// to wait if the position may come into the graph by what is in flight. A
// position that does not come into the graph is left out, as is one that is
// proven.
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
