package features

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/doc"
)

// Facts describes weights and their origin.
type Facts struct {
	Name       string       `json:"name"`
	Kind       string       `json:"kind"` // thesis, model or compiled
	Set        string       `json:"set"`
	Rules      string       `json:"rules"`
	Hash       string       `json:"hash"`           // of the weights
	Play       string       `json:"play,omitempty"` // of the tables; recorded in files made with them
	Columns    int          `json:"columns"`
	Nonzero    int          `json:"nonzero,omitempty"` // number of nonzero weights
	Rounding   float64      `json:"rounding,omitempty"`
	Families   []familyInfo `json:"families,omitempty"`
	Provenance *Provenance  `json:"provenance,omitempty"`
	// Calibration converts scores to chances; nil if unknown.
	Calibration *Calibration `json:"calibration,omitempty"`
	Thesis      *Weights     `json:"thesis,omitempty"`

	of games.Info
}

// familyInfo describes the size of a family's weights.
type familyInfo struct {
	Name    string  `json:"name"`
	Columns int     `json:"columns"`
	Nonzero int     `json:"nonzero"`
	RMS     float64 `json:"rms"`     // root mean square of the nonzero weights, points
	Largest float64 `json:"largest"` // largest absolute weight, points
}

// Facts implements [Loaded].
func (o *Opened[P]) Facts() Facts {
	if t := o.Named; t != nil {
		return Facts{
			Name:    o.Name,
			Kind:    "thesis",
			Set:     t.Set,
			Rules:   t.Rules,
			Hash:    t.Hash(),
			Columns: len(t.Features),
			Thesis:  t,
			of:      o.Game.Info,
		}
	}
	i := Facts{Name: o.Name, Kind: "model", of: o.Game.Info}
	if e := o.Tables; e != nil {
		h := e.Header()
		i.Kind = "compiled"
		i.Set = h.Set
		i.Rules = h.Rules
		i.Hash = h.Weights
		i.Play = e.Hash()
		i.Columns = h.Columns
		i.Rounding = e.Rounding()
		i.Provenance = &h.Provenance
		i.Calibration = h.Calibration
	}
	m := o.Model
	if m == nil {
		return i
	}
	i.Set = m.Set.String()
	i.Rules = m.Rules
	i.Hash = m.Hash()
	i.Columns = m.Set.Len()
	i.Provenance = &m.Provenance
	i.Calibration = cmp.Or(i.Calibration, m.Calibration)
	for _, f := range m.Set.Families() {
		info, sum := familyInfo{Name: f.Name, Columns: f.To - f.From}, 0.0
		for _, v := range m.Weights[f.From:f.To] {
			if v != 0 {
				info.Nonzero++
			}
			sum += v * v
			info.Largest = max(info.Largest, math.Abs(v))
		}
		if info.Nonzero > 0 {
			info.RMS = math.Sqrt(sum / float64(info.Nonzero))
		}
		i.Families, i.Nonzero = append(i.Families, info), i.Nonzero+info.Nonzero
	}
	return i
}

// Doc formats the facts.
func (i Facts) Doc() *doc.Doc {
	d := &doc.Doc{Value: i, Title: fmt.Sprintf("%s weights %s for %s, set %s", i.Kind, i.Hash, i.Rules, i.Set)}
	if i.Thesis != nil {
		i.addThesis(d)
		return d
	}
	d.Lead = []string{fmt.Sprintf("%d columns", i.Columns)}
	if i.Play != "" {
		d.Lead = append(d.Lead, fmt.Sprintf("tables %s, within %.2f centi-seeds of the weights", i.Play, i.Rounding))
	}
	if i.Families != nil {
		d.Lead[0] = fmt.Sprintf("%d columns, %d nonzero weights", i.Columns, i.Nonzero)
		unit, perUnit := i.of.Unit, i.of.PointsPerUnit()
		d.Add(doc.Section{Table: doc.TableOf([]string{"family", "columns", "nonzero", "root mean square",
			"largest, " + unit + "s"}, i.Families, func(f familyInfo) []any {
			return []any{f.Name, f.Columns, f.Nonzero, doc.Significant(f.RMS/perUnit, 4),
				doc.Significant(f.Largest/perUnit, 4)}
		})})
	}
	d.Origin = origin(i.Provenance)
	AddCalibration(d, i.of, i.Calibration)
	return d
}

