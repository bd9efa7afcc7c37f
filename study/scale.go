package study

import (
	"fmt"
	"math"

	"kroo/games"
	"kroo/report"
)

// GameFile is the games of a file, whose name is for errors.
type GameFile[P games.Position[P]] struct {
	Name    string
	Records []games.Record[P]
}

// ScaleResult is what the scores of recorded games are worth. A score is for the
// side that moves, in units of the game; scores of proven positions are left
// out. Positions of one game are not independent, so standard errors are those
// of games as wholes.
type ScaleResult struct {
	Rules     string `json:"rules"`
	Games     int    `json:"games"`     // with scores and a result; the same moves count once
	Same      int    `json:"same"`      // games left out: their moves are an earlier game's
	Finished  int    `json:"finished"`  // games that the rules ended: only these have a final difference
	Positions int    `json:"positions"` // with a score, of the games
	Proven    int    `json:"proven"`    // scores left out

	Lines   []ScaleLine `json:"lines"`   // of the finished games
	Chances *ChancesFit `json:"chances"` // of all games; nil unless some are won and some drawn
	NoModel string      `json:"no_model,omitempty"`

	info games.Info
}

// ScaleLine is the line of least squares through some positions: the final
// difference of the side that moves, in units, is Level + Slope·score.
type ScaleLine struct {
	Of        string  `json:"of"` // which positions
	Positions int     `json:"positions"`
	Games     int     `json:"games"`
	Slope     float64 `json:"slope"` // units of final difference for a unit of score
	SlopeErr  float64 `json:"slope_err"`
	Level     float64 `json:"level"` // final difference at score 0, units
	LevelErr  float64 `json:"level_err"`
	R         float64 `json:"r"` // correlation
}

// Scale relates scores to the ends of the games: a line through final
// differences, over all positions, by phase and by size of score; and a model of
// the chances of a win, a draw and a loss. The games need scores as matches
// record them, {score +25 depth 16}, and one set of rules. A player counts
// alone by name; "" is all.
func Scale[P games.Position[P]](g *games.Game[P], files []GameFile[P], player string) (*ScaleResult, error) {
	r := &ScaleResult{info: g.Info}
	list, err := scored(g, files, player, r)
	if err != nil {
		return nil, err
	}
	r.Lines = scaleLines(g.Info, list)
	if r.Chances, err = fitChances(list); err != nil {
		r.NoModel = err.Error()
	}
	return r, nil
}

// bands are the phases of which a line is made.
const bands = 6

// scaleLines are lines over all positions, by phase and by size of score. What
// has too few games for a line is left out.
func scaleLines(info games.Info, list []scoredPosition) (lines []ScaleLine) {
	add := func(of string, in func(scoredPosition) bool) {
		if l, ok := fitLine(list, in); ok {
			l.Of = of
			lines = append(lines, l)
		}
	}
	add("all", func(scoredPosition) bool { return true })
	for b := bands; b > 0; b-- {
		from, to := info.MaxPhase*(b-1)/bands+1, info.MaxPhase*b/bands
		if b == 1 {
			from = 0
		}
		add(fmt.Sprintf("%s %d-%d", info.PhaseName, from, to), func(s scoredPosition) bool { return s.phase >= from && s.phase <= to })
	}
	most := float64(info.UnitsPerWin)
	for from, to := 0.0, 1.0; from < most; from, to = to, min(2*to, most) {
		add(fmt.Sprintf("score within %g-%g", from, to), func(s scoredPosition) bool {
			size := math.Abs(s.score)
			return size <= to && (size > from || from == 0)
		})
	}
	return lines
}

// Rows has a line a group of positions.
func (r *ScaleResult) Rows() [][]string {
	rows := [][]string{{"positions of", "positions", "games", "slope", "±", "at score 0", "±", "R"}}
	for _, l := range r.Lines {
		rows = append(rows, []string{l.Of, fmt.Sprint(l.Positions), fmt.Sprint(l.Games),
			fmt.Sprintf("%.3f", l.Slope), fmt.Sprintf("%.3f", l.SlopeErr), fmt.Sprintf("%+.2f", l.Level), fmt.Sprintf("%.2f", l.LevelErr), fmt.Sprintf("%.3f", l.R)})
	}
	return rows
}

// Note explains the columns and has the model of chances.
func (r *ScaleResult) Note() string {
	text := fmt.Sprintf(`%d games under %s rules with a score (%d more have the moves of others and count once), %d ended by the rules; %d positions, %d more with a proven score left out.
Slope: %ss of final difference for the side that moves, for a %s of its score; ± is a standard error, of games as wholes.`,
		r.Games, r.Rules, r.Same, r.Finished, r.Positions, r.Proven, r.info.Unit, r.info.Unit)
	if r.Chances == nil {
		return text + "\nNo model of chances: " + r.NoModel + "."
	}
	return text + "\n" + r.Chances.text(r.info)
}

// Chart shows the chance of a win by score, at three phases.
func (r *ScaleResult) Chart() report.Chart {
	c := report.Chart{
		Name: "study-scale", Title: "Chance of a win by score", Line: fmt.Sprintf("%d games, %d positions", r.Games, r.Positions),
		X: "score, " + r.info.Unit + "s", Y: "chance of a win, %",
	}
	if r.Chances == nil {
		return c
	}
	most := r.info.UnitsPerWin / 2
	for b := bands; b > 0; b -= 2 {
		phase := r.info.MaxPhase * b / bands
		for s := -most; s <= most; s++ {
			win, _, _ := r.Chances.At(float64(s), float64(phase)/float64(r.info.MaxPhase))
			c.Add(fmt.Sprintf("%d %s", phase, r.info.PhaseName), float64(s), 100*win)
		}
	}
	return c
}
