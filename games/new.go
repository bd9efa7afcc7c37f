package games

import (
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// drawnPlies is the length below which [New] cuts random games.
const drawnPlies = 60

// New completes the description of a game. Name, Rules, Sides, Unit, UnitsPerWin, MaxMoves,
// PhaseName, MaxPhase, BoardText and MoveText have to be there, and Start, Parse, Print,
// SideToMove, MoveName, ScanMove and Phase, of which Start and Parse need not check the
// rules. Without the others, a game has one rule set, no numbers and no symmetries, random
// positions come from random games, and a board is shown as its text.
func New[P Position[P]](g Game[P]) *Game[P] {
	start, parse := g.Start, g.Parse
	g.Start = func(rules string) (p P, err error) {
		if err = g.CheckRules(rules); err != nil {
			return p, err
		}
		return start(rules)
	}
	g.Parse = func(rules, text string) (p P, err error) {
		if err = g.CheckRules(rules); err != nil {
			return p, err
		}
		return parse(rules, text)
	}
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
		g.Random = func(rng *rand.Rand, rules string) (P, error) {
			p, err := g.Start(rules)
			if err != nil {
				return p, err
			}
			return RandomPlayout(rng, p, drawnPlies), nil
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
	return &g
}

// Irreversible has the methods of a position that cannot recur in a game without a limit
// of plies. A position type embeds it, as its first field.
type Irreversible struct{}

// Repetition never ends a game.
func (Irreversible) Repetition(int) (diff int, over bool) { return 0, false }

// DrawClock is 0: there is no such rule.
func (Irreversible) DrawClock() int { return 0 }

// PlyLimit is 0: there is no such rule.
func (Irreversible) PlyLimit() (plies, diff int) { return 0, 0 }

// MinCycle is longer than any game: no position recurs.
func (Irreversible) MinCycle() int { return 1 << 20 }

// RandomPlayout plays a random number of random moves from start, fewer than plies, and
// begins again if that ends the game. Positions are not equally likely: those that many
// games lead to are drawn more often. The game must not be over at start.
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
