package oware

import (
	"strings"
	"testing"
)

// Exactly the right moves of an exercise do what its task asks.
func TestTheLessonIsRightAboutItsMoves(t *testing.T) {
	does := map[string]func(p Position, m Move) bool{
		"Sow": func(p Position, m Move) bool { return int(m)+p.House(int(m)) >= Houses },
		"Capture": func(p Position, m Move) bool {
			return p.Gain(m) == 2 && p.House(Houses) == 1 && p.Play(m).House(0) == 0
		},
		"Chain": func(p Position, m Move) bool { return p.Gain(m) == 7 && emptied(p, m) == 3 },
		"Feed": func(p Position, m Move) bool {
			own, _ := p.Play(m).SideSeeds()
			_, before := p.SideSeeds()
			return before == 0 && own > 0
		},
		"End": func(p Position, m Move) bool {
			_, over := p.Play(m).Terminal()
			return over && p.Store()+p.Gain(m) == Seeds/2+1
		},
	}
	for _, e := range Lesson() {
		p, err := ParseBoard(Abapa, e.Board)
		if err != nil || p.ToMove() != South || does[e.Name] == nil {
			t.Errorf("%s: board %s, %v: expected one with South to move, and what its moves do", e.Name, e.Board, err)
			continue
		}
		if _, over := p.Terminal(); over {
			t.Errorf("%s: the game is over before the move", e.Name)
		}
		for h := range Houses {
			m, name := Move(h), MoveName(Move(h), South)
			if got, want := p.IsLegal(m) && does[e.Name](p, m), strings.Contains(e.Moves, name); got != want {
				t.Errorf("%s: %s is right: %v, the lesson has %v", e.Name, name, got, want)
			}
		}
		if e.Rule == "" || e.Task == "" || e.Right == "" || e.Wrong == "" {
			t.Errorf("%s lacks words: %+v", e.Name, e)
		}
	}
}

// emptied counts the opponent's houses that a move captures.
func emptied(p Position, m Move) (n int) {
	for h := range Houses {
		if p.House(Houses+h) > 0 && p.Play(m).House(h) == 0 {
			n++
		}
	}
	return n
}
