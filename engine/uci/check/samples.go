package check

import (
	"math/rand/v2"
	"slices"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
)

// samples are the positions that a program is asked about.
type samples[P search.Position[P]] struct {
	start, open *games.Line[P]   // the start, and a position some moves later
	boards      []*games.Line[P] // positions without moves; half of them have a single legal move
	lines       []*games.Line[P] // the same positions after the moves that lead there
	won         []won[P]         // the same number for each side to move
	over        *games.Line[P]   // the game is over; nil if not found
	again       *games.Line[P]   // a position has recurred, or recurs by a possible next move; nil if not found
}

// won is a position that a search scores far from even.
type won[P search.Position[P]] struct {
	line  *games.Line[P]
	score int
}

// The sizes of the sample.
const (
	playouts  = 400
	openPlies = 4
	maxPlies  = 300
	perSide   = 4  // boards per side with a single legal move, and the same number of others
	maxJudged = 40 // candidates for won that are searched
)

// prepare draws the samples from random games with a fixed seed.
func (p *prober[P]) prepare() error {
	g := p.kit.Game
	start, err := g.Start(g.Rules[0])
	if err != nil {
		return err
	}
	s := &p.samples
	s.start = g.NewLine(start)
	c := collector[P]{samples: s, game: g, rng: rand.New(rand.NewPCG(1, 0))}
	for range playouts {
		if err := c.playout(start); err != nil {
			return err
		}
	}
	if s.open == nil {
		s.open = s.start
	}
	return p.judge(c.middle)
}

// collector collects samples from random games.
type collector[P search.Position[P]] struct {
	*samples[P]
	game         *games.Game[P]
	rng          *rand.Rand
	middle       []*games.Line[P] // positions of games that are not over, to be judged
	forced, free [2]int           // boards by side to move: with a single legal move, and others
}

// playout plays a random game, at most to a random length.
func (c *collector[P]) playout(start P) error {
	l := c.game.NewLine(start)
	stop := 1 + c.rng.IntN(maxPlies)
	for !isOver(l) && l.Plies() < stop {
		if err := c.step(l); err != nil {
			return err
		}
	}
	c.collectEnd(l)
	return nil
}

func isOver[P search.Position[P]](l *games.Line[P]) bool {
	_, _, over := l.Over()
	return over
}

// step collects from the position, and plays a random move.
func (c *collector[P]) step(l *games.Line[P]) error {
	legal := l.Position().AppendMoves(nil)
	side := c.game.SideToMove(l.Position())
	switch {
	case l.Plies() == openPlies && c.open == nil && len(legal) > 1:
		c.open = l.Clone()
	case len(legal) == 1 && c.forced[side] < perSide:
		c.forced[side]++
		c.addBoard(l)
	}
	if err := l.Play(legal[c.rng.IntN(len(legal))]); err != nil {
		return err
	}
	if c.again == nil && !isOver(l) && slices.Contains(l.History(), l.Position()) {
		c.again = l.Clone()
	}
	return nil
}

// collectEnd collects from the last position of a game.
func (c *collector[P]) collectEnd(l *games.Line[P]) {
	_, reason, over := l.Over()
	_, isTerminal := l.Position().Terminal()
	switch {
	case over && reason == games.Repeated && c.again == nil:
		c.again = l.Clone()
		c.again.Undo()
	case over && isTerminal && c.over == nil:
		c.over = c.game.NewLine(l.Position())
	case !over:
		c.collectOpen(l)
	}
}

// collectOpen collects from the last position of a game that is not over.
func (c *collector[P]) collectOpen(l *games.Line[P]) {
	side := c.game.SideToMove(l.Position())
	if c.free[side] < perSide {
		c.free[side]++
		c.addBoard(l)
	}
	if len(c.middle) < maxJudged {
		c.middle = append(c.middle, c.game.NewLine(l.Position()))
	}
}

// addBoard adds the position to the boards, and the game that leads to it.
func (c *collector[P]) addBoard(l *games.Line[P]) {
	c.boards = append(c.boards, c.game.NewLine(l.Position()))
	c.lines = append(c.lines, l.Clone())
}

// judge searches positions and keeps the best and the worst for each side to move.
func (p *prober[P]) judge(lines []*games.Line[P]) error {
	c := engine.Config{Nodes: 5000, HashMB: 1, Tables: engine.NoTables}
	e, err := engine.Open(p.ctx, p.kit, engine.Spec{Search: c}, p.kit.Game.Rules[0])
	if err != nil {
		return err
	}
	defer e.Close()
	s := e.NewSearcher()
	defer s.Close()
	var best, worst [2]won[P]
	for _, l := range lines {
		s.Clear()
		r, err := s.Search(p.ctx, l.Position(), nil, c.Limits(), search.Query{})
		if err != nil {
			return err
		}
		side := p.kit.Game.SideToMove(l.Position())
		if r.Score > best[side].score {
			best[side] = won[P]{l, r.Score}
		}
		if r.Score < worst[side].score {
			worst[side] = won[P]{l, r.Score}
		}
	}
	all := []won[P]{best[0], best[1], worst[0], worst[1]}
	for _, w := range all {
		if max(w.score, -w.score) < clear {
			return nil
		}
	}
	p.samples.won = all
	return nil
}

// clear is how far from even a position has to be, in hundredths of the game's unit, to have
// any program agree who is ahead.
const clear = 300
