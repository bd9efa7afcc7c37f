package endgame

import (
	"fmt"
	"strings"

	"kroo/games/oware"
)

// Answer is what a table knows of a position. All values are differences in seeds
// for the player to move.
type Answer struct {
	Board     string       `json:"board"`
	Rules     string       `json:"rules"`
	Bounds    string       `json:"bounds"`
	Low       int          `json:"low"` // least value of the seeds in play
	High      int          `json:"high"`
	Exact     bool         `json:"exact"`
	FinalLow  int          `json:"final_low"` // with the stores added
	FinalHigh int          `json:"final_high"`
	Moves     []AnswerMove `json:"moves"`
	Line      string       `json:"line,omitempty"` // best moves of both players
}

// AnswerMove is a move and its value for the player who makes it.
type AnswerMove struct {
	Move     string `json:"move"`
	Captures int    `json:"captures"`
	Low      int    `json:"low"`
	High     int    `json:"high"`
	move     oware.Move
}

// lineLength is the most plies of a best line: longer ones only go round a cycle.
const lineLength = 40

// Query returns what the table knows of a position. The error says if it has too
// many seeds in play, or that the file of the table was changed meanwhile.
func (t *Table) Query(p oware.Position) (Answer, error) {
	low, high, found := t.Probe(p)
	if err := t.Err(); err != nil {
		return Answer{}, err
	}
	if !found {
		return Answer{}, fmt.Errorf("%s has %d seeds in play: expected at most %d for this table", p, p.SeedsInPlay(), t.Seeds())
	}
	stores := p.Store() - p.OpponentStore()
	a := Answer{
		Board: p.String(), Rules: t.Rules().String(), Bounds: string(t.Bounds()),
		Low: low, High: high, Exact: low == high, FinalLow: stores + low, FinalHigh: stores + high,
		Moves: tableMoves(t, p),
	}
	a.Line = bestLine(t, p)
	return a, t.Err()
}

// tableMoves are the legal moves of p with their values.
func tableMoves(t *Table, p oware.Position) (moves []AnswerMove) {
	for _, m := range p.AppendMoves(nil) {
		low, high, _ := t.Probe(p.Play(m))
		gain := p.Gain(m)
		moves = append(moves, AnswerMove{
			Move: oware.MoveName(m, p.ToMove()), move: m, Captures: gain, Low: gain - high, High: gain - low,
		})
	}
	return moves
}

// bestLine follows the moves with the best lower bound until the game ends, a
// position repeats, or the line has lineLength plies.
func bestLine(t *Table, p oware.Position) string {
	var line strings.Builder
	seen := map[oware.Position]bool{}
	for range lineLength {
		moves := tableMoves(t, p)
		if len(moves) == 0 || seen[p] {
			break
		}
		seen[p] = true
		best := moves[0]
		for _, m := range moves[1:] {
			if m.Low > best.Low || m.Low == best.Low && m.High > best.High {
				best = m
			}
		}
		line.WriteString(best.Move)
		if best.Captures > 0 {
			fmt.Fprintf(&line, "+%d", best.Captures)
		}
		line.WriteByte(' ')
		p = p.Play(best.move)
	}
	return strings.TrimSpace(line.String())
}
