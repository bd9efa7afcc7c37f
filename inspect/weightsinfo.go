package inspect

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
)

// centiSeeds is what a point is worth in centi-seeds.
const centiSeeds = oware.CentiSeedsPerPoint

func rounded(x float64) int { return int(math.Round(x)) }

// WeightsInfo says what weights are and what made them.
type WeightsInfo struct {
	Name       string               `json:"name"`
	Kind       string               `json:"kind"` // thesis, model or compiled
	Set        string               `json:"set"`
	Rules      string               `json:"rules"`
	Hash       string               `json:"hash"`           // of the weights
	Play       string               `json:"play,omitempty"` // of the tables: what artifacts record
	Columns    int                  `json:"columns"`
	Nonzero    int                  `json:"nonzero,omitempty"` // weights that are not 0
	Rounding   float64              `json:"rounding,omitempty"`
	Families   []FamilyInfo         `json:"families,omitempty"`
	Provenance *patterns.Provenance `json:"provenance,omitempty"`
	Thesis     *features.Weights    `json:"thesis,omitempty"`

	of games.Info // of Thesis
}

// FamilyInfo is the size of a family's weights.
type FamilyInfo struct {
	Name    string  `json:"name"`
	Columns int     `json:"columns"`
	Nonzero int     `json:"nonzero"`
	RMS     float64 `json:"rms"`     // root mean square of the weights that are not 0, points
	Largest float64 `json:"largest"` // largest absolute weight, points
}

// Info sums the weights up.
func (w *Weights) Info() WeightsInfo {
	if t := w.Thesis; t != nil {
		return WeightsInfo{Name: w.Name, Kind: "thesis", Set: t.Set, Rules: t.Rules, Hash: t.Hash(), Columns: len(t.Features), Thesis: t, of: w.of}
	}
	i := WeightsInfo{Name: w.Name, Kind: "model"}
	if e := w.Compiled; e != nil {
		h := e.Header()
		i.Kind, i.Set, i.Rules, i.Hash, i.Play = "compiled", h.Set, h.Rules, h.Weights, e.Hash()
		i.Columns, i.Rounding, i.Provenance = h.Columns, e.Rounding(), &h.Provenance
	}
	if m := w.Othello; m != nil {
		i.Set, i.Rules, i.Hash, i.Columns, i.Provenance = m.Set.String(), m.Set.Rules().String(), m.Hash(), m.Set.Len(), &m.Provenance
		i.addFamilies(m.Set.Families(), m.Weights)
	}
	if m := w.Model; m != nil {
		i.Set, i.Rules, i.Hash, i.Columns, i.Provenance = m.Set.String(), m.Rules, m.Hash(), m.Set.Len(), &m.Provenance
		i.addFamilies(m.Set.Families(), m.Weights)
	}
	return i
}

func (i *WeightsInfo) addFamilies(all []features.Family, weights []float32) {
	for _, f := range all {
		info := familyInfo(f, weights[f.From:f.To])
		i.Families, i.Nonzero = append(i.Families, info), i.Nonzero+info.Nonzero
	}
}

func familyInfo(f features.Family, weights []float32) FamilyInfo {
	i := FamilyInfo{Name: f.Name, Columns: len(weights)}
	sum := 0.0
	for _, x := range weights {
		v := float64(x)
		if v != 0 {
			i.Nonzero++
		}
		sum += v * v
		i.Largest = max(i.Largest, math.Abs(v))
	}
	if i.Nonzero > 0 {
		i.RMS = math.Sqrt(sum / float64(i.Nonzero))
	}
	return i
}

// Text is the sum for people.
func (i WeightsInfo) Text() string {
	if i.Thesis != nil {
		return thesisText(i.Name, i.Thesis, i.of)
	}
	return columns(func(w io.Writer) {
		fmt.Fprintf(w, "%s: %s weights %s for %s, set %s\n", i.Name, i.Kind, i.Hash, i.Rules, i.Set)
		fmt.Fprintf(w, "%d columns", i.Columns)
		if i.Families != nil {
			fmt.Fprintf(w, ", %d weights that are not 0", i.Nonzero)
		}
		fmt.Fprintln(w)
		if i.Play != "" {
			fmt.Fprintf(w, "tables %s, within %.2f centi-seeds of the weights\n", i.Play, i.Rounding)
		}
		if i.Families != nil {
			fmt.Fprintln(w, "\nfamily\tcolumns\tnot 0\troot mean square\tlargest, points")
			for _, f := range i.Families {
				fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t%.2f\n", f.Name, f.Columns, f.Nonzero, f.RMS, f.Largest)
			}
		}
		writeProvenance(w, i.Provenance)
	})
}

// writeProvenance writes what is known of the origin, a line each.
func writeProvenance(w io.Writer, p *patterns.Provenance) {
	if p == nil {
		return
	}
	fmt.Fprintln(w)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, value)
		}
	}
	line("name", p.Name)
	line("source", p.Source)
	line("fitted by", p.Tool)
	line("labels", p.Labels)
	line("engine", p.Engine)
	line("datasets", strings.Join(p.Datasets, " "))
	line("round before", p.Parent)
	line("prior", p.Prior)
	if p.Round > 0 {
		line("round", fmt.Sprint(p.Round))
	}
	line("loss", p.Loss)
	if p.Scale > 0 {
		line("scale", fmt.Sprintf("%g centi-seeds", p.Scale))
	}
	for _, name := range slices.Sorted(maps.Keys(p.Ridge)) {
		line("ridge of "+name, fmt.Sprint(p.Ridge[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(p.Stats)) {
		line(name, fmt.Sprintf("%.6g", p.Stats[name]))
	}
	line("note", p.Note)
}
