package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/parallel"
)

// Config says what is played.
type Config struct {
	Rules        oware.Rules
	Pairs        int    // pairs of games, at least 1
	OpeningPlies int    // random moves before the players', 0 to 40
	Seed         uint64 // of the openings
	// Openings are played in order, one a pair, instead of random ones;
	// OpeningPlies and Seed must then be 0. More pairs than openings are an
	// error unless RepeatOpenings lets them begin again from the first:
	// reproducible players then only play the same games again.
	Openings       []Opening
	RepeatOpenings bool
	Concurrency    int // pairs played at a time; 0 means runtime.GOMAXPROCS
	// MaxPlies adjudicates games at that ply, opening included, by the stores.
	// 0 lets the rules end them all, which they do: by repetition at last.
	MaxPlies int
	// AdjudicateWin and AdjudicateDraw end games that both players think are
	// settled. Zero values leave them to the rules. The seed difference of
	// such a game is not known: its pair is left out of that statistic.
	AdjudicateWin  AdjudicateWin
	AdjudicateDraw AdjudicateDraw
	// AdjudicateTable, if not nil, ends games that it decides, as soon as a
	// capture leads to such a position. TableName tells tables apart in the log.
	AdjudicateTable search.Prober[oware.Position]
	TableName       string
	// TimeControl puts both players under clocks: who oversteps the time loses,
	// a forfeit by "time". Such a match is not reproducible.
	TimeControl TimeControl
	// TimeControlB, if not zero, is the one of player B: time odds.
	TimeControlB TimeControl
	// MoveTimes records the time of each move, which makes the records of
	// reproducible players differ from one match to the next.
	MoveTimes bool
	// Test, if not nil, ends the match as soon as it is decided. Pairs count in
	// their order, so that the decision does not depend on Concurrency: pairs
	// finished ahead of the deciding one are left out of the result. It is no
	// part of the log: a match may go on under another test.
	Test *Test
	// Limits says what the players were allowed ("nodes 20000"), for the games'
	// Limits tag. It binds nobody, but a log with other limits is refused.
	Limits string
	// Log is the file that each finished pair is appended to, "" for none. If
	// it is there already, the match goes on from it. It must be of the same
	// match but may be of more pairs or fewer.
	Log string
}

// Result is a match, or what was finished of it.
type Result struct {
	Score Score
	A, B  string // names of the players
	// Verdict and LLR are those of Config.Test; without one, "" and 0.
	Verdict Verdict
	LLR     float64
	// Games are in order of pairs, whatever the order they were played in: two
	// a pair, in the first of which A is South.
	Games []oware.Record
}

// Progress is told, never twice at a time, that done of total pairs are
// finished, and the score so far.
type Progress func(done, total int64, score Score)

// Play plays a match. newA and newB make the players, which must be
// independent of each other: one of each for every pair in play, and another
// for one that panicked. Progress may be nil.
//
// When the context is done, Play returns its error along with the finished
// pairs. Other errors come without a result.
func Play(ctx context.Context, cfg Config, newA, newB func() Player, progress Progress) (*Result, error) {
	if newA == nil || newB == nil {
		return nil, errors.New("match: a player is missing")
	}
	if err := cfg.check(); err != nil {
		return nil, err
	}
	openings, err := cfg.openings()
	if err != nil {
		return nil, err
	}
	tables, err := cfg.seats(newA, newB)
	if err != nil {
		return nil, err
	}
	defer closePlayers(tables)
	m := &match{
		Config:   cfg,
		openings: openings,
		a:        tables[0][0].player.Name(),
		b:        tables[0][1].player.Name(),
		records:  make([][]oware.Record, cfg.Pairs),
		outcomes: make([][2]outcome, cfg.Pairs),
		progress: progress,
	}
	if err := m.play(ctx, tables); err != nil {
		if ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
			return nil, err
		}
		return m.result(), err
	}
	return m.result(), nil
}

func (c *Config) check() error {
	switch {
	case c.Rules > oware.Simple:
		return fmt.Errorf("match: unknown rules %s", c.Rules)
	case c.Pairs < 1:
		return fmt.Errorf("match: %d pairs: expected at least 1", c.Pairs)
	case c.Concurrency < 0:
		return fmt.Errorf("match: concurrency %d: expected 0 (one pair a processor) or more", c.Concurrency)
	case c.MaxPlies != 0 && c.MaxPlies <= c.OpeningPlies:
		return fmt.Errorf("match: at most %d plies: expected 0 (no maximum) or more than the opening's %d", c.MaxPlies, c.OpeningPlies)
	case c.Limits != oneLine(c.Limits):
		return fmt.Errorf("match: limits %q: expected a line of at most 300 bytes of printable text", c.Limits)
	}
	if c.Test != nil {
		if err := c.Test.Check(); err != nil {
			return err
		}
	}
	return cmp.Or(c.AdjudicateWin.check(), c.AdjudicateDraw.check(), c.TimeControl.check(), c.TimeControlB.check())
}

