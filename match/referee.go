package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/journal"
	"kroo/internal/parallel"
	"kroo/internal/wording"
	"kroo/match/elo"
)

// referee runs a match.
type referee[P search.Position[P]] struct {
	match[P]
	rules    string
	openings []Opening[P]
	pairs    []*finishedPair[P] // nil until they are finished
	inOrder  elo.Score          // of the first pairs, up to an unfinished one
	counted  int                // number of these pairs
	decision elo.Verdict        // of the test on them
	done     int64
	score    elo.Score
	each     func(done int64, score elo.Score)
	again    atomic.Int64 // games replayed
}

// finishedPair is a pair of games and its contribution to the result.
type finishedPair[P search.Position[P]] struct {
	records  [2]games.Record[P]
	outcomes [2]elo.Outcome
	book     bookUse
}

// bookUse counts moves from books, for A and B, and the plies of games until the last of them, not
// counting openings.
type bookUse struct {
	moves [2]int
	plies int
}

// add counts a game. After the opening the side first moves, and A has the side a; both are taken
// modulo 2.
func (u *bookUse) add(log gameLog, first, a int) {
	last := 0
	for ply, n := range log.Answers {
		if n.Book {
			u.moves[(first+ply+a)%2]++
			last = ply + 1
		}
	}
	u.plies += last
}

func (r *referee[P]) play(ctx context.Context, boards []board[P]) (err error) {
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
	if r.decided() {
		return nil
	}
	run := r.run
	if r.Farm != nil {
		run = r.runRemote
	}
	err = run(ctx, boards, func(p pairLog) error {
		if err := r.count(p); err != nil {
			return impossiblePair{err}
		}
		if err := log.Append(p); err != nil { // survives kill
			return err
		}
		r.report()
		if r.decided() {
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

func (r *referee[P]) decided() bool {
	return r.decision == elo.AcceptedH0 || r.decision == elo.AcceptedH1
}

// advance updates the test with the pairs finished in order.
func (r *referee[P]) advance() {
	for r.Test.Given() && !r.decided() && r.counted < r.Pairs && r.pairs[r.counted] != nil {
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
	text := fmt.Sprintf("+%d =%d -%d, Elo %s", s.Wins, s.Draws, s.Losses, in.Text(lead, elo.Signed(0)))
	if n := s.Forfeits[0] + s.Forfeits[1]; n > 0 {
		text += ", " + wording.Count(n, "forfeit")
	}
	if test.Given() {
		lower, upper := test.Bounds()
		text += fmt.Sprintf(", LLR %.2f (%.2f to %.2f)", test.LLR(s.Pairs), lower, upper)
	}
	return text
}

// count adds a finished pair, just played or from the log. Both are replayed, so that a resumed
// match equals an uninterrupted one.
func (r *referee[P]) count(p pairLog) error {
	switch {
	case p.Pair < 0:
		return fmt.Errorf("pair %d: expected 0 or more", p.Pair)
	case p.Pair >= r.Pairs: // of a longer match
		return nil
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

// linePlies is the length of the lines that make games one sample, opening included. From the start
// position two thousand games had about fifty.
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
		pair.book.add(log, r.Game.SideToMove(l.Position())+len(log.Answers), i)
	}
	return pair, nil
}

func (r *referee[P]) result() *result[P] {
	res := &result[P]{Score: r.score, A: r.A.Name, B: r.B.Name, Verdict: r.decision, Again: int(r.again.Load()), game: r.Game}
	pairs := r.pairs
	if r.decided() {
		res.Score, pairs = r.inOrder, pairs[:r.counted]
	}
	if r.Test.Given() {
		res.LLR = r.Test.LLR(res.Score.Pairs)
	}
	seen := map[string]bool{}
	for _, pair := range pairs {
		if pair == nil {
			continue
		}
		for i, n := range pair.book.moves {
			res.BookMoves[i] += n
		}
		res.BookPlies += pair.book.plies
		for i, rec := range pair.records {
			res.Games = append(res.Games, rec)
			res.note(pair.outcomes[i], rec.Tag("Round"))
			seen[r.Game.Identity(rec)] = true
			rec.Moves = rec.Moves[:min(linePlies, len(rec.Moves))]
			res.Lines.Add(r.Game.Identity(rec), pair.outcomes[i])
		}
	}
	res.Distinct = len(seen)
	return res
}

// run plays the unfinished pairs, one at a time on each board, and passes them to finished in this
// goroutine.
func (r *referee[P]) run(ctx context.Context, boards []board[P], finished func(pairLog) error) error {
	return parallel.Collect(ctx, len(boards), parallel.List(r.todo()), func(ctx context.Context, worker, pair int) (pairLog, error) {
		return r.playPair(ctx, pair, r.openings[pair], boards[worker])
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
func (r *referee[P]) playPair(ctx context.Context, pair int, opening Opening[P], b board[P]) (p pairLog, err error) {
	p.Pair = pair
	for i := range p.Games {
		seats := [2]*seat[P]{b[i], b[1-i]}
		control := [2]engine.TimeControl{r.control(i), r.control(1 - i)}
		if p.Games[i], err = r.playFairly(ctx, 2*pair+i, opening, seats, control); err != nil {
			return p, err
		}
	}
	for _, e := range []entrant[P]{r.A, r.B} {
		if err := e.err(); err != nil {
			return p, err
		}
	}
	return p, nil
}

// maxReplays is the maximum number of replays before a game counts as it is.
const maxReplays = 5

// playFairly plays a game, and replays it if this program was suspended meanwhile: clocks kept
// running, through no fault of the player to move.
func (r *referee[P]) playFairly(ctx context.Context, number int, opening Opening[P], seats [2]*seat[P], control [2]engine.TimeControl) (log gameLog, err error) {
	stops := continued()
	for range maxReplays {
		before := stops.Load()
		log, err = r.playGame(ctx, number, opening, seats, control)
		if err != nil || !r.MoveTimes && control == ([2]engine.TimeControl{}) {
			return log, err
		}
		if log.Forfeit != nil {
			time.Sleep(resumeDelay)
		}
		if stops.Load() == before {
			return log, nil
		}
		r.again.Add(1)
	}
	return log, nil
}

// resumeDelay is the time until this program notices that it was resumed.
const resumeDelay = 50 * time.Millisecond
