package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
	"kroo/internal/wording"
	"kroo/match/elo"
)

// playGame plays a game of a pair from its opening; slots are by side. A player's fault loses the
// game; the error is that of the context.
func (m *match[P]) playGame(ctx context.Context, number int, opening Opening[P],
	slots [2]*slot[P], control [2]engine.TimeControl) (gameLog, error) {
	l, err := opening.line(m.Game)
	if err != nil {
		return gameLog{}, err
	}
	var log gameLog
	for side, s := range slots {
		if err := s.newGame(ctx, m.gameSeed(number, side)); err != nil {
			log.Forfeit = &forfeit{side, wording.Short(err.Error())}
			return log, ctx.Err()
		}
	}
	clock := newClock(control, m.Margin.Duration)
	for !m.isFinished(l, log.Answers) {
		side := m.Game.SideToMove(l.Position())
		answer, err := slots[side].askTimed(ctx, clock, side, l)
		if ctx.Err() != nil {
			return log, ctx.Err()
		}
		if err != nil {
			log.Forfeit = &forfeit{side, wording.Short(err.Error())}
			return log, nil
		}
		log.Answers = append(log.Answers, m.recordedPart(answer))
	}
	return log, nil
}

// gameSeed is the seed of a side's random draws in a game; games are numbered from 0, two per pair.
func (m *match[P]) gameSeed(number, side int) uint64 {
	return rand.NewPCG(m.Seed, uint64(2*number+side)).Uint64()
}

// recordedPart returns what records keep of an answer: only the move if it is from a book, and the time
// only if wanted.
func (m *match[P]) recordedPart(a engine.Answer) engine.Answer {
	if a.Book {
		a = engine.Answer{Move: a.Move, HasMove: true, Book: true, Time: a.Time}
	}
	a.Time = a.Time.Truncate(time.Microsecond)
	if !m.MoveTimes {
		a.Time = 0
	}
	return a
}

// replay checks a game and returns its final position.
func (m *match[P]) replay(opening Opening[P], log gameLog) (*games.Line[P], error) {
	l, err := opening.line(m.Game)
	if err != nil {
		return nil, err
	}
	for i, a := range log.Answers {
		if m.isFinished(l, log.Answers[:i]) {
			return nil, fmt.Errorf("ply %d: a move after the end", l.Plies()+1)
		}
		if err := l.Play(a.Move); err != nil {
			return nil, fmt.Errorf("ply %d: %w", l.Plies()+1, err)
		}
	}
	switch f := log.Forfeit; {
	case f == nil && !m.isFinished(l, log.Answers):
		return nil, errors.New("the game is not finished")
	case f != nil && (m.isFinished(l, log.Answers) || f.Side < 0 || f.Side > 1 || f.Reason != wording.Short(f.Reason)):
		return nil, fmt.Errorf("impossible forfeit: side %d, reason %q", f.Side, f.Reason)
	}
	return l, nil
}

// termination is why a game ended: by the rules, with their [games.Reason], or as below.
type termination string

const (
	endByForfeit termination = "forfeit" // of a player; its reason is in the log
	endByTables  termination = "adjudication by table"
	endByScores  termination = "adjudication by score" // reported by both players
	endByPlies   termination = "adjudication"          // at [Config.MaxPlies], by the lead
	endOfOpening termination = "unterminated"          // of a suite, as in PGN
)

// verdict is the result of a finished game.
type verdict struct {
	Diff        int // in the game's units, first side minus second; 0 if unknown
	HalfPoints  int // the first side's
	Termination termination
}

// ending returns the verdict on a game without a forfeit; over is false before the end. A game may satisfy several
// conditions at once: a capture that wins by the rules can lead to a position of the tables. Then the rules have
// precedence, since they give the final difference.
func (m *match[P]) ending(l *games.Line[P], answers []engine.Answer) (v verdict, over bool) {
	if diff, reason, over := l.Over(); over {
		return verdict{diff, halfPointsOf(diff), termination(reason)}, true
	}
	if halfPoints, ok := m.fromTables(l); ok {
		return verdict{0, halfPoints, endByTables}, true
	}
	if halfPoints, ok := m.fromScores(l, answers); ok {
		return verdict{0, halfPoints, endByScores}, true
	}
	if m.MaxPlies > 0 && l.Plies() >= m.MaxPlies {
		diff := m.tallyLead(l)
		return verdict{diff, halfPointsOf(diff), endByPlies}, true
	}
	return verdict{}, false
}

// isFinished reports whether a game without a forfeit has ended.
func (m *match[P]) isFinished(l *games.Line[P], answers []engine.Answer) bool {
	_, over := m.ending(l, answers)
	return over
}

// judge returns the verdict on a finished game.
func (m *match[P]) judge(l *games.Line[P], log gameLog) verdict {
	if f := log.Forfeit; f != nil {
		return verdict{0, 2 * f.Side, endByForfeit} // the second side's loss is worth 2 to the first
	}
	v, _ := m.ending(l, log.Answers)
	return v
}

// halfPointsOf returns the first side's half-points for a final difference.
func halfPointsOf(diff int) int { return 1 + cmp.Compare(diff, 0) }

