package endgame

import (
	"context"
	"fmt"

	"kroo/games/oware"
)

// strategy plays so that a player gets their guarantee: what they are sure of by the
// table. At every position it has a move that keeps the guarantee and makes progress. A
// table does not record which move makes progress, so newStrategy solves the levels again
// and records the order in which positions are decided.
type strategy struct {
	rules  oware.Rules
	levels []levelValues
	steps  []levelSteps
}

// levelSteps has, by role, the step that decided each position. It was decided by
// positions of earlier steps or, where a player stays forever, of the same step.
type levelSteps [2][]uint32

// newStrategy solves all positions with up to seeds seeds in play. It fails only if the
// context is done.
func newStrategy(ctx context.Context, rules oware.Rules, bounds Bounds, seeds int) (*strategy, error) {
	s := &strategy{rules: rules}
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

// guarantee returns what the mover or the other player is sure of at p: a number of seeds
// under abapa, a lead of at least 0 seeds under other rules.
func (s *strategy) guarantee(p oware.Position, other bool) int {
	role := roleOf(other)
	return int(s.levels[p.SeedsInPlay()][role][within(p.Words())])
}

func roleOf(isOther bool) int {
	if isOther {
		return other
	}
	return mover
}

// move returns a move that keeps the mover's guarantee and makes progress. For a mover who
// is sure of nothing, it returns a move that does not raise the opponent's guarantee.
func (s *strategy) move(p oware.Position) (oware.Move, error) {
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
		return 0, fmt.Errorf("%s: no move keeps the guarantee of %d", p, k)
	}
	return best, nil
}

// defend returns a move after which the opponent is sure of no more than most. If values
// are exact, that is enough: an infinite line is worth no less to the defender. Under
// abapa any move will do, because the player is sure of nothing.
func (s *strategy) defend(p oware.Position, l *level, moves []oware.Move, most int) (oware.Move, error) {
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
	return 0, fmt.Errorf("%s: no move limits the opponent to %d", p, most)
}
