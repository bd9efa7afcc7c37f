package profile

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kroo/datasets"
	"kroo/internal/doc"
)

// ColumnStats describes a column. Of truth values, true counts as 1; text has
// no numbers.
type ColumnStats struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // number, truth or text
	Rows     int    `json:"rows"` // that have a value
	Missing  int    `json:"missing"`
	Distinct int    `json:"distinct"`
	*doc.Spread

	bars doc.Bins
}

// columnOf describes a column by its counts, which may be bars too.
func columnOf(ctx context.Context, f field, t *tally, bars bool) (s ColumnStats, err error) {
	s = ColumnStats{Name: f.name, Type: f.typ, Rows: t.rows, Missing: t.missing}
	if s.Distinct, s.Spread, err = t.describe(ctx); err != nil {
		return s, err
	}
	switch {
	case !bars:
	case f.typ != datasets.NumberField:
		s.bars, err = f.namedBars(ctx, t)
	default:
		s.bars, err = doc.BinsOf(func(yield func(float64, int) bool) (err error) {
			for c, failed := range t.all(ctx) {
				if err = failed; err != nil || !yield(c.value, c.rows) {
					break
				}
			}
			return err
		})
	}
	if f.typ == datasets.TextField {
		s.Spread = nil
	}
	return s, err
}

// maxNamed is how many texts have a bar.
const maxNamed = 24

// namedBars counts texts and truth values, the most frequent texts first.
func (f field) namedBars(ctx context.Context, t *tally) (bars doc.Bins, err error) {
	for c, err := range t.all(ctx) {
		if err != nil {
			return nil, err
		}
		bars = append(bars, doc.Bin{Name: f.show(c.value), Rows: c.rows})
	}
	if f.typ == datasets.TextField {
		slices.SortStableFunc(bars, func(a, b doc.Bin) int { return cmp.Compare(b.Rows, a.Rows) })
	}
	return bars[:min(len(bars), maxNamed)], nil
}

// Distributions have the values of each column, for a page, if Options asked for them. Each leads to the address that filter
// gives for the rows that have it.
func (s *Profile) Distributions(filter func(condition string) string) (all []doc.Section) {
	for _, c := range s.Columns {
		if len(c.bars) == 0 || c.Name == datasets.GroupColumn {
			continue
		}
		per, _ := unitOf(s.game, c.Name)
		t := doc.NewTable(heading(s.game, c.Name), "rows", "share")
		for i, b := range c.bars {
			value, condition := b.Name, c.Name+"="+b.Name
			switch {
			case b.Name != "":
			case b.From == b.To:
				value, condition = short(b.From/per), fmt.Sprintf("%s=%v", c.Name, b.From)
			default:
				end := map[bool]string{false: "<", true: "<="}[i == len(c.bars)-1]
				value, condition = short(b.From/per)+" to "+short(b.To/per), fmt.Sprintf("%s>=%v, %s%s%v", c.Name, b.From, c.Name, end, b.To)
			}
			t.Add(value, b.Rows, doc.Percent(b.Rows, s.Rows))
			t.Bars, t.Links = append(t.Bars, b.Rows), append(t.Links, filter(condition))
		}
		about := fmt.Sprintf("%s: %d different", c.Name, c.Distinct)
		if c.Spread != nil {
			about = fmt.Sprintf("%s: %s … %s … %s", t.Header[0], short(c.Min/per), short(c.Median/per), short(c.Max/per))
		}
		all = append(all, doc.Section{Heading: about, Table: t, Aside: true})
	}
	return all
}

// PhaseStats describes the rows of a phase of the game.
type PhaseStats struct {
	Phase  int         `json:"phase"`
	Rows   int         `json:"rows"`
	Labels *doc.Spread `json:"labels,omitempty"` // points
	Exact  float64     `json:"exact"`            // share of the labels that are proven
	Depth  float64     `json:"depth"`            // mean plies of the labelling searches
}
