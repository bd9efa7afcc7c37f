package profile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/sheet"
	"kroo/report"
)

// featureSections are what there is to say of features.
func (s *Profile) featureSections() []section {
	if len(s.Features) == 0 {
		return nil
	}
	text := []string{fmt.Sprintf("Differences, own minus the other side's. r is the correlation with the label; partial is the same once the other features "+
		"have explained what they can of both. Weights are %ss per unit of difference, alone and together with all others; vif is by how much correlation "+
		"with them widens the variance of the weight.", s.game.Unit)}
	if s.Errors != nil {
		text = append(text, "Standard errors: "+s.Errors.String()+".")
	}
	text = append(text, s.degenerate()...)
	all := []section{{heading: "features", text: strings.Join(text, "\n"), table: s.featureTable()}}
	if part := s.partSection(); part != nil {
		all = append(all, *part)
	}
	all = append(all, s.correlationSection())
	if s.Influence != nil {
		all = append(all, s.influenceSections()...)
	}
	return append(all, s.effectSections()...)
}

func (s *Profile) featureTable() [][]string {
	all := [][]string{{"feature", "mean", "sd", "r", "partial", "alone", "together", "± error", "vif"}}
	for _, f := range s.Features {
		row := []string{f.Name, fmt.Sprintf("%.3f", f.Mean), fmt.Sprintf("%.3f", f.SD), fmt.Sprintf("%.3f", f.R), partialText(f.Partial), fmt.Sprintf("%.3f", s.inUnits(f.Alone)), "–", "–", "–"}
		if f.Together != nil {
			row[6], row[8] = fmt.Sprintf("%.3f", s.inUnits(*f.Together)), fmt.Sprintf("%.1f", *f.VIF)
		}
		if f.StdErr != nil {
			row[7] = fmt.Sprintf("%.3f", s.inUnits(*f.StdErr))
		}
		all = append(all, row)
	}
	return all
}

func partialText(r *float64) string {
	if r == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f", *r)
}

// partSection has the correlations of each feature with the label by part of the game; nil where
// there is one part only.
func (s *Profile) partSection() *section {
	parts := s.Features[0].Parts
	if len(parts) < 2 {
		return nil
	}
	name := func(p FeaturePart) string { return fmt.Sprintf("%d–%d", p.From, p.To) }
	table := [][]string{{"feature", ""}}
	rows := []string{"", "rows"}
	for _, p := range parts {
		table[0] = append(table[0], name(p))
		rows = append(rows, fmt.Sprint(p.Rows))
	}
	table = append(table, rows)
	r := report.Chart{Name: "r-by-part", Title: "Correlation with the label by " + s.PhaseName, X: s.PhaseName, Y: "r",
		Caption: "Level curves: the feature says the same about the label in every part of the game. Sloping ones need a weight for each part."}
	partial := report.Chart{Name: "partial-by-part", Title: "Partial correlation with the label by " + s.PhaseName, X: s.PhaseName, Y: "partial r",
		Caption: "What each feature says that the others do not: near 0 it can go."}
	drawn := s.strongest(maxDrawn)
	for j, f := range s.Features {
		plain, rest := []string{f.Name, "r"}, []string{"", "partial"}
		for _, p := range f.Parts {
			constant := p.Partial == nil && p.R == 0 // it, or the label
			if constant {
				plain = append(plain, partialText(nil))
			} else {
				plain = append(plain, partialText(&p.R))
			}
			rest = append(rest, partialText(p.Partial))
			if at := float64(p.From+p.To) / 2; slices.Contains(drawn, j) && !constant {
				r.Add(f.Name, at, p.R)
				if p.Partial != nil {
					partial.Add(f.Name, at, *p.Partial)
				}
			}
		}
		table = append(table, plain, rest)
	}
	figures := drawnCharts(r, partial)
	return &section{heading: "correlations with the label by " + s.PhaseName, table: table, figures: figures,
		text: "A feature whose correlation changes from part to part needs a weight for each part."}
}

// maxDrawn is how many features a chart has curves of.
const maxDrawn = 12