// addThesis adds facts about weights of an antisymmetric set.
func (i Facts) addThesis(d *doc.Doc) {
	w := i.Thesis
	unit, perUnit := i.of.Unit, i.of.PointsPerUnit()
	d.Title, d.Value = strings.TrimPrefix(d.Title, "thesis "), w
	if w.Columns != nil {
		d.Lead = []string{fmt.Sprintf("computed by another program: %s; no engine can play with these weights; train evaluate measures them", strings.Join(w.Columns, ", "))}
	}
	d.Facts = doc.Facts("rows where", w.Provenance.Where, "weights of rows", w.Provenance.Weight)
	one := doc.Section{Table: doc.NewTable("feature", unit+"s", "± standard error")}
	for i, name := range w.Features {
		stdErr := math.NaN()
		if i < len(w.StdErr) {
			stdErr = w.StdErr[i]
		}
		weight, errText := doc.FormatEstimate(w.Points[i]/perUnit, stdErr/perUnit)
		if w.Points[i] > 0 {
			weight = "+" + weight
		}
		one.Table.Add(name, weight, errText)
	}
	var notes []string
	if w.Errors != nil {
		notes = append(notes, "standard errors: "+w.Errors.Describe(len(w.Provenance.Removed) > 0))
	}
	if aliased := w.Provenance.Aliased; aliased != nil {
		notes = append(notes, "no weight (NA), combinations of earlier features: "+strings.Join(aliased, ", "))
	}
	one.Note = strings.Join(notes, "\n")
	d.Add(one)
	fit := doc.Section{}
	for _, f := range []struct {
		name string
		fit  *agreement.Doubled
	}{{"training", w.Train}, {"validation", w.Validation}} {
		if f.fit != nil {
			fit.Facts = append(fit.Facts,
				doc.Fact{Name: f.name, Value: fmt.Sprintf("%d rows, R %.4f, R² %.4f, MAE %.2f %ss, RMSE %.2f",
					f.fit.Rows, f.fit.R, f.fit.R2, f.fit.MAE/perUnit, unit, f.fit.RMSE/perUnit)})
		}
	}
	if p := w.Provenance; len(p.Removed) > 0 {
		fit.Facts = append(fit.Facts,
			doc.Facts("selection", fmt.Sprintf("%s; removed %s", p.Selection, strings.Join(p.Removed, ", ")))...)
	}
	if fit.Facts != nil {
		d.Add(fit)
	}
	AddCalibration(d, i.of, w.Calibration)
}

// origin lists the known origin of pattern weights.
func origin(p *Provenance) []doc.Fact {
	if p == nil {
		return nil
	}
	round, scale := "", ""
	if p.Round > 0 {
		round = fmt.Sprint(p.Round)
	}
	if p.Scale > 0 {
		scale = fmt.Sprintf("%g centi-seeds", p.Scale)
	}
	all := doc.Facts("name", p.Name, "source", p.Source, "fitted by", p.Tool, "labels", p.Labels, "engine", p.Engine,
		"datasets", strings.Join(p.Datasets, " "),
		"rows where", p.Where, "weights of rows", p.Weight, "previous round", p.Parent, "prior", p.Prior, "round", round, "loss", p.Loss, "scale", scale)
	for _, name := range slices.Sorted(maps.Keys(p.Ridge)) {
		all = append(all, doc.Fact{Name: "ridge of " + name, Value: fmt.Sprint(p.Ridge[name])})
	}
	for _, name := range slices.Sorted(maps.Keys(p.Stats)) {
		all = append(all, doc.Fact{Name: name, Value: fmt.Sprintf("%.6g", p.Stats[name])})
	}
	return append(all, doc.Facts("note", p.Note)...)
}

