package tune

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"kroo/internal/doc"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/report"
)

// maxBytes bounds the file of a result, including the curves of all parameters.
const maxBytes = 4 << 20

// Doc describes the result.
func (r *Result) Doc() *doc.Doc {
	d := &doc.Doc{
		Value: r, Title: fmt.Sprintf("values tuned by %s of games of %s", wording.Count(r.Iterations, "pair"), wording.Short(r.Program)), Lead: []string{fmt.Sprintf("%s of games of the program against itself tuned %s.", wording.Count(r.played(), "pair"), wording.Count(len(r.Parameters), "option"))},
		Origin: doc.Facts("program", r.Program, "games forfeited", strconv.Itoa(r.Forfeits), "the first", wording.Short(r.Forfeit)),
	}
	values := doc.Section{Heading: "values", Table: doc.TableOf([]string{"option", "start", "tuned", "moved", "by chance"}, r.Parameters, func(p Tuned) []any {
		return []any{wording.Short(p.Option), strconv.FormatFloat(p.Start, 'f', -1, 64), wording.Short(p.Tuned), fmt.Sprintf("%+.4g", p.Value-p.Start), fmt.Sprintf("± %.2g", p.Chance)}
	})}
	values.Note = "By chance: drift of a value if the option had no effect (one standard deviation)."
	if !slices.ContainsFunc(r.Parameters, func(p Tuned) bool { return p.Value != p.Start }) {
		values.Note = "no value has moved: every pair of games was even, so these options, or such small steps, have no effect"
	}
	for i, p := range r.Parameters {
		c := report.Chart{Name: fmt.Sprintf("parameter-%d", i+1), Title: p.Option, X: "pairs of games", Y: "value"}
		for j, v := range p.Curve {
			c.Add(p.Option, float64(min(j*r.Spacing, r.Iterations)), v)
		}
		values.Figures = append(values.Figures, c)
	}
	d.Add(values)
	return d
}

// played returns the number of pairs of games counted.
func (r *Result) played() int { return (r.Wins + r.Draws + r.Losses) / 2 }

// Describe describes the file of a result.
func Describe(path string) (*doc.Doc, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := parseResult(f)
	if err != nil {
		return nil, fmt.Errorf("%s: not the values of a tuning: %s", path, wording.Short(err.Error()))
	}
	return r.Doc(), nil
}

func parseResult(from io.Reader) (*Result, error) {
	r := new(Result)
	if err := strict.ReadJSON(from, maxBytes, r); err != nil {
		return nil, err
	}
	return r, r.check()
}

// check returns an error for an invalid result.
func (r *Result) check() error {
	switch {
	case r.Format != Format:
		return fmt.Errorf("format %q: expected %q", r.Format, Format)
	case len(r.Parameters) == 0 || len(r.Parameters) > maxParameters:
		return fmt.Errorf("%d parameters: expected 1 to %d", len(r.Parameters), maxParameters)
	case r.Iterations < 1 || min(r.Wins, r.Draws, r.Losses, r.Forfeits) < 0:
		return errors.New("counts of games: expected none below 0")
	}
	return nil
}
