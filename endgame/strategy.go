package endgame

import (
	"context"
	"fmt"

	"kroo/games/oware"
)

// Strategy plays by what a table promises: at every position it has a move
// that keeps the promise and comes nearer to its fulfilment. The table alone
// does not say which of several good moves makes progress, so a Strategy is
// solved anew, with the order in which positions were decided.
type Strategy struct {
	rules  oware.Rules
	levels []levelValues
	steps  []levelSteps
}

// levelSteps is when each position was decided, by role: a position is safe
// because of others decided earlier, or, for those that stay, at the same time.
type levelSteps [2][]uint32

// NewStrategy solves all positions with up to so many seeds.
func NewStrategy(ctx context.Context, rules oware.Rules, bounds Bounds, seeds int) (*Strategy, error) {
	s := &Strategy{rules: rules}
	for range seeds + 1 {
		steps := levelSteps{}
		l := newLevel(rules, bounds == Sharp, s.levels, 0)
		for role := range steps {
			steps[role] = make([]uint32, len(l.states))
		}
		step := uint32(0)
		l.decided = func(f frontier) {
			step++
			for role, list := range f {
				for _, i := range list {
					steps[role][i] = step
				}
			}
		}
		v, err := l.solve(ctx)
		if err != nil {
			return nil, err
		}
		s.levels, s.steps = append(s.levels, v), append(s.steps, steps)
	}
	return s, nil
}

// Promise is what the player to move, or the other one, is sure of at p: seeds
// of those in play in abapa, a lead of at least 0 under the other rules.
func (s *Strategy) Promise(p oware.Position, other bool) int {
	role := roleOf(other)
	return int(s.levels[p.SeedsInPlay()][role][within(p.Words())])
}

func roleOf(isOther bool) int {
	if isOther {
		return other
	}
	return mover
}

// Move is a move that makes good for the player to move what he is sure of. A
// player who is sure of nothing keeps his opponent to what that one is sure of.
func (s *Strategy) Move(p oware.Position) (oware.Move, error) {
	n := p.SeedsInPlay()
	i := within(p.Words())
	k, step := int(s.levels[n][mover][i]), s.steps[n][mover][i]
	l := &level{rules: s.rules, n: n, lower: s.levels[:n]}
	moves := p.AppendMoves(nil)
	if k == 0 {
		return s.defend(p, l, moves, int(s.levels[n][other][i]))
	}
	best, earliest := oware.Move(0), uint32(0)
	for _, m := range moves {
		after := p.Play(m)
		if gain := p.Gain(m); gain > 0 {
			if worth, _ := l.captured(after, gain); worth >= k {
				return m, nil
			}
			continue
		}
		j := within(after.Words())
		when := s.steps[n][other][j]
		if int(s.levels[n][other][j]) >= k && when <= step && (earliest == 0 || when < earliest) {
			best, earliest = m, when
		}
	}
	if earliest == 0 {
		return 0, fmt.Errorf("endgame: %s: no move keeps the promise of %d", p, k)
	}
	return best, nil
}

// defend is a move after which the opponent is sure of no more than before.
// Where nobody is ever sure of more than the other leaves him, that is enough:
// a game without end is worth no less to the defender. In abapa there is
// nothing to defend: none of the seeds may be lost already.
func (s *Strategy) defend(p oware.Position, l *level, moves []oware.Move, most int) (oware.Move, error) {
	for _, m := range moves {
		after := p.Play(m)
		forOther := 0
		if gain := p.Gain(m); gain > 0 {
			_, forOther = l.captured(after, gain)
		} else {
			forOther = int(s.levels[l.n][mover][within(after.Words())])
		}
		if s.rules == oware.Abapa || forOther <= most {
			return m, nil
		}
	}
	return 0, fmt.Errorf("endgame: %s: no move keeps the opponent to %d", p, most)
}
