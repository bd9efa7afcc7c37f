package match

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"

	"kroo/engine/search"
	"kroo/games"
)

// Opening is the start of a game: moves made from a position.
type Opening[P search.Position[P]] struct {
	Start P
	Moves []games.Move
}

// line returns the game after the opening, or an error for an illegal move.
func (o Opening[P]) line(g *games.Game[P]) (*games.Line[P], error) {
	l := g.NewLine(o.Start)
	for i, m := range o.Moves {
		if err := l.Play(m); err != nil {
			return nil, fmt.Errorf("ply %d: %w", i+1, err)
		}
	}
	return l, nil
}

// maxOpeningPlies keeps openings clear of the end of a game: hardly any random game of oware is over
// by then.
const maxOpeningPlies = 40

// maxFailedDraws is the number of failed draws in a row after which a search for openings gives up.
const maxFailedDraws = 10_000

// Openings draws n openings from the start position, each of plies random legal moves; quiet leaves
// out those with captures. They lead to different positions, none of which ends the game. The first
// openings are the same for every n. If there are fewer than n (one of 0 plies; in oware 6 of 1 ply,
// …), the error gives the number found.
func Openings[P search.Position[P]](
	g *games.Game[P], rules string, n, plies int, seed uint64, quiet bool,
) ([]Opening[P], error) {
	if plies < 0 || plies > maxOpeningPlies {
		return nil, fmt.Errorf("openings of %d plies: expected 0 to %d", plies, maxOpeningPlies)
	}
	start, err := g.Start(rules)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	seen := make(map[P]bool)
	var found []Opening[P]
	for failed := 0; len(found) < n; {
		moves, p, ok := draw(g, start, plies, random)
		if !ok || seen[p] || quiet && p.Progress() != start.Progress() {
			failed++
			if failed == maxFailedDraws {
				return nil, fmt.Errorf("found only %d different openings of %d plies for %d pairs: ask for fewer pairs or longer openings, or let a player vary",
					len(found), plies, n)
			}
			continue
		}
		failed = 0
		seen[p] = true
		found = append(found, Opening[P]{start, moves})
	}
	return found, nil
}

// draw makes one random opening; ok is false if the game ends in it.
func draw[P search.Position[P]](g *games.Game[P], start P, plies int, random *rand.Rand) (moves []games.Move, p P, ok bool) {
	l := g.NewLine(start)
	moves = make([]games.Move, 0, plies)
	var legal []games.Move
	for range plies {
		if _, _, over := l.Over(); over {
			return nil, p, false
		}
		legal = l.Position().AppendMoves(legal[:0])
		m := legal[random.IntN(len(legal))]
		if l.Play(m) != nil {
			return nil, p, false
		}
		moves = append(moves, m)
	}
	_, _, over := l.Over()
	return moves, l.Position(), !over
}

// findOpenings returns the opening of every pair: the given ones in order, or random ones. With a
// single opening of 0 plies, a varying player still plays different games.
func (m *match[P]) findOpenings() ([]Opening[P], error) {
	varies := m.A.Varies || m.B.Varies
	given := m.Suite
	switch {
	case len(given) == 0 && m.OpeningPlies == 0 && varies:
		start, err := m.Game.Start(m.Rules)
		if err != nil {
			return nil, err
		}
		given = []Opening[P]{{Start: start}}
	case len(given) == 0:
		return Openings(m.Game, m.Rules, m.Pairs, m.OpeningPlies, m.Seed, m.A.blind() || m.B.blind())
	}
	if err := m.checkEnough(len(given), varies); err != nil {
		return nil, err
	}
	for i, o := range given {
		if err := m.checkOpening(o); err != nil {
			return nil, fmt.Errorf("opening %d: %w", i+1, err)
		}
	}
	openings := make([]Opening[P], m.Pairs)
	for i := range openings {
		openings[i] = given[i%len(given)]
	}
	return openings, nil
}

// checkEnough returns an error if there are fewer openings than pairs, unless a player varies.
func (c Config) checkEnough(openings int, varies bool) error {
	if c.Pairs > openings && !varies {
		return fmt.Errorf("%d pairs from %d openings: ask for fewer pairs, give more openings or let a player vary", c.Pairs, openings)
	}
	return nil
}

// captures reports whether the opening starts after a capture, or makes one.
func (o Opening[P]) captures(g *games.Game[P]) (bool, error) {
	first, err := g.Start(g.RulesOf(o.Start))
	if err != nil {
		return false, err
	}
	l, err := o.line(g)
	return err == nil && l.Position().Progress() != first.Progress(), err
}

// checkOpening returns an error for an opening from which no game can continue.
func (m *match[P]) checkOpening(o Opening[P]) error {
	l, err := o.line(m.Game)
	if err != nil {
		return err
	}
	_, reason, over := l.Over()
	captured, err := o.captures(m.Game)
	if err != nil {
		return err
	}
	switch {
	case captured && (m.A.blind() || m.B.blind()):
		return errors.New("seeds are captured in it: protocol=cg does not report by whom")
	case m.Game.RulesOf(o.Start) != m.Rules:
		return fmt.Errorf("under %s rules: expected %s", m.Game.RulesOf(o.Start), m.Rules)
	case over:
		return fmt.Errorf("it ends the game (%s)", reason)
	case m.MaxPlies != 0 && m.MaxPlies <= len(o.Moves):
		return fmt.Errorf("%d plies: expected fewer than the %d at which games are adjudicated", len(o.Moves), m.MaxPlies)
	}
	return nil
}

// openingsHash identifies a list of openings; it is "" for an empty list.
func openingsHash[P search.Position[P]](g *games.Game[P], openings []Opening[P]) string {
	if len(openings) == 0 {
		return ""
	}
	h := sha256.New()
	for _, o := range openings {
		fmt.Fprintln(h, g.Print(o.Start), o.Moves)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