// Calibration converts search scores with some weights to the chances of a win, a draw and a loss
// and the expected final margin, by a proportional-odds logistic model (McCullagh 1980) of game
// results,
//
//	win = 1/(1+exp(Draw−Rate·score)), loss = 1/(1+exp(Draw+Rate·score)), draw = the rest,
//
// and a line through the origin, margin = Margin·score. Rate and Draw change linearly with the
// phase; Margin with its square, which fits oware better. The values are those at phase 0 and at
// the game's largest phase. Errors are standard errors, clustered by game. The chances are those of
// such games, not of perfect play.
type Calibration struct {
	Rate      [2]float64 `json:"rate"` // per unit of score
	RateErr   [2]float64 `json:"rate_err"`
	Draw      [2]float64 `json:"draw"`
	DrawErr   [2]float64 `json:"draw_err"`
	Margin    [2]float64 `json:"margin"` // units of final margin per unit of score; 0 if unknown
	MarginErr [2]float64 `json:"margin_err"`

	Games     int     `json:"games"`
	Positions int     `json:"positions"`
	Loss      float64 `json:"loss"`   // mean −log likelihood of a position's result
	Scores    string  `json:"scores"` // origin of the scores, such as "nodes 10000, default tables"
}

// Chances returns the chances at a score in the game's units, for the side with that score. part is
// the phase as a fraction of the game's largest.
func (c *Calibration) Chances(score, part float64) (win, draw, loss float64) {
	x := score * Along(c.Rate, part)
	d := Along(c.Draw, part)
	win = Logistic(x - d)
	loss = Logistic(-x - d)
	draw = max(0, 1-win-loss) // else a rounding error may be below 0 without draws
	return win, draw, loss
}

// ExpectedMargin returns the expected final difference at a score, both in the game's units,
// limited to ±most, the largest possible margin.
func (c *Calibration) ExpectedMargin(score, part, most float64) float64 {
	return max(-most, min(most, score*Along(c.Margin, part*part)))
}

// Along interpolates linearly between the values at 0 and 1.
func Along(ends [2]float64, part float64) float64 { return ends[0]*(1-part) + ends[1]*part }

// Logistic is the logistic function.
func Logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Check refuses values that no games can lead to. A nil calibration is valid.
func (c *Calibration) Check() error {
	if c == nil {
		return nil
	}
	for _, x := range []struct {
		name        string
		values      [2]float64
		least, most float64
	}{
		{"rate", c.Rate, -100, 100}, {"draw", c.Draw, 0, 100}, {"margin", c.Margin, -1000, 1000},
	} {
		for _, v := range x.values {
			if !(v >= x.least && v <= x.most) {
				return fmt.Errorf("calibration: %s is %v: expected %g to %g", x.name, v, x.least, x.most)
			}
		}
	}
	return nil
}

// AddCalibration adds a description to a document: the model, and its values at some scores and
// phases.
func AddCalibration(s *doc.Doc, info games.Info, c *Calibration) {
	if c == nil {
		return
	}
	t := doc.NewTable(info.PhaseName, "score, "+info.Unit+"s", "win", "draw", "loss", "expected margin")
	most := float64(info.MaxPhase)
	for _, phase := range []int{info.MaxPhase, info.MaxPhase / 2, info.MaxPhase / 4} {
		for _, score := range []float64{0, 1, 3} {
			part := float64(phase) / most
			win, draw, loss := c.Chances(score, part)
			t.Add(phase, fmt.Sprintf("%+g", score), Percent(win), Percent(draw), Percent(loss),
				fmt.Sprintf("%+.1f", c.ExpectedMargin(score, part, most)))
		}
	}
	s.Add(doc.Section{Text: []string{fmt.Sprintf("Chances and expected margin by score, from %d positions of %d games (scores %s):", c.Positions, c.Games, c.Scores)}, Table: t})
	ends := func(v, e [2]float64) string {
		return fmt.Sprintf("%.4f ± %.4f at 0 %s, %.4f ± %.4f at %d", v[0], e[0], info.PhaseName, v[1], e[1], info.MaxPhase)
	}
	s.Add(doc.Section{
		Text: []string{"win 1/(1+exp(draw-rate*score)), loss 1/(1+exp(draw+rate*score)), expected margin margin*score. Between the ends rate and draw are linear in the phase, margin in its square:"},
		Facts: doc.Facts("rate", ends(c.Rate, c.RateErr), "draw", ends(c.Draw, c.DrawErr), "margin",
			ends(c.Margin, c.MarginErr)),
		Note: fmt.Sprintf("mean -log likelihood %.4f", c.Loss),
	})
}

// Percent formats a fraction in whole per cent.
func Percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
