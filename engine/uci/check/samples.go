package check

import (
	"math/rand/v2"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
)

// samples are the positions that a program is asked about.
type samples[P search.Position[P]] struct {
	start, open *games.Line[P]   // the start of a game, and some moves later
	boards      []*games.Line[P] // without moves: in half of them only one move is legal
	lines       []*games.Line[P] // with moves that lead there
	won         []won[P]         // as many of each side to move
	over        *games.Line[P]   // of a game that has ended; nil if none was found
	again       *games.Line[P]   // in which a position recurs, or may by the next move; nil as well
}

// won is a position that a search values far from even.
type won[P search.Position[P]] struct {
	line  *games.Line[P]
	score int
}

// The number of random games to look at, and of plies of each.
const (
	playouts  = 400
	openPlies = 4
	maxPlies  = 300
	perSide   = 4  // boards with one legal move, and as many others
	judged    = 40 // positions that are searched for won
)

// prepare draws the samples from random games, always the same.
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
			if s.again == nil && p.recurs(l) {
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
			if len(middle) < judged {
				middle = append(middle, g.NewLine(l.Position()))
			}
		}
	}
	if s.open == nil {
		s.open = s.start
	}
	return p.judge(middle)
}

// recurs reports whether the position of a game that continues was there before.
func (p *prober[P]) recurs(l *games.Line[P]) bool {
	if _, _, over := l.Over(); over {
		return false
	}
	for _, before := range l.History() {
		if before == l.Position() {
			return true
		}
	}
	return false
}

// judge searches positions, and keeps those of each side to move that are best and worst for
// it.
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
