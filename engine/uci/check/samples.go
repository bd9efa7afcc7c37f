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
	rng := rand.New(rand.NewPCG(1, 0))
	var middle []*games.Line[P]
	var forced, free [2]int
	for range playouts {
		l := g.NewLine(start)
		stop := 1 + rng.IntN(maxPlies)
		for _, _, over := l.Over(); !over && l.Plies() < stop; _, _, over = l.Over() {
			legal := l.Position().AppendMoves(nil)
			side := g.SideToMove(l.Position())
			switch {
			case l.Plies() == openPlies && s.open == nil && len(legal) > 1:
				s.open = l.Clone()
			case len(legal) == 1 && forced[side] < perSide:
				forced[side]++
				s.boards, s.lines = append(s.boards, g.NewLine(l.Position())), append(s.lines, l.Clone())
			}
			if err := l.Play(legal[rng.IntN(len(legal))]); err != nil {
				return err
			}
			if _, _, over := l.Over(); !over && s.again == nil && slices.Contains(l.History(), l.Position()) {
				s.again = l.Clone()
			}
		}
		switch _, reason, over := l.Over(); {
		case over && reason == games.Repeated && s.again == nil:
			s.again = l.Clone()
			s.again.Undo()
		case over:
			if _, terminal := l.Position().Terminal(); terminal && s.over == nil {
				s.over = g.NewLine(l.Position())
			}
		default:
			if side := g.SideToMove(l.Position()); free[side] < perSide {
				free[side]++
				s.boards, s.lines = append(s.boards, g.NewLine(l.Position())), append(s.lines, l.Clone())
			}
			if len(middle) < maxJudged {
				middle = append(middle, g.NewLine(l.Position()))
			}
		}
	}
	if s.open == nil {
		s.open = s.start
	}
	return p.judge(middle)
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
