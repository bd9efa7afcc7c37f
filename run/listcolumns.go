package run

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"kroo/internal/outline"
	"kroo/internal/wording"
	"kroo/report"
)

// column is a column of a list of runs.
type column struct {
	name  string                 // in CSV files, and to sort by
	head  string                 // in tables for people; "" for the name
	show  func(e Entry) string   // in tables for people; nil for the text of CSV files
	cell  func(e Entry) string   // in CSV files; "" if the run has no such figure
	value func(e Entry) *float64 // of numbers; nil for texts
}

// number makes a column of numbers.
func number(name string, value func(e Entry) *float64) column {
	return column{name: name, value: value, cell: func(e Entry) string {
		v := value(e)
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}}
}

// shown returns the column with its heading and its cells in tables for people.
func (c column) shown(head string, show func(e Entry) string) column {
	c.head = head
	c.show = show
	return c
}

// count makes a column of whole numbers, of which 0 means that there is none.
func count(name string, value func(e Entry) int) column {
	return number(name, func(e Entry) *float64 {
		n := float64(value(e))
		if n == 0 {
			return nil
		}
		return &n
	})
}

// lead makes the columns of a match: Elo, the ends of its interval, and games. An open end is infinite. In
// tables for people the first has the interval.
func lead(name, head string, of func(e Entry) *Lead) []column {
	part := func(suffix string, value func(l *Lead) float64) column {
		return number(name+suffix, func(e Entry) *float64 {
			l := of(e)
			if l == nil {
				return nil
			}
			v := value(l)
			return &v
		})
	}
	return []column{
		part("", func(l *Lead) float64 { return l.Elo }).shown(head, func(e Entry) string { return leadText(of(e)) }),
		part("_low", func(l *Lead) float64 { return l.Interval.Low }),
		part("_high", func(l *Lead) float64 { return l.Interval.High }),
		part("_games", func(l *Lead) float64 { return float64(l.Games) }),
	}
}

// columns are the columns of a list of runs, in the order of CSV files.
var columns = slices.Concat(
	[]column{
		{name: "run", cell: func(e Entry) string { return e.Name }},
		{name: "note", cell: func(e Entry) string { return e.Note }},
		column{name: "date", cell: func(e Entry) string { return e.Written.UTC().Format(time.RFC3339) }}.
			shown("last written", func(e Entry) string { return e.Written.Format("2006-01-02 15:04") }),
		column{name: "state", cell: func(e Entry) string { return string(e.State) }}.shown("state", Entry.stateText),
		{name: "preset", cell: func(e Entry) string { return e.Preset }},
		column{name: "changes", cell: func(e Entry) string { return changesText(e.Changes) }}.
			shown("what differs from it", func(e Entry) string { return changesText(e.Changes) }),
		count("rows", func(e Entry) int { return e.Rows }).
			shown("rows", func(e Entry) string { return report.OrDash(e.Rows > 0, strconv.Itoa(e.Rows)) }),
		number("r", func(e Entry) *float64 { return e.R }).
			shown("R", func(e Entry) string { return decimals(e.R, 4) }),
		number("chance_error", func(e Entry) *float64 { return e.ChanceError }).
			shown("chance", func(e Entry) string { return percent(e.ChanceError) }),
		number("error", func(e Entry) *float64 { return e.Error }).
			shown("seeds", func(e Entry) string { return decimals(e.Error, 3) }),
	},
	lead("captures", "Elo, captures", func(e Entry) *Lead { return e.Captures }),
	lead("own", "Elo, own weights", func(e Entry) *Lead { return e.Own }),
	[]column{
		count("book", Entry.bookSize).
			shown("book", func(e Entry) string { return report.OrDash(e.Book != nil, strconv.Itoa(e.bookSize())) }),
		number("seconds", func(e Entry) *float64 { return &e.Seconds }).
			shown("time", func(e Entry) string { return report.OrDash(e.Stages > 0, wording.Span(e.Seconds)) }),
		{name: "problem", cell: func(e Entry) string { return e.Problem }},
	})

// Sort sorts runs by a column: numbers with the largest first, texts from A to Z, dates with the newest
// first; with "-" before its name the other way round. Runs without a value come last.
func Sort(runs []Entry, by string) error {
	name := strings.TrimPrefix(by, "-")
	c, found := columnOf(name)
	if !found {
		return fmt.Errorf("%.50q is no column of runs: %s", name, wording.Expect(name, columnNames()))
	}
	sign := 1
	if name != by {
		sign = -1
	}
	slices.SortStableFunc(runs, func(a, b Entry) int { return c.compare(a, b, sign) })
	return nil
}

