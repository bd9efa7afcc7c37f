package inspect

import (
	"fmt"
	"io"
	"strings"
)

// section is a part of a description: a heading, a paragraph and a table, whose
// first row is its header. Text and table may be empty.
type section struct {
	heading, text string
	table         [][]string
}

// Text is the description for people.
func (s *DatasetSheet) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", s.File, s.title())
	for _, part := range append([]section{s.origin()}, s.sections()...) {
		fmt.Fprintf(&b, "\n%s\n", strings.ToUpper(part.heading[:1])+part.heading[1:])
		if part.text != "" {
			fmt.Fprintln(&b, part.text)
		}
		b.WriteString(columns(func(w io.Writer) {
			for _, row := range part.table {
				fmt.Fprintln(w, "  "+strings.Join(row, "\t"))
			}
		}))
	}
	if s.Residuals != nil {
		b.WriteString("\nWorst positions\n")
		for _, r := range s.Residuals.Worst {
			fmt.Fprintf(&b, "%s\n%s\nlabel %.0f, prediction %.0f\n\n", r.diagram, r.Board, r.Label, r.Prediction)
		}
	}
	for i, board := range s.boards {
		fmt.Fprintf(&b, "\nrow %d\n%s", i+1, board)
	}
	return b.String()
}

func (s *DatasetSheet) title() string {
	text := fmt.Sprintf("%d %s of %s under %s rules", s.Total, s.Meta.Kind, s.Meta.Game, s.Meta.Rules)
	if s.Where != "" {
		text += fmt.Sprintf(", of which %d with %s", s.Rows, s.Where)
	}
	return text
}

// origin says what made the dataset.
func (s *DatasetSheet) origin() section {
	m := s.Meta
	all := [][]string{{"", ""}}
	for _, f := range [][]string{
		{"method", m.Method}, {"seed", fmt.Sprint(m.Seed)}, {"limits", m.Limits}, {"evaluator", m.Evaluator}, {"engine", m.Engine},
		{"feature set", m.FeatureSet}, {"parent", m.Parent}, {"tool", m.Tool}, {"note", m.Note},
		{"bytes", fmt.Sprint(s.Bytes)}, {"sha256", s.SHA256},
	} {
		if f[1] != "" && !(f[0] == "seed" && m.Seed == 0) {
			all = append(all, f)
		}
	}
	return section{heading: "origin", table: all[1:]}
}

// sections are everything but the origin and the boards.
func (s *DatasetSheet) sections() []section {
	all := []section{{heading: "columns", table: s.columnTable()}, s.repeatSection()}
	if s.Rows == 0 {
		return all
	}
	all = append(all, s.phaseSection())
	if s.Histogram != nil {
		all = append(all, s.labelSection())
	}
	if tables := featureTables(s.Features); tables != nil {
		all = append(all,
			section{"features", "Differences, own minus the other side's. Weights are points a unit of difference, alone and together with all others.", tables[0]},
			section{"correlations of features", "", tables[1]})
	}
	if s.Residuals != nil {
		all = append(all, s.residualSections()...)
	}
	return all
}

func (s *DatasetSheet) columnTable() [][]string {
	all := [][]string{{"column", "type", "missing", "distinct", "min", "quartile", "median", "quartile", "max", "mean", "deviation"}}
	for _, c := range s.Columns {
		row := []string{c.Name, c.Type, fmt.Sprint(c.Missing), fmt.Sprint(c.Distinct)}
		if d := c.Spread; d != nil {
			for _, v := range []float64{d.Min, d.Q1, d.Median, d.Q3, d.Max, d.Mean, d.SD} {
				row = append(row, fmt.Sprintf("%.6g", v))
			}
		} else {
			row = append(row, "", "", "", "", "", "", "")
		}
		all = append(all, row)
	}
	return all
}

func (s *DatasetSheet) repeatSection() section {
	r := s.Repeats
	text := fmt.Sprintf("%d different situations; %d rows repeat one that came before", r.Situations, r.Repeated)
	if r.Repeated > 0 {
		text += fmt.Sprintf(", the most frequent one in %d rows", r.Most)
		if s.Histogram != nil {
			text += fmt.Sprintf("; their labels are %.1f points from the first one's", r.Apart)
		}
	}
	for _, l := range s.Leaks {
		text += fmt.Sprintf("\n%s has %d of the situations, which are %d rows here", l.File, l.Situations, l.Rows)
	}
	return section{heading: "duplicates", text: text}
}

func (s *DatasetSheet) phaseSection() section {
	head := []string{s.PhaseName, "rows", "share"}
	if s.Histogram != nil {
		head = append(head, "label, mean", "deviation", "exact", "depth")
	}
	all := [][]string{head}
	for _, p := range s.Phases {
		row := []string{fmt.Sprint(p.Phase), fmt.Sprint(p.Rows), percent(p.Rows, s.Rows)}
		if p.Labels != nil {
			row = append(row, fmt.Sprintf("%+.1f", p.Labels.Mean), fmt.Sprintf("%.1f", p.Labels.SD), fmt.Sprintf("%.1f %%", 100*p.Exact), fmt.Sprintf("%.1f", p.Depth))
		}
		all = append(all, row)
	}
	return section{heading: "rows by " + s.PhaseName, table: all}
}

func percent(n, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of)) }

func (s *DatasetSheet) labelSection() section {
	all := [][]string{{"label", "rows", "share", "exact"}}
	for _, b := range s.Histogram {
		all = append(all, []string{fmt.Sprintf("%+.0f to %+.0f", b.From, b.To), fmt.Sprint(b.Rows), percent(b.Rows, s.Rows), fmt.Sprint(b.Exact)})
	}
	return section{heading: "labels, points for the side to move", text: fmt.Sprintf("%.2f %% of the labels are exact.", 100**s.ExactShare), table: all}
}

func (s *DatasetSheet) residualSections() []section {
	r := s.Residuals
	text := fmt.Sprintf("%s: n %d, r %.4f, mae %.1f points, rmse %.1f points; label minus prediction", r.Weights, r.Rows, r.R, r.MAE, r.RMSE)
	all := []section{{"residuals by " + s.PhaseName, text, residualTable(s.PhaseName, r.Phases)}}
	for _, f := range r.Features {
		all = append(all, section{"residuals by " + f.Name, "", residualTable("difference", f.Groups)})
	}
	return all
}

func residualTable(what string, groups []ResidualGroup) [][]string {
	all := [][]string{{what, "rows", "mean", "mae", "rmse"}}
	for _, g := range groups {
		all = append(all, []string{fmt.Sprint(g.Value), fmt.Sprint(g.Rows), fmt.Sprintf("%+.1f", g.Mean), fmt.Sprintf("%.1f", g.MAE), fmt.Sprintf("%.1f", g.RMSE)})
	}
	return all
}
