package tune

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"kroo/internal/oneline"
	"kroo/internal/plural"
	"kroo/internal/sheet"
	"kroo/internal/strictjson"
	"kroo/internal/vfs"
)

// maxBytes bounds the file of a result: the curves of all parameters fit in.
const maxBytes = 4 << 20

// Sheet describes the result.
func (r *Result) Sheet() *sheet.Sheet {
	s := &sheet.Sheet{Value: r, Title: fmt.Sprintf("values tuned by %s of games of %s", plural.Of(r.Iterations, "pair"), oneline.Short(r.Program))}
	s.Line()
	s.Line("option", "start", "tuned", "moved", "by chance")
	for _, p := range r.Parameters {
		s.Line(oneline.Short(p.Option), fmt.Sprintf("%g", p.Start), oneline.Short(p.Tuned), p.moved(), p.chance())
	}
	if !slices.ContainsFunc(r.Parameters, func(p Tuned) bool { return p.Value != p.Start }) {
		s.Line("no value has moved: each pair of games was even, so they do not feel these options, or not so small a step")
	}
	if r.Forfeits > 0 {
		s.Line(r.forfeitText())
	}
	return s
}

// Describe describes the file of a result.
func Describe(path string) (*sheet.Sheet, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := parseResult(f)
	if err != nil {
		return nil, fmt.Errorf("%s: not the values of a tuning: %s", path, oneline.Short(err.Error()))
	}
	return r.Sheet(), nil
}

func parseResult(from io.Reader) (*Result, error) {
	r := new(Result)
	if err := strictjson.Read(from, maxBytes, r); err != nil {
		return nil, err
	}
	return r, r.check()
}

// check refuses a result that no tuning has.
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