// columnOf finds a column by its name or heading.
func columnOf(name string) (c column, found bool) {
	i := slices.IndexFunc(columns, func(c column) bool { return c.name == name || c.head == name && name != "" })
	if i < 0 {
		return c, false
	}
	return columns[i], true
}

// tableOf returns a table for people with some columns.
func tableOf(runs []Entry, names ...string) *outline.Table {
	t := outline.NewTable()
	rows := make([][]any, len(runs))
	for _, name := range names {
		c, found := columnOf(name)
		if !found {
			panic("no column " + name) // names are constants
		}
		t.Header = append(t.Header, cmp.Or(c.head, c.name))
		for i, e := range runs {
			show := c.show
			if show == nil {
				show = c.cell
			}
			rows[i] = append(rows[i], show(e))
		}
	}
	for _, row := range rows {
		t.Add(row...)
	}
	return t
}

// PageTable returns all that is known of runs as one table for a page, without the changes that all runs
// have. sortBy returns the link that sorts by a column.
func PageTable(runs []Entry, sortBy func(column string) string) (t *outline.Table, shared []Change) {
	shared = sharedChanges(runs)
	own := slices.Clone(runs)
	for i, e := range own {
		own[i].Changes = without(e.Changes, shared)
	}
	names := []string{"run", "date", "state", "rows", "r", "chance_error", "error", "captures", "own", "book", "seconds",
		"preset", "changes", "note"}
	if slices.ContainsFunc(runs, func(e Entry) bool { return e.Problem != "" }) {
		names = append(names, "problem")
	}
	t = tableOf(own, names...)
	for _, name := range names {
		t.HeadLinks = append(t.HeadLinks, sortBy(name))
	}
	return t, shared
}

// SharedText says which changes all runs have; it is empty without any.
func SharedText(shared []Change) (text []string) {
	if len(shared) > 0 {
		text = []string{"In all runs: " + changesText(shared) + "."}
	}
	return text
}

// without returns the changes that are not among some others.
func without(changes, others []Change) []Change {
	return slices.DeleteFunc(slices.Clone(changes), func(c Change) bool { return slices.Contains(others, c) })
}

// columnNames returns the names of the columns that runs can be sorted by.
func columnNames() (names []string) {
	for _, c := range columns {
		names = append(names, c.name)
	}
	return names
}

// compare orders two runs by the column; sign -1 turns the order round, except that of absent values.
func (c column) compare(a, b Entry, sign int) int {
	x := c.cell(a)
	y := c.cell(b)
	switch {
	case x == "" || y == "":
		return cmp.Compare(len(y), len(x))
	case c.value != nil:
		return sign * cmp.Compare(*c.value(b), *c.value(a))
	case c.name == "date":
		return sign * b.Written.Compare(a.Written)
	}
	return sign * strings.Compare(x, y)
}

// WriteCSV writes runs as a table with a line of column names. Absent figures are empty.
func WriteCSV(to io.Writer, runs []Entry) error {
	w := csv.NewWriter(to)
	w.Write(columnNames()) // Flush keeps the error
	for _, e := range runs {
		var row []string
		for _, c := range columns {
			row = append(row, c.cell(e))
		}
		w.Write(row)
	}
	w.Flush()
	return w.Error()
}

// changesText writes changes as in "label.nodes 5000, no patterns".
func changesText(changes []Change) string {
	var texts []string
	for _, c := range changes {
		texts = append(texts, c.String())
	}
	return strings.Join(texts, ", ")
}

func (c Change) String() string {
	if c.Value == noValue {
		return "no " + c.Name
	}
	return c.Name + " " + c.Value
}

// sharedChanges returns the changes that all of several runs have, but for runs whose configuration cannot
// be read.
func sharedChanges(runs []Entry) []Change {
	readable := slices.DeleteFunc(slices.Clone(runs), func(e Entry) bool { return e.Preset == "" })
	if len(readable) < 2 {
		return nil
	}
	shared := slices.Clone(readable[0].Changes)
	for _, e := range readable[1:] {
		shared = slices.DeleteFunc(shared,
			func(c Change) bool { return e.Preset != readable[0].Preset || !slices.Contains(e.Changes, c) })
	}
	return shared
}