// strongest are the features of the largest correlations with the label, in their order.
func (s *Profile) strongest(most int) []int {
	all := make([]int, len(s.Features))
	for j := range all {
		all[j] = j
	}
	slices.SortStableFunc(all, func(i, j int) int {
		return cmp.Compare(math.Abs(s.Features[j].R), math.Abs(s.Features[i].R))
	})
	all = all[:min(len(all), most)]
	slices.Sort(all)
	return all
}

// What a table and a map of correlations have room for.
const (
	mostInTable = 12
	mostInMap   = 48
	mostPairs   = 20
)

func (s *Profile) correlationSection() section {
	one := section{heading: "correlations of features", figures: []func() (report.Figure, error){s.correlationMap}}
	if table := s.correlationTable(); len(s.Features) <= mostInTable && sheet.Width(table) <= screen {
		one.text = "In percent. Two features near ±100 say the same: their weights cannot be told apart."
		one.table = table
		return one
	}
	one.text = fmt.Sprintf("The strongest of %d pairs. Two features near ±1 say the same: their weights cannot be told apart.", len(s.Features)*(len(s.Features)-1)/2)
	one.table = s.strongestPairs()
	return one
}

func (s *Profile) correlationTable() [][]string {
	all := [][]string{{"feature"}}
	for _, f := range s.Features {
		all[0] = append(all[0], f.Name)
		row := []string{f.Name}
		for _, r := range f.With {
			row = append(row, strings.Replace(fmt.Sprintf("%.0f", 100*r), "-0", "0", 1))
		}
		all = append(all, row)
	}
	return all
}

func (s *Profile) strongestPairs() [][]string {
	type pair struct{ i, j int }
	var pairs []pair
	for i := range s.Features {
		for j := range i {
			pairs = append(pairs, pair{j, i})
		}
	}
	size := func(p pair) float64 { return math.Abs(s.Features[p.i].With[p.j]) }
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(size(b), size(a)) })
	all := [][]string{{"feature", "and", "r"}}
	for _, p := range pairs[:min(len(pairs), mostPairs)] {
		all = append(all, []string{s.Features[p.i].Name, s.Features[p.j].Name, fmt.Sprintf("%+.3f", s.Features[p.i].With[p.j])})
	}
	return all
}

// correlationMap draws the correlations of the features with each other and with the label.
func (s *Profile) correlationMap() (report.Figure, error) {
	chosen := s.strongest(mostInMap)
	m := report.Correlations{Name: "correlations", Title: "Correlations of the label and the features", Names: []string{"label"}}
	if len(chosen) < len(s.Features) {
		m.Line = fmt.Sprintf("the %d of %d features with the largest correlations with the label", len(chosen), len(s.Features))
	}
	first := []float64{1}
	for _, j := range chosen {
		first = append(first, s.Features[j].R)
		m.Names = append(m.Names, s.Features[j].Name)
	}
	m.Values = [][]float64{first}
	for _, j := range chosen {
		row := []float64{s.Features[j].R}
		for _, k := range chosen {
			row = append(row, s.Features[j].With[k])
		}
		m.Values = append(m.Values, row)
	}
	return m.Draw()
}

func (s *Profile) influenceSections() []section {
	f := s.Influence
	text := fmt.Sprintf("A row's leverage is how far its own label moves what the fit of all features predicts for it. The leverages add up to the number of weights, "+
		"%d, so that the mean is %.3g. Rows above twice the mean deserve a look (the usual threshold: Hoaglin and Welsch 1978): here %d rows, %s. "+
		"Rare boards have much leverage; a few rows far above all others would decide the weights.", f.Weights, f.Mean, f.Above, sheet.Percent(f.Above, s.Rows))
	table, counts := [][]string{{"leverage, in means", "rows", "share"}}, []int{}
	for _, b := range f.Leverages.Trimmed() {
		name := fmt.Sprintf("%.4g to %.4g", b.From, b.To)
		if b.To == math.MaxFloat64 {
			name = fmt.Sprintf("%.4g or more", b.From)
		}
		table, counts = append(table, []string{name, fmt.Sprint(b.Rows), sheet.Percent(b.Rows, s.Rows)}), append(counts, b.Rows)
	}
	return []section{
		{heading: "leverage", text: text, table: table, rows: counts},
		{heading: "rows with the most leverage", boards: f.Leverage, text: "One row of each game or situation."},
		{heading: "rows that the fit of all features misses by the most", boards: f.Residuals,
			text: "One row of each game or situation. Look for what they have in common and no feature counts."},
	}
}

