package weights

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/features/weightsfile"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/agreement"
	"kroo/internal/sheet"
	"kroo/regress"
)

// Info says what weights are and what made them.
type Info struct {
	Name       string               `json:"name"`
	Kind       string               `json:"kind"` // thesis, model or compiled
	Set        string               `json:"set"`
	Rules      string               `json:"rules"`
	Hash       string               `json:"hash"`           // of the weights
	Play       string               `json:"play,omitempty"` // of the tables: what artifacts record
	Columns    int                  `json:"columns"`
	Nonzero    int                  `json:"nonzero,omitempty"` // weights that are not 0
	Rounding   float64              `json:"rounding,omitempty"`
	Families   []familyInfo         `json:"families,omitempty"`
	Provenance *patterns.Provenance `json:"provenance,omitempty"`
	// Calibration says what scores are worth; nil if nobody has measured it.
	Calibration *weightsfile.Calibration `json:"calibration,omitempty"`
	Thesis      *features.Weights        `json:"thesis,omitempty"`

	of games.Info // of Thesis, or of a model of another game than oware
}

// familyInfo is the size of a family's weights.
type familyInfo struct {
	Name    string  `json:"name"`
	Columns int     `json:"columns"`
	Nonzero int     `json:"nonzero"`
	RMS     float64 `json:"rms"`     // root mean square of the weights that are not 0, points
	Largest float64 `json:"largest"` // largest absolute weight, points
}

// Info sums the weights up.
func (w *Weights) Info() Info {
	if t := w.Thesis; t != nil {
		return Info{Name: w.Name, Kind: "thesis", Set: t.Set, Rules: t.Rules, Hash: t.Hash(), Columns: len(t.Features), Thesis: t, of: w.of}
	}
	if w.Other != nil {
		return *w.Other
	}
	i := Info{Name: w.Name, Kind: "model"}
	if e := w.Compiled; e != nil {
		h := e.Header()
		i.Kind, i.Set, i.Rules, i.Hash, i.Play = "compiled", h.Set, h.Rules, h.Weights, e.Hash()
		i.Columns, i.Rounding, i.Provenance, i.Calibration = h.Columns, e.Rounding(), &h.Provenance, h.Calibration
	}
	if m := w.Model; m != nil {
		i.addModel(m.Set, m.Rules, m.Hash(), m.Weights, &m.Provenance)
		i.Calibration = cmp.Or(i.Calibration, m.Calibration)
	}
	return i
}

// OfModel sums up a file's model of a game's pattern sets. The game may have none.
func OfModel[P games.Position[P]](of features.Patterns[P], data []byte, file string) (i Info, err error) {
	if of.Parse == nil {
		return i, fmt.Errorf("%s: weights of patterns: expected others, since the game has no pattern features", file)
	}
	m, err := of.ParseModel(data, file)
	if err != nil {
		return i, err
	}
	i = Info{Name: file, Kind: "model", of: of.Game.Info}
	i.addModel(m.Set, m.Rules, m.Hash(), m.Weights, &m.Provenance)
	i.Calibration = m.Calibration
	return i, nil
}

// patternSet is a pattern set of any game.
type patternSet interface {
	weightsfile.Set
	Families() []features.Family
}