// ListDoc describes runs: their states and sizes, their figures, and the settings that differ.
func ListDoc(runs []Entry) *outline.Doc {
	d := &outline.Doc{Title: wording.Count(len(runs), "run"), Value: runs}
	shared := sharedChanges(runs)
	var changes []outline.Fact
	for _, e := range runs {
		texts := slices.DeleteFunc([]string{e.Preset, changesText(without(e.Changes, shared)), e.Problem},
			func(text string) bool { return text == "" })
		f := outline.Fact{Name: e.Name, Value: strings.Join(texts, "; ")}
		if e.Note != "" {
			f.Value += " (" + e.Note + ")"
		}
		changes = append(changes, f)
	}
	short := slices.Clone(runs)
	for i, e := range short {
		short[i].Name = shortName(e.Name)
	}
	d.Add(outline.Section{Table: tableOf(short, "run", "date", "state", "rows", "book", "seconds")})
	d.Add(outline.Section{Heading: "figures", Table: tableOf(short, "run", "r", "chance_error", "error",
		"captures", "own"),
		Figures: FiguresOverTime(runs), Note: "R and mean errors (in winning chance and in seeds of score) on the validation rows of each run; Elo with 95 % intervals."})
	d.Add(outline.Section{Heading: "preset, and what differs from it", Facts: changes, Text: SharedText(shared)})
	return d
}

// maxCharted is the most runs in a chart, the newest.
const maxCharted = 40

// FiguresOverTime draws each figure over the runs in order of time, if at least two have it.
func FiguresOverTime(runs []Entry) (all []outline.Drawing) {
	ordered := slices.Clone(runs)
	slices.SortStableFunc(ordered, func(a, b Entry) int { return a.Written.Compare(b.Written) })
	ordered = ordered[max(0, len(ordered)-maxCharted):]
	const (
		ofRows    = "On the validation rows of each run, which may differ."
		ofMatches = "Bars are 95 % intervals; an arrow is an open end."
	)
	for _, f := range []struct{ name, title, caption string }{
		{"r", "correlation R", ofRows},
		{"chance_error", "error in winning chance, %", ofRows},
		{"error", "error in seeds of score", ofRows},
		{"captures", "Elo against captures", ofMatches},
		{"own", "Elo against the program's own weights", ofMatches},
	} {
		c, _ := columnOf(f.name)
		low, _ := columnOf(f.name + "_low")
		high, _ := columnOf(f.name + "_high")
		chart := report.Series{
			Name: "runs-" + f.name, Title: "Runs by date: " + f.title,
			Line: "the newest run is on the right", Y: f.title, Caption: f.caption,
		}
		for _, e := range ordered {
			v := c.value(e)
			if v == nil || math.IsInf(*v, 0) {
				continue // without an estimate there is no point to draw
			}
			one := report.Interval{Name: e.Name, Value: *v, Low: *v, High: *v, Text: c.show(e)}
			if low.value != nil {
				one.Low = min(*v, *low.value(e))
				one.High = max(*v, *high.value(e))
			}
			chart.Rows = append(chart.Rows, one)
		}
		if len(chart.Rows) > 1 {
			all = append(all, chart)
		}
	}
	return all
}

// stateText returns the state, with the finished stages of an unfinished run.
func (e Entry) stateText() string {
	switch e.State {
	case stateInProgress:
		return fmt.Sprintf("running %d/%d", e.Stages, e.Of)
	case stateStopped:
		return fmt.Sprintf("stopped %d/%d", e.Stages, e.Of)
	}
	return string(e.State)
}

// longestName is the most characters of a run's name in a table, so that it fits on a terminal.
const longestName = 11

func shortName(name string) string {
	letters := []rune(name)
	if len(letters) <= longestName {
		return name
	}
	return string(letters[:longestName-1]) + "…"
}

// bookSize returns the number of entries of the book, 0 without one.
func (e Entry) bookSize() int {
	if e.Book == nil {
		return 0
	}
	return *e.Book
}

func decimals(v *float64, n int) string {
	if v == nil {
		return report.Dash
	}
	return report.Number(*v, n)
}

func percent(v *float64) string {
	if v == nil {
		return report.Dash
	}
	return report.Number(*v, 1) + " %"
}

func leadText(l *Lead) string {
	if l == nil {
		return report.Dash
	}
	return l.String()
}