// tallyLead is the lead of the first side by the game's count, rounded towards 0; 0 in games without a count.
func (m *match[P]) tallyLead(l *games.Line[P]) int {
	if m.Game.Tally == nil {
		return 0
	}
	first, second := m.Game.Tally(l)
	return int(first - second)
}

// outcomeFor returns a finished game as seen by A, who has the given side.
func (m *match[P]) outcomeFor(side int, l *games.Line[P], log gameLog) elo.Outcome {
	v := m.judge(l, log)
	o := elo.Outcome{
		HalfPoints: v.HalfPoints,
		Diff:       v.Diff,
		NoDiff:     v.Termination == endByTables || v.Termination == endByScores,
	}
	if side == 1 {
		o.HalfPoints = 2 - v.HalfPoints
		o.Diff = -v.Diff
	}
	if log.Forfeit != nil {
		loser := 0 // A
		if log.Forfeit.Side != side {
			loser = 1
		}
		o.Forfeit[loser], o.Reason = true, log.Forfeit.Reason
	}
	return o
}

// errFlag is the forfeit of a player that has run out of time.
var errFlag = errors.New("time")

// clock is the two clocks of a game, by side.
type clock struct {
	control [2]engine.TimeControl
	margin  time.Duration // for both; a clock is set to at least 0 before the next move
	left    [2]time.Duration
	moves   [2]int // made in the period
	now     func() time.Time
}

func newClock(control [2]engine.TimeControl, margin time.Duration) *clock {
	k := &clock{control: control, margin: margin, now: time.Now}
	for side, c := range control {
		k.left[side] = cmp.Or(c.Base, c.Inc)
	}
	return k
}

// start starts the clock of a side, if it has one. The context ends when the flag falls, after
// limit.
func (k *clock) start(
	ctx context.Context, side int,
) (inner context.Context, cancel func(), limit time.Duration, c *client.Clock) {
	if !k.control[side].IsSet() {
		return ctx, func() {}, 0, nil
	}
	limit = k.left[side] + k.margin
	inner, cancel = context.WithTimeout(ctx, limit)
	c = &client.Clock{Left: k.left, Inc: [2]time.Duration{k.control[0].Inc, k.control[1].Inc}}
	if period := k.control[side].Moves; period > 0 {
		c.MovesToGo = period - k.moves[side]
	}
	return inner, cancel, limit, c
}

// stop subtracts the time of a move from the side's clock, and adds what the move earns.
func (k *clock) stop(side int, took time.Duration) {
	control := k.control[side]
	if !control.IsSet() {
		return
	}
	k.left[side] = max(0, k.left[side]-took) + control.Inc
	k.moves[side]++
	if k.moves[side] == control.Moves {
		k.left[side] += control.Base
		k.moves[side] = 0
	}
}

// slot is a player, replaced when it panics, since it may be in any state.
type slot[P search.Position[P]] struct {
	make   func() engine.Mover[P]
	player engine.Mover[P]
}

// guard turns a panic of the player into an error.
func (s *slot[P]) guard(err *error) {
	if p := recover(); p != nil {
		s.close()
		*err = fmt.Errorf("panic: %v", p)
	}
}

// close drops the player.
func (s *slot[P]) close() {
	defer func() { _ = recover() }() // ignore panics of a broken player
	if p := s.player; p != nil {
		s.player = nil
		p.Close()
	}
}

// currentPlayer returns the player, a new one if the last was dropped.
func (s *slot[P]) currentPlayer() engine.Mover[P] {
	if s.player == nil {
		s.player = s.make()
	}
	return s.player
}

func (s *slot[P]) newGame(ctx context.Context, seed uint64) (err error) {
	defer s.guard(&err)
	return s.currentPlayer().NewGame(ctx, seed)
}

func (s *slot[P]) move(ctx context.Context, l *games.Line[P], c *client.Clock) (choice engine.Answer, err error) {
	defer s.guard(&err)
	return s.player.Move(ctx, l, c)
}

// askMove makes the player choose one move.
func (s *slot[P]) askMove(ctx context.Context, l *games.Line[P], c *client.Clock) (engine.Answer, error) {
	p, plies := l.Position(), l.Plies()
	choice, err := s.move(ctx, l, c)
	if l.Position() != p || l.Plies() != plies {
		return choice, errors.New("the player changed the game it was given")
	}
	if err != nil {
		return choice, err
	}
	return choice, l.Play(choice.Move)
}

// askTimed is askMove against the clock of the side, if there is one. The answer's Time is the referee's
// measurement.
func (s *slot[P]) askTimed(ctx context.Context, k *clock, side int, l *games.Line[P]) (engine.Answer, error) {
	inner, cancel, limit, clocks := k.start(ctx, side)
	defer cancel()
	begin := k.now()
	choice, err := s.askMove(inner, l, clocks)
	choice.Time = k.now().Sub(begin)
	if limit > 0 && (choice.Time > limit || err != nil && inner.Err() != nil && ctx.Err() == nil) {
		return choice, errFlag
	}
	k.stop(side, choice.Time)
	return choice, err
}