// effectSections show each feature: how often its difference has a value, and the labels there.
func (s *Profile) effectSections() (all []section) {
	for _, f := range s.Features {
		if len(f.Effect) < 2 {
			continue
		}
		one := section{heading: "labels by " + f.Name, table: [][]string{{"difference", "rows", "mean label, " + s.game.Unit + "s", "± 95 %"}}}
		if all == nil {
			one.text = "A straight line means that one weight says it all; a bend, that counts of their own would say more."
		}
		label := report.Chart{Name: "label-by-" + datasets.ColumnName(f.Name), Title: "Mean label by " + f.Name, X: f.Name + ", own minus opponent's", Y: "label, " + s.game.Unit + "s",
			Caption: "A straight line: one weight per unit is enough. A bend: counts of their own would say more. Where the curves are far apart there are few rows."}
		count := report.Chart{Name: "rows-by-" + datasets.ColumnName(f.Name), Title: "Rows by " + f.Name, X: label.X, Y: "rows"}
		for _, e := range f.Effect {
			mean, band, x := s.inUnits(e.Label), 1.96*s.inUnits(e.Error), float64(e.Difference)
			one.rows = append(one.rows, e.Rows)
			one.table = append(one.table, []string{strings.Replace(fmt.Sprintf("%+d", e.Difference), "+0", "0", 1), fmt.Sprint(e.Rows), fmt.Sprintf("%+.2f", mean), fmt.Sprintf("%.2f", band)})
			label.Add("mean label", x, mean)
			label.Add("95 % above", x, mean+band)
			label.Add("95 % below", x, mean-band)
			count.Add("rows", x, float64(e.Rows))
		}
		one.figures = drawnCharts(label, count)
		all = append(all, one)
	}
	return all
}

// listNames is "a, b and c".
func listNames(names []string) string { return games.List(names, "and") }

// boardText shows rows as boards in a terminal.
func (s *Profile) boardText(rows []FittedRow) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "\n%s%s\n%s\n", ensureLine(r.diagram), r.Board, s.rowLine(r))
	}
	return b.String()
}

func ensureLine(text string) string { return strings.TrimRight(text, "\n") + "\n" }

// rowLine says what is known of a row.
func (s *Profile) rowLine(r FittedRow) string {
	text := fmt.Sprintf("row %d: label %+.2f, prediction %+.2f %ss", r.Row, s.inUnits(r.Label), s.inUnits(r.Prediction), s.game.Unit)
	if r.Leverage > 0 {
		text += fmt.Sprintf(", leverage %.1f means", r.Leverage/s.Influence.Mean)
	}
	return text
}

// boardFigures draws rows, where the game has such a drawing.
func (s *Profile) boardFigures(heading string, rows []FittedRow) (all []func() (report.Figure, error)) {
	for i, r := range rows {
		b, ok := report.BoardOf(r.position)
		if !ok {
			return nil
		}
		all = append(all, func() (report.Figure, error) {
			return b.Draw(fmt.Sprintf("%s-%d", strings.ReplaceAll(heading, " ", "-"), i+1), s.rowLine(r), r.Board)
		})
	}
	return all
}

// boardTable is the rows in words.
func (s *Profile) boardTable(rows []FittedRow) *report.Table {
	t := &report.Table{Header: []string{"row", "board", "label, " + s.game.Unit + "s", "prediction"}}
	for _, r := range rows {
		t.Rows = append(t.Rows, []string{fmt.Sprint(r.Row), r.Board, fmt.Sprintf("%+.2f", s.inUnits(r.Label)), fmt.Sprintf("%+.2f", s.inUnits(r.Prediction))})
	}
	return t
}
