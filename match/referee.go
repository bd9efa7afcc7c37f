package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/journal"
	"kroo/internal/parallel"
	"kroo/internal/wording"
	"kroo/match/elo"
)

// referee plays a match.
type referee[P search.Position[P]] struct {
	match[P]
	openings []Opening[P]
	pairs    []*finishedPair[P] // nil until they are finished
	inOrder  elo.Score          // of the first pairs, up to an unfinished one
	counted  int                // number of these pairs
	decision elo.Verdict        // of the test on them
	done     int64
	score    elo.Score
	each     func(done int64, score elo.Score)
}

// finishedPair is a pair of games and its contribution to the result.
type finishedPair[P search.Position[P]] struct {
	records   [2]games.Record[P]
	outcomes  [2]elo.Outcome
	bookMoves [2]int // moves from books, of A and B
	bookPlies int    // of both games until the last of them, not counting openings
}

// result is the games of a match, or of its finished part, and their summary.
type result[P search.Position[P]] struct {
	Summary
	// Games are in the order of pairs, not of play: two per pair; A is the first side in the first
	// of them.
	Games []games.Record[P]
}

// newReferee checks a match and finds its openings.
func newReferee[P search.Position[P]](m match[P]) (*referee[P], error) {
	r := &referee[P]{match: m}
	if err := r.complete(); err != nil {
		return nil, err
	}
	r.pairs = make([]*finishedPair[P], r.Pairs)
	var err error
	r.openings, err = r.findOpenings()
	return r, err
}

// runMatch plays a match. It calls each, which may be nil, with the number of finished pairs and the
// score so far.
//
// When the context is done, runMatch returns its error along with the finished pairs. On other errors
// the result is nil.
func runMatch[P search.Position[P]](ctx context.Context, m match[P], each func(done int64, score elo.Score)) (*result[P], error) {
	r, err := newReferee(m)
	if err != nil {
		return nil, err
	}
	r.each = each
	if err = r.playUnfinished(ctx); err != nil && (ctx.Err() == nil || !errors.Is(err, ctx.Err())) {
		return nil, err
	}
	return r.result(), err
}

// playUnfinished counts the pairs of the log and plays the others, until the test is decided.
func (r *referee[P]) playUnfinished(ctx context.Context) (err error) {
	if r.Restart != "" {
		if err := journal.Renew(r.Log, journalKind, r.header()); err != nil {
			return err
		}
	}
	log, err := journal.Open(r.Log, journalKind, r.header(), pairCodec, r.count)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, log.Close()) }()
	r.report()
	if r.isDecided() {
		return nil
	}
	playPairs := r.runHere
	if r.Farm != nil {
		playPairs = r.runRemote
	}
	err = playPairs(ctx, func(p pairLog) error {
		if err := r.count(p); err != nil {
			return impossiblePair{err}
		}
		if err := log.Append(p); err != nil { // survives kill
			return err
		}
		r.report()
		if r.isDecided() {
			return errDecided
		}
		return nil
	})
	if errors.Is(err, errDecided) {
		err = nil
	}
	return err
}

// impossiblePair is the error of an invalid pair, which was not counted.
type impossiblePair struct{ error }

func (p impossiblePair) Unwrap() error { return p.error }

// errDecided stops play when the test is decided.
var errDecided = errors.New("decided")

func (r *referee[P]) isDecided() bool {
	return r.decision == elo.AcceptedH0 || r.decision == elo.AcceptedH1
}

// advance updates the test with the pairs finished in order.
func (r *referee[P]) advance() {
	for r.Test.Given() && !r.isDecided() && r.counted < r.Pairs && r.pairs[r.counted] != nil {
		r.inOrder.Add(r.pairs[r.counted].outcomes)
		r.counted++
		r.decision = r.Test.Decide(r.Test.LLR(r.inOrder.Pairs))
	}
}

func (r *referee[P]) report() {
	if r.each != nil {
		r.each(r.done, r.score)
	}
}

// standing is the score so far, for the progress line.
func standing(s elo.Score, test elo.SPRT) string {
	if s.Games() == 0 {
		return "" // not yet
	}
	lead, in := s.Elo()
	text := fmt.Sprintf("+%d =%d -%d, Elo %s", s.Wins, s.Draws, s.Losses, in.Text(lead, elo.SignedFormat(0)))
	if n := s.Forfeits[0] + s.Forfeits[1]; n > 0 {
		text += ", " + wording.Count(n, "forfeit")
	}
	if test.Given() {
		text += fmt.Sprintf(", LLR %.2f (%s)", test.LLR(s.Pairs), boundsText(test))
	}
	return text
}

// boundsText describes the bounds of a test's LLR: "±2.94", or "-2.25 to 2.89" if their errors differ.
func boundsText(test elo.SPRT) string {
	lower, upper := test.LLRBounds()
	if lower == -upper {
		return fmt.Sprintf("±%.2f", upper)
	}
	return fmt.Sprintf("%.2f to %.2f", lower, upper)
}

// count adds a finished pair, just played or from the log. Both are replayed, so that a resumed
// match equals an uninterrupted one.
func (r *referee[P]) count(p pairLog) error {
	switch {
	case p.Pair < 0:
		return fmt.Errorf("pair %d: expected 0 or more", p.Pair)
	case p.Pair >= r.Pairs:
		return fmt.Errorf("pair %d: the match was longer: expected pairs = %d or more", p.Pair, p.Pair+1)
	case r.pairs[p.Pair] != nil:
		return fmt.Errorf("pair %d: appears twice", p.Pair)
	}
	pair, err := r.finish(p)
	if err != nil {
		return err
	}
	r.pairs[p.Pair] = &pair
	r.score.Add(pair.outcomes)
	r.done++
	r.advance()
	return nil
}