// seats makes two players for each pair that is to be played at a time.
func (c *Config) seats(newA, newB func() Player) ([][2]*seat, error) {
	tables := make([][2]*seat, min(parallel.Workers(c.Concurrency), c.Pairs))
	for i := range tables {
		tables[i] = [2]*seat{{newA, newA(), c.TimeControl}, {newB, newB(), cmp.Or(c.TimeControlB, c.TimeControl)}}
		for _, s := range tables[i] {
			if s.player == nil {
				return nil, errors.New("match: a player is missing")
			}
			if name := s.player.Name(); name == "" || name != oneLine(name) {
				return nil, fmt.Errorf("match: player name %q: expected a line of 1 to 300 bytes of printable text", name)
			}
		}
	}
	return tables, nil
}

func closePlayers(tables [][2]*seat) {
	for _, t := range tables {
		for _, s := range t {
			s.close()
		}
	}
}

// match is a match in progress.
type match struct {
	Config
	openings []Opening
	a, b     string
	records  [][]oware.Record // of each finished pair
	outcomes [][2]outcome     // of the same
	inOrder  Score            // of the first pairs up to one that is not finished
	counted  int              // how many those are
	verdict  Verdict          // of the test on them
	done     int64
	score    Score
	progress Progress
}

func (m *match) play(ctx context.Context, tables [][2]*seat) (err error) {
	log, err := openJournal(m.Log, m.header(m.a, m.b), m.count)
	if err != nil {
		return err
	}
	defer func() {
		if closing := log.Close(); err == nil {
			err = wrap(closing)
		}
	}()
	if m.done > 0 {
		m.report()
	}
	if m.decided() {
		return nil
	}
	err = m.run(ctx, tables, func(p pairLog) error {
		if err := m.count(p); err != nil {
			return wrap(err)
		}
		if err := log.Append(p); err != nil { // a killed process does not lose it
			return wrap(err)
		}
		m.report()
		if m.decided() {
			return errDecided
		}
		return nil
	})
	if errors.Is(err, errDecided) {
		err = nil
	}
	return err
}

// errDecided ends the playing when the test has its verdict.
var errDecided = errors.New("decided")

func (m *match) decided() bool { return m.verdict == AcceptedH0 || m.verdict == AcceptedH1 }

// advance moves the test on over the pairs that are finished in order.
func (m *match) advance() {
	for m.Test != nil && !m.decided() && m.counted < m.Pairs && m.records[m.counted] != nil {
		m.inOrder.add(m.outcomes[m.counted])
		m.counted++
		m.verdict = m.Test.Decide(m.Test.LLR(m.inOrder.Pairs))
	}
}

func (m *match) report() {
	if m.progress != nil {
		m.progress(m.done, int64(m.Pairs), m.score)
	}
}

// count adds a finished pair, just played or from the log. Replaying both
// makes a match that was resumed the same as one that was not.
func (m *match) count(p pairLog) error {
	switch {
	case p.Pair < 0:
		return fmt.Errorf("pair %d: expected 0 or more", p.Pair)
	case p.Pair >= m.Pairs: // of a longer match
		return nil
	case m.records[p.Pair] != nil:
		return fmt.Errorf("pair %d: there twice", p.Pair)
	}
	var outcomes [2]outcome
	var records []oware.Record
	for i, log := range p.Games {
		g, err := m.replay(m.openings[p.Pair], log)
		if err != nil {
			return fmt.Errorf("pair %d, game %d: %w", p.Pair, i, err)
		}
		a := oware.Side(i)
		outcomes[i] = m.outcomeFor(a, g, log)
		records = append(records, m.record(g, log, a, fmt.Sprintf("%d.%d", p.Pair+1, i+1)))
	}
	m.records[p.Pair], m.outcomes[p.Pair] = records, outcomes
	m.score.add(outcomes)
	m.done++
	m.advance()
	return nil
}

func (m *match) result() *Result {
	r := &Result{Score: m.score, A: m.a, B: m.b, Verdict: m.verdict}
	records := m.records
	if m.decided() {
		r.Score, records = m.inOrder, records[:m.counted]
	}
	if m.Test != nil {
		r.LLR = m.Test.LLR(r.Score.Pairs)
	}
	for _, games := range records {
		r.Games = append(r.Games, games...)
	}
	return r
}

// run plays the pairs that have no record yet, one at a time at each table,
// and hands them to finished in this goroutine.
func (m *match) run(ctx context.Context, tables [][2]*seat, finished func(pairLog) error) error {
	var todo []int
	for i, games := range m.records {
		if games == nil {
			todo = append(todo, i)
		}
	}
	return parallel.Collect(ctx, len(tables), len(todo), func(ctx context.Context, table, i int) (pairLog, error) {
		return m.playPair(ctx, todo[i], tables[table])
	}, func(_ int, p pairLog) error { return finished(p) })
}

// playPair plays the two games of a pair; table is A and B.
func (m *match) playPair(ctx context.Context, pair int, table [2]*seat) (p pairLog, err error) {
	p.Pair = pair
	for i := range p.Games {
		seats := [2]*seat{table[i], table[1-i]}
		if p.Games[i], err = m.playGame(ctx, m.openings[pair], seats); err != nil {
			return p, err
		}
	}
	return p, nil
}
