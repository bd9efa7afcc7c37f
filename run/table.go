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

	"kroo/internal/doc"
	"kroo/internal/wording"
	"kroo/report"
)

// column is a column of a list of runs.
type column struct {
	name  string                 // in CSV files, and to sort by
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

// lead makes the columns of a match: Elo, the ends of its interval, and games. An open end is infinite.
func lead(name string, of func(e Entry) *Lead) []column {
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
		part("", func(l *Lead) float64 { return l.Elo }),
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
		{name: "date", cell: func(e Entry) string { return e.Written.UTC().Format(time.RFC3339) }},
		{name: "state", cell: func(e Entry) string { return string(e.State) }},
		{name: "preset", cell: func(e Entry) string { return e.Preset }},
		{name: "changes", cell: func(e Entry) string { return changesText(e.Changes) }},
		count("rows", func(e Entry) int { return e.Rows }),
		number("r", func(e Entry) *float64 { return e.R }),
		number("chance_error", func(e Entry) *float64 { return e.ChanceError }),
		number("error", func(e Entry) *float64 { return e.Error }),
	},
	lead("captures", func(e Entry) *Lead { return e.Captures }),
	lead("own", func(e Entry) *Lead { return e.Own }),
	[]column{
		count("book", func(e Entry) int {
			if e.Book == nil {
				return 0
			}
			return *e.Book
		}),
		number("seconds", func(e Entry) *float64 { return &e.Seconds }),
		{name: "problem", cell: func(e Entry) string { return e.Problem }},
	})

// Sort sorts runs by a column: numbers with the largest first, texts from A to Z, dates with the newest
// first; with "-" before its name the other way round. Runs without a value come last.
func Sort(runs []Entry, by string) error {
	name := strings.TrimPrefix(by, "-")
	i := slices.IndexFunc(columns, func(c column) bool { return c.name == name })
	if i < 0 {
		return fmt.Errorf("%.50q is no column of runs: %s", name, wording.Expect(name, columnNames()))
	}
	sign := 1
	if name != by {
		sign = -1
	}
	slices.SortStableFunc(runs, func(a, b Entry) int { return columns[i].compare(a, b, sign) })
	return nil
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

// sharedChanges returns the changes that all of several runs have.
func sharedChanges(runs []Entry) []Change {
	if len(runs) < 2 {
		return nil
	}
	shared := slices.Clone(runs[0].Changes)
	for _, e := range runs[1:] {
		shared = slices.DeleteFunc(shared,
			func(c Change) bool { return e.Preset != runs[0].Preset || !slices.Contains(e.Changes, c) })
	}
	return shared
}

// ListDoc describes runs: their states and sizes, their figures, and the settings that differ.
func ListDoc(runs []Entry) *doc.Doc {
	d := &doc.Doc{Title: wording.Count(len(runs), "run"), Value: runs}
	about := doc.NewTable("run", "last written", "state", "rows", "book", "time")
	figures := doc.NewTable("run", "R", "chance", "seeds", "Elo, captures", "Elo, own weights")
	shared := sharedChanges(runs)
	var changes []doc.Fact
	for _, e := range runs {
		name := shortName(e.Name)
		about.Add(name, e.Written.Format("2006-01-02 15:04"), e.stateText(),
			orDash(e.Rows > 0, func() string { return strconv.Itoa(e.Rows) }),
			orDash(e.Book != nil, func() string { return strconv.Itoa(*e.Book) }),
			orDash(e.Stages > 0, func() string { return wording.Span(e.Seconds) }))
		figures.Add(name, decimals(e.R, 4), percent(e.ChanceError), decimals(e.Error, 2), leadText(e.Captures), leadText(e.Own))
		own := slices.DeleteFunc(slices.Clone(e.Changes), func(c Change) bool { return slices.Contains(shared, c) })
		texts := slices.DeleteFunc([]string{e.Preset, changesText(own), e.Problem},
			func(text string) bool { return text == "" })
		f := doc.Fact{Name: e.Name, Value: strings.Join(texts, "; ")}
		if e.Note != "" {
			f.Value += " (" + e.Note + ")"
		}
		changes = append(changes, f)
	}
	d.Add(doc.Section{Table: about})
	d.Add(doc.Section{Heading: "figures", Table: figures, Figures: figuresOverTime(runs),
		Note: "R and mean errors (in winning chance and in seeds of score) on the validation rows of each run; Elo with 95 % intervals."})
	one := doc.Section{Heading: "preset, and what differs from it", Facts: changes}
	if len(shared) > 0 {
		one.Text = []string{"In all runs: " + changesText(shared) + "."}
	}
	d.Add(one)
	return d
}

// maxCharted is the most runs in a chart, the newest.
const maxCharted = 40

// figuresOverTime draws each figure over the runs in order of time, if at least two have it.
func figuresOverTime(runs []Entry) (all []doc.Drawing) {
	ordered := slices.Clone(runs)
	slices.SortStableFunc(ordered, func(a, b Entry) int { return a.Written.Compare(b.Written) })
	ordered = ordered[max(0, len(ordered)-maxCharted):]
	plain := func(value func(Entry) *float64, text func(*float64) string) func(Entry) *report.Interval {
		return func(e Entry) *report.Interval {
			v := value(e)
			if v == nil {
				return nil
			}
			return &report.Interval{Value: *v, Low: *v, High: *v, Text: text(v)}
		}
	}
	elos := func(of func(Entry) *Lead) func(Entry) *report.Interval {
		return func(e Entry) *report.Interval {
			l := of(e)
			if l == nil || math.IsInf(l.Elo, 0) {
				return nil // without an estimate there is no point to draw
			}
			return &report.Interval{Value: l.Elo, Low: l.Interval.Low, High: l.Interval.High, Text: l.String()}
		}
	}
	for _, f := range []struct {
		name, title string
		value       func(Entry) *report.Interval
	}{
		{"r", "correlation R", plain(func(e Entry) *float64 { return e.R }, func(v *float64) string { return decimals(v, 4) })},
		{"chance", "error in winning chance, %", plain(func(e Entry) *float64 { return e.ChanceError }, percent)},
		{"error", "error in seeds of score",
			plain(func(e Entry) *float64 { return e.Error }, func(v *float64) string { return decimals(v, 3) })},
		{"captures", "Elo against captures", elos(func(e Entry) *Lead { return e.Captures })},
		{"own", "Elo against the program's own weights", elos(func(e Entry) *Lead { return e.Own })},
	} {
		chart := report.Intervals{
			Name: "runs-" + f.name, Title: "Runs in order of time: " + f.title,
			Line: "the newest run is at the bottom", X: f.title,
		}
		for _, e := range ordered {
			if one := f.value(e); one != nil {
				one.Name = e.Name
				chart.Rows = append(chart.Rows, *one)
			}
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

// orDash returns a text, or a dash for an empty one.
func orDash(given bool, text func() string) string {
	if !given {
		return "–"
	}
	return text()
}

func decimals(v *float64, n int) string {
	return orDash(v != nil, func() string { return report.Number(*v, n) })
}

func percent(v *float64) string {
	return orDash(v != nil, func() string { return report.Number(*v, 1) + " %" })
}

func leadText(l *Lead) string {
	return orDash(l != nil, func() string { return l.String() })
}
