package serve

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"kroo/games"
	"kroo/match/elo"
	"kroo/run"
)

// figureNames are the figures of a run that matter, with the way to each: its stage and
// the keys that lead to it, or the figures of a match.
var figureNames = []struct {
	path, name string
	show       func(v any) string
}{
	{"label-noise/changed", "labels that another search changes", share},
	{"label-noise/ceilingR", "R, the largest possible", decimals},
	{"fit/captures/validation/r", "R of captures alone", decimals},
	{"fit/full/validation/r", "R with all features", decimals},
	{"fit/selected/validation/r", "R with the features kept", decimals},
	{"fit/selected/validation/mae", "mean error with the features kept, in seeds", inSeeds},
	{"fit/selected/features", "features kept", counted},
	{"patterns/validation/r", "R of patterns", decimals},
	{"patterns/validation/mae", "mean error of patterns, in seeds", inSeeds},
	{"patterns/weights", "weights of patterns", whole},
	{"match", "fitted weights against captures", nil},
	{"champion-match", "fitted weights against the program's own", nil},
	{"patterns-match", "patterns against seed counts", nil},
	{"book/entries", "positions of the book", whole},
	{"book/best", "first move of the book", func(v any) string { return fmt.Sprint(v) }},
	{"book/best_points", "its value, in seeds", inSeeds},
	{"book-play", "with the book against without", nil},
}

// figuresOf are the named figures of the stages that a run has finished, which validation
// data measured: those of the training data flatter.
func figuresOf(m *run.Manifest) [][2]string {
	stages := map[string]any{}
	for _, s := range m.Stages {
		var v any
		if json.Unmarshal(s.Figures, &v) == nil {
			stages[s.Name] = v
		}
	}
	list := [][2]string{}
	for _, f := range figureNames {
		v := lookUp(stages, f.path)
		switch {
		case v == nil:
		case f.show == nil:
			list = append(list, matchFigures(f.name, v)...)
		default:
			list = append(list, [2]string{f.name, f.show(v)})
		}
	}
	return list
}

// lookUp follows keys, nil if there is no such way.
func lookUp(v any, path string) any {
	for key := range strings.SplitSeq(path, "/") {
		keys, _ := v.(map[string]any)
		v = keys[key]
	}
	return v
}

// matchFigures are those of a match: the recorded score has the lead with its interval.
func matchFigures(name string, v any) (list [][2]string) {
	if seeds, ok := lookUp(v, "seeds").(float64); ok {
		bar, _ := lookUp(v, "seeds_bar").(float64)
		list = append(list, [2]string{name + ": seeds a game", fmt.Sprintf("%s ± %.1f", elo.Signed(1)(seeds), bar)})
	}
	var score elo.Score
	text, err := json.Marshal(lookUp(v, "score"))
	if err = cmp.Or(err, json.Unmarshal(text, &score)); err != nil || score.Games() == 0 {
		return list
	}
	lead, in := score.Elo()
	return append(list, [2]string{name + ": Elo", in.Text(lead, elo.Signed(1))},
		[2]string{name + ": won, drawn, lost", fmt.Sprintf("%d, %d, %d", score.Wins, score.Draws, score.Losses)})
}

func numbered(format string, change func(float64) float64) func(any) string {
	return func(v any) string {
		n, ok := v.(float64)
		if !ok {
			return "–"
		}
		return fmt.Sprintf(format, change(n))
	}
}

var (
	same     = func(n float64) float64 { return n }
	decimals = numbered("%.4f", same)
	whole    = numbered("%.0f", same)
	share    = numbered("%.1f %%", func(n float64) float64 { return 100 * n })
	inSeeds  = numbered("%.2f", func(points float64) float64 { return points * float64(kit.Game.UnitsPerWin) / games.MaxPoints })
)

// counted is how many there are in a list.
func counted(v any) string {
	list, _ := v.([]any)
	return fmt.Sprint(len(list))
}
