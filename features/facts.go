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
	"kroo/internal/outline"
	"kroo/internal/wording"
)

// Facts describes weights and their origin.
type Facts struct {
	Name       string       `json:"name"`
	Kind       string       `json:"kind"` // linear, model or compiled
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
	Linear      *Weights     `json:"linear,omitempty"` // of the kind linear

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

// Facts implements [AnyWeights].
func (o *Opened[P]) Facts() Facts {
	if t := o.Named; t != nil {
		return Facts{
			Name:    o.Name,
			Kind:    "linear",
			Set:     t.Set,
			Rules:   t.Rules,
			Hash:    t.Hash(),
			Columns: len(t.Features),
			Linear:  t,
			of:      o.Game.Info,
		}
	}
	i := Facts{Name: o.Name, Kind: "model", of: o.Game.Info}
	if e := o.Tables; e != nil {
		h := e.Header()
		i.Kind = "compiled"
		i.Set = h.Set
		i.Rules = h.Rules
		i.Hash = h.ModelHash
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
		info := familyInfo{Name: f.Name, Columns: f.To - f.From}
		sum := 0.0
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
		i.Families = append(i.Families, info)
		i.Nonzero += info.Nonzero
	}
	return i
}

// Doc formats the facts.
func (i Facts) Doc() *outline.Doc {
	d := &outline.Doc{Value: i, Title: fmt.Sprintf("%s weights %s for %s, set %s", i.Kind, i.Hash, i.Rules, i.Set)}
	if i.Linear != nil {
		i.addLinear(d)
		return d
	}
	d.Lead = []string{fmt.Sprintf("%d columns", i.Columns)}
	if i.Play != "" {
		d.Lead = append(d.Lead, fmt.Sprintf("tables %s, within %s %ss of the weights", i.Play,
			outline.Significant(i.Rounding/100, 2),
			i.of.Unit))
	}
	if i.Families != nil {
		d.Lead[0] = fmt.Sprintf("%d columns, %d nonzero weights", i.Columns, i.Nonzero)
		unit, perUnit := i.of.Unit, i.of.PointsPerUnit()
		d.Add(outline.Section{Table: outline.TableOf([]string{"family", "columns", "nonzero", "root mean square",
			"largest, " + unit + "s"}, i.Families, func(f familyInfo) []any {
			return []any{f.Name, f.Columns, f.Nonzero, outline.Significant(f.RMS/perUnit, 4),
				outline.Significant(f.Largest/perUnit, 4)}
		})})
	}
	d.Origin = origin(i.Provenance, i.of)
	AddCalibration(d, i.of, i.Calibration)
	return d
}

// addLinear adds facts about weights of an antisymmetric set.
func (i Facts) addLinear(d *outline.Doc) {
	w := i.Linear
	unit, perUnit := i.of.Unit, i.of.PointsPerUnit()
	d.Title = strings.TrimPrefix(d.Title, "linear ")
	d.Value = w
	if w.Columns != nil {
		d.Lead = []string{fmt.Sprintf("computed by another program: %s; no engine can play with these weights; "+
			"train evaluate measures them",
			strings.Join(w.Columns, ", "))}
	}
	d.Facts = outline.Facts("rows where", w.Provenance.Where, "weights of rows", w.Provenance.Weight)
	one := outline.Section{Table: outline.NewTable("feature", unit+"s", "± standard error")}
	for i, name := range w.Features {
		stdErr := math.NaN()
		if i < len(w.StdErr) {
			stdErr = w.StdErr[i]
		}
		weight, errText := outline.FormatEstimate(w.Points[i]/perUnit, stdErr/perUnit)
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
	fit := outline.Section{}
	for _, f := range []struct {
		name string
		fit  *agreement.Doubled
	}{{"training", w.Train}, {"validation", w.Validation}} {
		if f.fit != nil {
			fit.Facts = append(fit.Facts,
				outline.Fact{Name: f.name, Value: fmt.Sprintf("%d rows, R %.4f, R² %.4f, MAE %.2f %ss, RMSE %.2f",
					f.fit.Rows, f.fit.R, f.fit.R2, f.fit.MAE/perUnit, unit, f.fit.RMSE/perUnit)})
		}
	}
	if p := w.Provenance; len(p.Removed) > 0 {
		fit.Facts = append(fit.Facts,
			outline.Facts("selection", fmt.Sprintf("%s; removed %s", p.Selection, strings.Join(p.Removed, ", ")))...)
	}
	if fit.Facts != nil {
		d.Add(fit)
	}
	AddCalibration(d, i.of, w.Calibration)
}

// origin lists the known origin of pattern weights.
func origin(p *Provenance, game games.Info) []outline.Fact {
	if p == nil {
		return nil
	}
	round, scale := "", ""
	if p.Round > 0 {
		round = fmt.Sprint(p.Round)
	}
	if p.Scale > 0 {
		scale = fmt.Sprintf("%g hundredths of a %s", p.Scale, game.Unit)
	}
	all := outline.Facts("name", p.Name, "source", p.Source, "labels", p.Labels, "engine", wording.WithoutIDs(p.Engine),
		"rows where", p.Where, "weights of rows", p.Weight, "previous round", p.Parent, "prior", p.Prior, "round", round, "loss", p.Loss, "scale", scale)
	for _, name := range slices.Sorted(maps.Keys(p.Ridge)) {
		all = append(all, outline.Fact{Name: "ridge of " + name, Value: fmt.Sprint(p.Ridge[name])})
	}
	for _, name := range slices.Sorted(maps.Keys(p.Stats)) {
		all = append(all, outline.Fact{Name: statName(name), Value: statText(game, name, p.Stats[name])})
	}
	return append(all, outline.Facts("note", p.Note)...)
}

// statName returns the name of a statistic for people: "validation MAE" for validation_mae.
func statName(key string) string {
	words := strings.Split(key, "_")
	for i, word := range words {
		if slices.Contains([]string{"r", "mae", "rmse"}, word) {
			words[i] = strings.ToUpper(word)
		}
	}
	return strings.Join(words, " ")
}

// statText formats a statistic: an error, which is in points, in the game's unit; a count as it is; others with six
// digits.
func statText(game games.Info, name string, x float64) string {
	if strings.HasSuffix(name, "mae") || strings.HasSuffix(name, "rmse") {
		return fmt.Sprintf("%.2f %ss", x/game.PointsPerUnit(), game.Unit)
	}
	if x == math.Trunc(x) {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.6g", x)
}
