package endgame

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"sync"

	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/parallel"
)

// Fault is the error for a position with a wrong entry.
type Fault struct {
	Position oware.Position // South to move
	What     string
}

func (f *Fault) Error() string { return fmt.Sprintf("%s: %s", f.Position, f.What) }

// verify checks every entry against its successors: it must be the maximum, or minimum, of
// the values that the moves lead to, and both players together must not be sure of more
// seeds than are in play. This finds any single changed entry, but not every wrong table:
// wrong values around a cycle can support each other, which recompute finds. The error is
// a *Fault for the first wrong entry. Progress is in positions.
func (t *Table) verify(ctx context.Context, progress parallel.Progress) error {
	var levels []levelValues
	for n := range t.seeds + 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		progress.At(int64(base(n)), int64(base(t.seeds+1)))
		if err := t.read(func() { levels = append(levels, t.load(n)) }); err != nil {
			return err
		}
		if err := t.faults(ctx, n, levels); err != nil {
			return err
		}
	}
	progress.At(int64(base(t.seeds+1)), int64(base(t.seeds+1)))
	return nil
}

// faults returns a *Fault for the first wrong entry of a level. Resolved values do not
// follow from their successors, which have a different history: they are only checked
// to be within the bounds.
func (t *Table) faults(ctx context.Context, n int, levels []levelValues) error {
	l := newLevel(t.rules, t.bounds == Sharp, levels[:n], 0)
	if n > t.resolved {
		return l.faults(levels[n])
	}
	bounds, err := l.solve(ctx)
	if err != nil {
		return err
	}
	v := levels[n]
	for i := range v[mover] {
		a, b := int(v[mover][i]), int(v[other][i])
		if least, most := int(bounds[mover][i]), n-int(bounds[other][i]); a < least || n-b > most || a+b > n {
			return &Fault{unrank(n, uint32(i)).position(t.rules, n),
				fmt.Sprintf("mover and opponent are sure of %d and %d: the bounds are %d to %d for the mover", a, b, least, most)}
		}
	}
	return nil
}

// faults returns a *Fault for the first wrong entry of the level.
func (l *level) faults(v levelValues) (fault error) {
	var mu sync.Mutex
	first := uint32(len(l.states))
	l.everywhere(func(from, to uint32) {
		b := unrank(l.n, from)
		for i := from; i < to; i++ {
			p := b.position(l.rules, l.n)
			b.next()
			forMover, forOther := l.expect(p, v)
			what := ""
			switch got := [2]int{int(v[mover][i]), int(v[other][i])}; {
			case got != [2]int{forMover, forOther}:
				what = fmt.Sprintf("mover and opponent are sure of %d and %d: expected %d and %d by the moves", got[0], got[1], forMover, forOther)
			case got[0]+got[1] > l.n:
				what = fmt.Sprintf("mover and opponent are sure of %d and %d of %d seeds", got[0], got[1], l.n)
			}
			if what == "" {
				continue
			}
			mu.Lock()
			if i < first {
				first, fault = i, &Fault{p, what}
			}
			mu.Unlock()
			return
		}
	})
	return fault
}

// expect computes the values of p from those of its successors.
func (l *level) expect(p oware.Position, v levelValues) (forMover, forOther int) {
	s := l.initial(p)
	forMover, forOther = exit(s, mover), exit(s, other)
	for set := p.Legal(); set != 0; set &= set - 1 {
		m := oware.Move(bits.TrailingZeros8(set))
		if p.Gain(m) > 0 {
			continue
		}
		i := within(p.Play(m).Words())
		forMover, forOther = max(forMover, int(v[other][i])), min(forOther, int(v[mover][i]))
	}
	return forMover, forOther
}

// recompute rebuilds the levels up to the given number of seeds and compares them with
// the table. The error is a *Fault for the first entry that differs.
func (t *Table) recompute(ctx context.Context, seeds int, progress parallel.Progress) error {
	seeds = min(seeds, t.seeds)
	fresh, err := Build(ctx, Config{Rules: t.rules, Bounds: t.bounds, Seeds: seeds, Resolve: min(t.resolved, seeds)}, progress)
	if err != nil {
		return err
	}
	for n := range seeds + 1 {
		var fault error
		if err := cmp.Or(t.read(func() { fault = t.compare(fresh, n) }), fault); err != nil {
			return err
		}
	}
	return nil
}

// compare returns a *Fault for the first entry of a level that differs from a fresh
// table's.
func (t *Table) compare(fresh *Table, n int) error {
	w := t.bounds.width()
	got, want := t.levelData(n), fresh.levelData(n)
	for i := range Positions(n) {
		if string(got[i*w:(i+1)*w]) != string(want[i*w:(i+1)*w]) {
			low, high := t.at(n, i)
			freshLow, freshHigh := fresh.at(n, i)
			return &Fault{unrank(n, uint32(i)).position(t.rules, n),
				fmt.Sprintf("%+d to %+d: expected %+d to %+d by a new build", low, high, freshLow, freshHigh)}
		}
	}
	return nil
}