// linePlies is the length of the lines that make games one sample, opening included. Two
// thousand games from the start position had about fifty such lines. Random openings are six plies by
// default, so there a line is an opening.
const linePlies = 6

// finish replays a pair and derives its contribution from its moves.
func (r *referee[P]) finish(p pairLog) (pair finishedPair[P], err error) {
	for i, log := range p.Games {
		l, err := r.replay(r.openings[p.Pair], log)
		if err != nil {
			return pair, fmt.Errorf("pair %d, game %d: %w", p.Pair, i, err)
		}
		pair.outcomes[i] = r.outcomeFor(i, l, log)
		pair.records[i] = r.record(l, log, i, fmt.Sprintf("%d.%d", p.Pair+1, i+1))
		before := l.History()[len(l.History())-len(log.Answers):] // the positions that were answered
		last := 0
		for ply, a := range log.Answers {
			if a.Book {
				side := r.Game.SideToMove(before[ply])
				pair.bookMoves[side^i]++ // A has side i
				last = ply + 1
			}
		}
		pair.bookPlies += last
	}
	return pair, nil
}

// result summarises the finished pairs; after a decided test, those that it counted.
func (r *referee[P]) result() *result[P] {
	score, pairs := r.score, r.pairs
	if r.isDecided() {
		score, pairs = r.inOrder, pairs[:r.counted]
	}
	res := &result[P]{Summary: Summary{
		A: r.A.Name, B: r.B.Name, Score: score, TimeControl: controlsText(r.control(0), r.control(1)),
		labels: newLabels([]nameOfPlayer{r.A.nameOfPlayer, r.B.nameOfPlayer}),
	}}
	res.Elo, res.EloInterval = score.Elo()
	res.NElo, res.NEloBar = score.NormalizedElo()
	res.LOS = score.LOS()
	res.Diff, res.DiffBar = score.Diff(2 * float64(r.Game.UnitsPerWin)) // at most from all lost to all won
	if r.Test.Given() {
		res.Verdict, res.LLR = r.decision, r.Test.LLR(score.Pairs)
		res.Test = r.Test.Explain(res.LLR)
	}
	seen := map[string]bool{}
	var lines elo.Lines
	var book [2]int
	plies := 0
	for _, pair := range pairs {
		if pair == nil {
			continue
		}
		book[0] += pair.bookMoves[0]
		book[1] += pair.bookMoves[1]
		plies += pair.bookPlies
		for i, rec := range pair.records {
			res.Games = append(res.Games, rec)
			res.addForfeits(pair.outcomes[i], rec.Tag("Round"))
			seen[r.Game.Identity(rec)] = true
			rec.Moves = rec.Moves[:min(linePlies, len(rec.Moves))]
			lines.Add(r.Game.Identity(rec), pair.outcomes[i])
		}
	}
	res.BookMoves, res.Lines = book[0]+book[1], lines.Len()
	if n := float64(len(res.Games)); n > 0 {
		res.Distinct, res.BookPlies = float64(len(seen))/n, float64(plies)/n
		res.BookMovesA, res.BookMovesB = float64(book[0])/n, float64(book[1])/n
	}
	if in, ok := lines.Interval(); ok {
		res.EloLines = &in
	}
	return res
}

// addForfeits adds the forfeits of a game.
func (s *Summary) addForfeits(o elo.Outcome, round string) {
	for i, name := range []string{s.A, s.B} {
		if !o.Forfeit[i] {
			continue
		}
		at := slices.IndexFunc(s.Forfeits, func(f Forfeits) bool { return f.Player == name })
		if at < 0 {
			at = len(s.Forfeits)
			s.Forfeits = append(s.Forfeits, Forfeits{Player: name, Of: s.Score.Games(), Round: round, Reason: o.Reason})
		}
		s.Forfeits[at].Games++
	}
}

// runHere plays the unfinished pairs on this machine, one at a time in each pair of slots, and passes them to
// finished in this goroutine.
func (r *referee[P]) runHere(ctx context.Context, finished func(pairLog) error) error {
	slots, err := r.openSlots(min(parallel.Workers(r.Concurrency), r.Pairs))
	if err != nil {
		return err
	}
	defer closePlayers(slots)
	return parallel.Collect(ctx, len(slots), parallel.List(r.todo()),
		func(ctx context.Context, worker, pair int) (pairLog, error) {
			return r.playPair(ctx, pair, r.openings[pair], slots[worker])
		}, func(_ int, p pairLog) error { return finished(p) })
}

// todo returns the unfinished pairs.
func (r *referee[P]) todo() (list []int) {
	for i, pair := range r.pairs {
		if pair == nil {
			list = append(list, i)
		}
	}
	return list
}

// playPair plays the two games of a pair.
func (r *referee[P]) playPair(ctx context.Context, pair int, opening Opening[P], s slotPair[P]) (p pairLog, err error) {
	p.Pair = pair
	for i := range p.Games {
		slots := [2]*slot[P]{s[i], s[1-i]}
		control := [2]engine.TimeControl{r.control(i), r.control(1 - i)}
		p.Games[i], err = r.playGame(ctx, 2*pair+i, opening, slots, control)
		if err != nil {
			return p, err
		}
	}
	err = errors.Join(r.A.engine.Err(), r.B.engine.Err())
	if r.Adjudicator != nil {
		err = errors.Join(err, r.Adjudicator.Err())
	}
	return p, err
}
