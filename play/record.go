package play

import (
	"fmt"
	"slices"

	"kroo/games"
)

// Record is the game so far as a file holds it. players name the sides, "" for not
// known. What a file said of the moves that were loaded from it is said again.
func (g *Game[P]) Record(players [2]string) games.Record[P] {
	var tags []games.Tag
	for side, name := range players {
		if name != "" {
			tags = append(tags, games.Tag{Name: g.game.Sides[side], Value: name})
		}
	}
	rec := g.line.Record(tags...)
	rec.Result, rec.Comment = g.State().Result, g.loaded.Comment
	for i, m := range g.loaded.Moves {
		if i == len(rec.Moves) || rec.Moves[i].Move != m.Move {
			break
		}
		rec.Moves[i] = m
	}
	return rec
}

// Load goes on from a recorded game, whose moves are played anew. The person keeps their
// side. An error leaves the game as it is.
func (g *Game[P]) Load(rec games.Record[P]) error {
	if rules := g.game.RulesOf(rec.Start); rules != g.engine.Engine.Rules {
		return fmt.Errorf("the game is under %s rules: expected %s", rules, g.engine.Engine.Rules)
	}
	l, err := g.game.Replay(rec)
	if err != nil {
		return err
	}
	g.start(l)
	g.loaded = rec
	g.loaded.Moves = slices.Clone(rec.Moves)
	return nil
}

// Restart begins a new game at a position.
func (g *Game[P]) Restart(at P) { g.start(g.game.NewLine(at)) }

func (g *Game[P]) start(l *games.Line[P]) {
	g.line, g.resigned, g.loaded = l, false, games.Record[P]{}
	g.engine.Searcher.Clear()
}
