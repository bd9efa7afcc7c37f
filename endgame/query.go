package endgame

import (
	"context"
	"fmt"
	"strings"

	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/internal/parallel"
	"kroo/internal/wording"
)

// Answer is the result of [Table.Query]. All values are differences in seeds from the
// mover's point of view.
type Answer struct {
	Board     string       `json:"board"`
	Rules     string       `json:"rules"`
	Bounds    string       `json:"bounds"`
	Low       int          `json:"low"`  // lower bound of the value of the seeds in play
	High      int          `json:"high"` // upper bound
	Exact     bool         `json:"exact"`
	FinalLow  int          `json:"final_low"` // with the stores added
	FinalHigh int          `json:"final_high"`
	Moves     []AnswerMove `json:"moves"`
	Line      string       `json:"line,omitempty"` // best moves of both players
}

// AnswerMove is a move and its value for the player who makes it, in a game that begins after it: under
// abapa a return to the position before the move is not counted.
type AnswerMove struct {
	Move     string `json:"move"`
	Captures int    `json:"captures"`
	Low      int    `json:"low"`
	High     int    `json:"high"`
	move     oware.Move
}

// lineLength limits the plies of a best line: longer ones only repeat a cycle.
const lineLength = 40

// Query returns the values of a position and of its moves, and a best line. It fails if
// the position has too many seeds in play, or the table's file has changed since it was
// opened.
func (t *Table) Query(p oware.Position) (Answer, error) {
	low, high, found := t.Probe(p)
	if err := t.Err(); err != nil {
		return Answer{}, err
	}
	if !found {
		return Answer{}, fmt.Errorf("%s: %d seeds in play: the table has positions of at most %d",
			p, p.SeedsInPlay(), t.Seeds())
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

// Doc describes the answer for the position that was asked for.
func (a Answer) Doc(p oware.Position) *outline.Doc {
	d := &outline.Doc{Value: a}
	value := between(a.Low, a.High) + " seeds"
	if !a.Exact {
		value += ", not exact"
	}
	d.Add(outline.Section{Plain: p.Diagram()})
	d.Add(outline.Section{Facts: outline.Facts(p.ToMove().String()+" to move", value, "with the stores",
		between(a.FinalLow, a.FinalHigh)+" seeds", "best line", a.Line)})
	if len(a.Moves) > 0 {
		d.Add(outline.Section{Table: outline.TableOf([]string{"move", "seeds", "captures"}, a.Moves,
			func(m AnswerMove) []any {
				row := []any{m.Move, between(m.Low, m.High), ""}
				if m.Captures > 0 {
					row[2] = m.Captures
				}
				return row
			})})
	}
	return d
}

// between formats the bounds of a difference in seeds.
func between(low, high int) string {
	if low == high {
		return fmt.Sprintf("%+d", low)
	}
	return fmt.Sprintf("%+d to %+d", low, high)
}

// tableMoves returns the legal moves of p with their values.
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

// bestLine returns the line of the moves with the best lower bound, until the game ends, a
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

// LevelStats counts the positions with a given number of seeds in play. In a table
// of bounds a win is a position where the mover is sure of more than half of
// them, a loss one where the opponent is, a draw one where both are sure of half.
// The other positions are none of the three.
type LevelStats struct {
	Seeds     int     `json:"seeds"`
	Positions int     `json:"positions"`
	Wins      int     `json:"wins"`
	Draws     int     `json:"draws"`
	Losses    int     `json:"losses"`
	Exact     int     `json:"exact"`    // lower and upper bound agree
	Mean      float64 `json:"mean"`     // mean value of the exact positions: the mover's seeds minus the opponent's
	MeanGap   float64 `json:"mean_gap"` // upper minus lower bound, in seeds that the mover takes
}

// Stats returns the statistics of every level, from 0 seeds up. It fails if the context is
// done or the table's file has changed since it was opened. Progress is in positions.
func (t *Table) Stats(ctx context.Context, progress parallel.Progress) ([]LevelStats, error) {
	all := make([]LevelStats, t.seeds+1)
	for n := range all {
		progress.At(int64(base(n)), int64(base(t.seeds+1)))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := t.read(func() { all[n] = t.levelStats(n) }); err != nil {
			return nil, err
		}
	}
	progress.At(int64(base(t.seeds+1)), int64(base(t.seeds+1)))
	return all, nil
}

// levelStats counts the positions of a level.
func (t *Table) levelStats(n int) LevelStats {
	s := LevelStats{Seeds: n, Positions: Positions(n)}
	gap, sum := 0, 0
	for i := range s.Positions {
		low, high := t.at(n, i)
		switch {
		case low > 0:
			s.Wins++
		case high < 0:
			s.Losses++
		case low == 0 && high == 0:
			s.Draws++
		}
		if low == high {
			s.Exact++
			sum += low
		}
		gap += high - low
	}
	s.Mean = float64(sum) / float64(max(s.Exact, 1))
	s.MeanGap = float64(gap) / 2 / float64(s.Positions) // one seed more for one player is one less for the other
	return s
}

// description is the JSON form of a table's facts.
type description struct {
	Rules     string `json:"rules"`
	Bounds    string `json:"bounds"`
	Seeds     int    `json:"seeds"`     // most seeds in play
	Resolved  int    `json:"resolved"`  // levels up to this have exact values, where the bounds are not exact
	Positions int64  `json:"positions"` // of all levels
	Made      string `json:"made"`
}

// Describe describes the table in a file.
func Describe(path string) (*outline.Doc, error) {
	t, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	return t.Doc(), nil
}

// Doc describes the table.
func (t *Table) Doc() *outline.Doc {
	d := description{
		Rules:    t.Rules().String(),
		Bounds:   string(t.Bounds()),
		Seeds:    t.Seeds(),
		Resolved: t.ResolvedLevel(),
		Made:     t.Made(),
	}
	for n := range d.Seeds + 1 {
		d.Positions += int64(Positions(n))
	}
	resolved := ""
	if d.Resolved > 0 {
		resolved = fmt.Sprintf("up to %d seeds", d.Resolved)
	}
	return &outline.Doc{
		Value: d, Title: fmt.Sprintf("endgame table of %s, %s values, up to %d seeds in play", d.Rules, d.Bounds, d.Seeds),
		Facts: outline.Facts("positions", fmt.Sprint(d.Positions), "resolved", resolved, "made by", wording.WithoutIDs(d.Made)),
	}
}