// CheckConfig sets how thoroughly a table is checked.
type CheckConfig struct {
	Recompute int `name:"recompute" default:"7" range:"0.." help:"build levels of up to this many seeds again"`
	PlaySeeds int `name:"play_seeds" default:"9" range:"0.." help:"play games from positions of up to this many seeds"`
	Games     int `name:"games" default:"2000" range:"0.." help:"games against each opponent"`
	Seed      uint64
	Random    *rand.Rand // source of random numbers, made from Seed
	Engine    Opponent   // the opponent that searches
}

// Check is one way of checking a table. Progress of Run is in Unit.
type Check struct {
	Name, Unit string
	Run        func(context.Context, *Table, CheckConfig, parallel.Progress) error
}

// Checks lists all checks in the order to run them.
var Checks = []Check{
	{"entries follow from their successors", "positions", func(ctx context.Context, t *Table, _ CheckConfig, progress parallel.Progress) error {
		return t.verify(ctx, progress)
	}},
	{"rebuilt small levels are identical", "positions", func(ctx context.Context, t *Table, r CheckConfig, progress parallel.Progress) error {
		return t.recompute(ctx, r.Recompute, progress)
	}},
	{"guarantees hold against a random player", "games", func(ctx context.Context, t *Table, r CheckConfig, progress parallel.Progress) error {
		return playGames(ctx, t, r, progress, func(g *games.Line[oware.Position]) oware.Move {
			moves := g.Position().AppendMoves(nil)
			return moves[r.Random.IntN(len(moves))]
		})
	}},
	{"guarantees hold against the engine", "games", func(ctx context.Context, t *Table, r CheckConfig, progress parallel.Progress) error {
		return playGames(ctx, t, r, progress, r.Engine)
	}},
}

// playGames plays games from random positions of the table.
func playGames(ctx context.Context, t *Table, r CheckConfig, progress parallel.Progress, opponent Opponent) error {
	seeds := min(r.PlaySeeds, t.Seeds())
	if seeds < 1 {
		return nil
	}
	s, err := newStrategy(ctx, t.Rules(), t.Bounds(), seeds)
	if err != nil {
		return err
	}
	progress.At(0, int64(r.Games))
	for i := range r.Games {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := 1 + r.Random.IntN(seeds)
		p := PositionAt(t.Rules(), n, r.Random.IntN(Positions(n)))
		if err := s.playOut(p, r.Random.IntN(2) == 0, opponent); err != nil {
			return err
		}
		progress.At(int64(i+1), int64(r.Games))
	}
	return nil
}

// Opponent chooses a legal move in a game that is not over.
type Opponent func(g *games.Line[oware.Position]) oware.Move

// playOut plays a game from start by the real rules. One player, who moves first unless
// second is true, follows the strategy; opponent plays the other side. The error is a
// *Fault if the player gets less than their guarantee.
func (s *strategy) playOut(start oware.Position, second bool, opponent Opponent) error {
	player := start.ToMove()
	if second {
		player = player.Other()
	}
	guarantee := s.guarantee(start, second)
	g := oware.Descriptor().NewLine(start)
	for {
		if _, _, over := g.Over(); over {
			break
		}
		p := g.Position()
		m := oware.Move(0)
		if p.ToMove() == player {
			var err error
			if m, err = s.move(p); err != nil {
				return err
			}
		} else {
			m = opponent(g)
		}
		if err := g.Play(m); err != nil {
			return fmt.Errorf("playing %s out: %w", start, err)
		}
	}
	if got := s.achieved(start, g, player); got < guarantee {
		return &Fault{start, fmt.Sprintf("%s is sure of %d but gets %d after %d plies", player, guarantee, got, g.Plies())}
	}
	return nil
}

// achieved returns what the player won of the seeds that were in play, in the unit of a
// guarantee. If a majority ends the game early, the remaining seeds count as the
// player's, who could still have taken them.
func (s *strategy) achieved(start oware.Position, g *games.Line[oware.Position], player oware.Side) int {
	n := start.SeedsInPlay()
	stores := [2]int{start.Store(), start.OpponentStore()}
	if start.ToMove() == oware.North {
		stores[0], stores[1] = stores[1], stores[0]
	}
	south, north := oware.Descriptor().Tally(g)
	final := [2]float64{south, north}
	taken := final[player] - float64(stores[player])
	lost := final[player.Other()] - float64(stores[player.Other()])
	if _, reason, _ := g.Over(); reason == oware.Majority {
		taken = float64(n) - lost
	}
	if s.rules == oware.Abapa {
		return int(taken)
	}
	return max(0, int(taken-lost))
}