func (i *Info) addModel(s patternSet, rules, hash string, weights []float32, from *patterns.Provenance) {
	i.Set, i.Rules, i.Hash, i.Columns, i.Provenance = s.String(), rules, hash, s.Len(), from
	for _, f := range s.Families() {
		info, sum := familyInfo{Name: f.Name, Columns: f.To - f.From}, 0.0
		for _, x := range weights[f.From:f.To] {
			v := float64(x)
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
}

// Text is the sum for people.
func (i Info) Text() string { return i.sheet().Text(i.Name) }

func (i Info) sheet() *sheet.Sheet {
	s := &sheet.Sheet{Value: i, Title: fmt.Sprintf("%s weights %s for %s, set %s", i.Kind, i.Hash, i.Rules, i.Set)}
	if i.Thesis != nil {
		i.addThesis(s)
		return s
	}
	if i.Families == nil {
		s.Line(fmt.Sprintf("%d columns", i.Columns))
	} else {
		s.Line(fmt.Sprintf("%d columns, %d weights that are not 0", i.Columns, i.Nonzero))
	}
	if i.Play != "" {
		s.Line(fmt.Sprintf("tables %s, within %.2f centi-seeds of the weights", i.Play, i.Rounding))
	}
	if i.Families != nil {
		unit, perUnit := i.unit()
		s.Line()
		s.Line("family", "columns", "not 0", "root mean square", "largest, "+unit+"s")
		for _, f := range i.Families {
			s.Line(f.Name, f.Columns, f.Nonzero, fmt.Sprintf("%.3f", f.RMS/perUnit), fmt.Sprintf("%.3f", f.Largest/perUnit))
		}
	}
	addProvenance(s, i.Provenance)
	regress.AddCalibration(s, i.info(), i.Calibration)
	return s
}

// info is the game.
func (i Info) info() games.Info {
	if i.of.Name == "" { // patterns of oware
		return oware.Descriptor().Info
	}
	return i.of
}

// unit is what people count the game in, and its points.
func (i Info) unit() (name string, points float64) { return i.info().Unit, i.info().PointsPerUnit() }

// addThesis describes weights of an antisymmetric set, of any game.
func (i Info) addThesis(s *sheet.Sheet) {
	w := i.Thesis
	unit, perUnit := i.unit()
	s.Title, s.Value = strings.TrimPrefix(s.Title, "thesis "), w
	if w.Columns != nil {
		s.Line(fmt.Sprintf("computed by another program: %s; no engine plays these weights, train evaluate measures them", strings.Join(w.Columns, ", ")))
	}
	for _, x := range [][2]string{{"rows where", w.Provenance.Where}, {"weights of rows", w.Provenance.Weight}} {
		if x[1] != "" {
			s.Line(x[0], x[1])
		}
	}
	s.Line()
	s.Line("feature", unit+"s", "± standard error")
	for i, name := range w.Features {
		cells := []any{name, fmt.Sprintf("%+.3f", w.Points[i]/perUnit)}
		if i < len(w.StdErr) {
			cells = append(cells, fmt.Sprintf("%.3f", w.StdErr[i]/perUnit))
		}
		s.Line(cells...)
	}
	if w.Errors != nil {
		s.Line("standard errors: " + w.Errors.String())
	}
	if aliased := w.Provenance.Aliased; aliased != nil {
		s.Line("no weight (NA), since the features before determine them: " + strings.Join(aliased, ", "))
	}
	s.Line()
	for _, f := range []struct {
		name string
		fit  *agreement.Doubled
	}{{"training", w.Train}, {"validation", w.Validation}} {
		if f.fit != nil {
			s.Line(fmt.Sprintf("%s: %d rows, R %.4f, R² %.4f, MAE %.2f %ss, RMSE %.2f", f.name, f.fit.Rows, f.fit.R, f.fit.R2, f.fit.MAE/perUnit, unit, f.fit.RMSE/perUnit))
		}
	}
	if p := w.Provenance; len(p.Removed) > 0 {
		s.Line(fmt.Sprintf("selection: %s; removed %s", p.Selection, strings.Join(p.Removed, ", ")))
	}
	regress.AddCalibration(s, i.info(), w.Calibration)
}

// addProvenance says what is known of the origin, a line each.
func addProvenance(s *sheet.Sheet, p *patterns.Provenance) {
	if p == nil {
		return
	}
	s.Line()
	line := func(name, value string) {
		if value != "" {
			s.Line(name, value)
		}
	}
	line("name", p.Name)
	line("source", p.Source)
	line("fitted by", p.Tool)
	line("labels", p.Labels)
	line("engine", p.Engine)
	line("datasets", strings.Join(p.Datasets, " "))
	line("rows where", p.Where)
	line("weights of rows", p.Weight)
	line("round before", p.Parent)
	line("prior", p.Prior)
	if p.Round > 0 {
		s.Line("round", p.Round)
	}
	line("loss", p.Loss)
	if p.Scale > 0 {
		s.Line("scale", fmt.Sprintf("%g centi-seeds", p.Scale))
	}
	for _, name := range slices.Sorted(maps.Keys(p.Ridge)) {
		s.Line("ridge of "+name, p.Ridge[name])
	}
	for _, name := range slices.Sorted(maps.Keys(p.Stats)) {
		s.Line(name, fmt.Sprintf("%.6g", p.Stats[name]))
	}
	line("note", p.Note)
}
