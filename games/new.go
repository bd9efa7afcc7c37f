package games

import (
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// maxRandomPlies is the limit of the length of the random games that [New] draws positions from,
// exclusive.
const maxRandomPlies = 60

// New completes the description of a game. Required are Name, Rules, Sides, Unit, UnitsPerWin,
// MaxMoves, PhaseName, MaxPhase, BoardText and MoveText, and the functions Start, Parse, Print,
// SideToMove, MoveName, ScanMove and Phase. Start, Parse, Random and FromKey are only called with
// rules of the game. By default a game has one rule set, no keys and no symmetries, its random
// positions come from random games, and its diagram is its board text.
func New[P Position[P]](g Game[P]) *Game[P] {
	if g.Separator == "" {
		g.Separator = " "
	}
	if g.RulesOf == nil {
		g.RulesOf = func(P) string { return g.Rules[0] }
	}
	if g.Diagram == nil {
		g.Diagram = func(p P) string { return g.Print(p) + "\n" }
	}
	if g.Random == nil {
		g.Draws = "random games cut at a random ply below 60 in which the game is not over; not every position equally likely"
		start := g.Start
		g.Random = func(rng *rand.Rand, rules string) (P, error) {
			p, err := start(rules)
			if err != nil {
				return p, err
			}
			return RandomPlayout(rng, p, maxRandomPlies), nil
		}
	}
	if g.Key == nil {
		g.Key = func(P) (int64, bool) { return 0, false }
	}
	if g.Orbit == nil {
		g.Orbit = func(p P) int64 {
			h := fnv.New64a()
			h.Write([]byte(strings.Join([]string{g.RulesOf(p), g.Print(p)}, " ")))
			return int64(h.Sum64() >> 1)
		}
	}
	if g.EndReason == nil {
		g.EndReason = func(P) Reason { return "game over" }
	}
	start, parse, random := g.Start, g.Parse, g.Random
	g.Start = func(rules string) (P, error) {
		return checked(g.Info, rules, func() (P, error) { return start(rules) })
	}
	g.Parse = func(rules, text string) (P, error) {
		return checked(g.Info, rules, func() (P, error) { return parse(rules, text) })
	}
	g.Random = func(rng *rand.Rand, rules string) (P, error) {
		return checked(g.Info, rules, func() (P, error) { return random(rng, rules) })
	}
	if of := g.FromKey; of != nil {
		g.FromKey = func(rules string, key int64) (P, error) {
			return checked(g.Info, rules, func() (P, error) { return of(rules, key) })
		}
	}
	return &g
}

// checked calls f if rules are one of the game's rule sets.
func checked[P any](i Info, rules string, f func() (P, error)) (p P, err error) {
	if err := i.CheckRules(rules); err != nil {
		return p, err
	}
	return f()
}

// Irreversible implements the methods of positions that cannot recur, in a game without a ply
// limit. Embed it as the first field of a position type.
type Irreversible struct{}

// Repetition never ends a game.
func (Irreversible) Repetition(int) (diff int, over bool) { return 0, false }

// DrawClock returns 0: the game has no draw clock.
func (Irreversible) DrawClock() int { return 0 }

// PlyLimit returns 0: the game has no ply limit.
func (Irreversible) PlyLimit() (plies, diff int) { return 0, 0 }

// MinCycle returns more plies than any game has: no position recurs.
func (Irreversible) MinCycle() int { return 1 << 20 }

// RandomPlayout plays a random number of random moves from start, fewer than plies, and starts
// over if that ends the game. Positions that many games lead to are more likely than others. The
// game must not be over at start.
func RandomPlayout[P Position[P]](rng *rand.Rand, start P, plies int) P {
	var moves []Move
	for {
		p, over := start, false
		for n := rng.IntN(plies); n > 0 && !over; n-- {
			moves = p.AppendMoves(moves[:0])
			p = p.Play(moves[rng.IntN(len(moves))])
			_, over = p.Terminal()
		}
		if !over {
			return p
		}
	}
}
