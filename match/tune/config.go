package tune

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kroo/engine/uci/client"
	"kroo/internal/spec"
	"kroo/internal/strict"
	"kroo/internal/wording"
)

// Parameter is an option to tune, as in a file. Missing Start, Min and Max default to those that the
// program announces.
type Parameter struct {
	Option       string   `name:"option" help:"the option of the program"`
	Start        *float64 `name:"start" help:"value to start from"`
	Min          *float64 `name:"min" help:"the least value"`
	Max          *float64 `name:"max" help:"the largest value"`
	Perturbation float64  `name:"c_end" help:"how far from the value the last games are played"`
	Learning     float64  `name:"r_end" default:"0.002" range:"1e-9..1" help:"a game more won moves the last values by r_end times c_end"`
}

const (
	defaultLearning = 0.002
	maxParameters   = 100
)

// ReadParameters reads a file of parameters.
func ReadParameters(path string) ([]Parameter, error) {
	text, err := strict.ReadFile(path)
	if err != nil {
		return nil, err
	}
	list, err := parseParameters(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

func parseParameters(text string) ([]Parameter, error) {
	var file struct {
		Parameters []Parameter `name:"parameter"`
	}
	if err := spec.Decode(text, &file, "expected [[parameter]] with option, start, min, max, c_end and r_end"); err != nil {
		return nil, err
	}
	return file.Parameters, check(file.Parameters)
}

func check(list []Parameter) error {
	if len(list) == 0 || len(list) > maxParameters {
		return fmt.Errorf("%d parameters: expected 1 to %d, each as [[parameter]]", len(list), maxParameters)
	}
	for i, p := range list {
		switch {
		case p.Option == "" || strings.ContainsAny(p.Option, "\n\r\x00"):
			return fmt.Errorf("parameter %d: option %q: expected the name of an option", i+1, p.Option)
		case slices.ContainsFunc(list[:i], func(q Parameter) bool { return strings.EqualFold(p.Option, q.Option) }):
			return fmt.Errorf("%s: appears twice", p.Option)
		case !(p.Perturbation > 0 && p.Perturbation <= 1e9):
			return fmt.Errorf("%s: c_end is %g: expected more than 0, how far from the value the last games are played",
				p.Option, p.Perturbation)
		}
	}
	return nil
}

// resolve fills in a parameter from the options of the program.
func (p Parameter) resolve(options []client.Spec) (parameter, error) {
	i := slices.IndexFunc(options, func(o client.Spec) bool { return strings.EqualFold(o.Name, p.Option) })
	if i < 0 {
		return parameter{}, fmt.Errorf("the program has no option %q that may be set: %s",
			p.Option, wording.Expect(p.Option, client.Names(options)))
	}
	o := options[i]
	r := parameter{
		Option:       o.Name,
		Whole:        o.Kind == "spin",
		Perturbation: p.Perturbation,
		Learning:     cmp.Or(p.Learning, defaultLearning),
	}
	low, high := float64(o.Min), float64(o.Max)
	switch start, err := strconv.ParseFloat(o.Default, 64); {
	case r.Whole:
		r.Start = start
	case o.Kind != "string" || p.Start == nil && err != nil:
		return r, fmt.Errorf("%s is a %s: expected an option that is a number", o.Name, o.Kind)
	case p.Min == nil || p.Max == nil:
		return r, fmt.Errorf("%s: the program reports no range: expected min and max", o.Name)
	default:
		r.Start = start
		low = *p.Min
		high = *p.Max
	}
	or := func(given *float64, announced float64) float64 {
		if given == nil {
			return announced
		}
		return *given
	}
	r.Start = or(p.Start, r.Start)
	r.Min = or(p.Min, low)
	r.Max = or(p.Max, high)
	return r, r.check(low, high)
}

// check returns an error for a parameter outside the range that the program announces.
func (p parameter) check(low, high float64) error {
	whole := func(x float64) bool { return x == float64(int64(x)) }
	switch {
	case !(p.Min < p.Max && p.Min >= low && p.Max <= high && p.Min >= -1e12 && p.Max <= 1e12):
		return fmt.Errorf("%s: min %g, max %g: expected a range within %g to %g", p.Option, p.Min, p.Max, low, high)
	case !(p.Start >= p.Min && p.Start <= p.Max):
		return fmt.Errorf("%s: start %g: expected %g to %g", p.Option, p.Start, p.Min, p.Max)
	case p.Whole && !(whole(p.Start) && whole(p.Min) && whole(p.Max)):
		return fmt.Errorf("%s: start %g, min %g, max %g: expected whole numbers", p.Option, p.Start, p.Min, p.Max)
	case p.Perturbation > (p.Max-p.Min)/2:
		return fmt.Errorf("%s: c_end %g: expected at most half of the range", p.Option, p.Perturbation)
	case p.Whole && p.Perturbation < 0.5:
		return fmt.Errorf("%s: c_end %g: expected 0.5 or more, or both sides play the same whole number",
			p.Option, p.Perturbation)
	}
	return nil
}

// resolveAll resolves all parameters.
func resolveAll(list []Parameter, options []client.Spec) (all []parameter, err error) {
	if err := check(list); err != nil {
		return nil, err
	}
	for _, p := range list {
		r, err := p.resolve(options)
		if err != nil {
			return nil, Unfit{err}
		}
		all = append(all, r)
	}
	return all, nil
}

// Unfit is the error of parameters that do not fit the program.
type Unfit struct{ error }

// Unwrap returns the reason.
func (u Unfit) Unwrap() error { return u.error }
