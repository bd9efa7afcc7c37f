package elo

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
)

// Interval is a 95 % interval of a lead in Elo. Its ends are the leads whose expected scores are the
// ends of an interval of the share of the points, so near 0 and 100 % it is longer on the side away
// from ½. An end that the results do not bound is infinite, such as the upper one of a player who
// won all games. In JSON it is a pair of numbers, with null for an infinite end.
type Interval struct{ Low, High float64 }

// unknown is the interval without any results.
var unknown = Interval{math.Inf(-1), math.Inf(1)}

// shares returns the ends of an interval of the share of the points. mean is that of n independent
// samples, with its standard error; least is the smallest share of a sample that a player loses by
// not winning it outright.
//
// The interval is the normal approximation within limits: its low end is no higher than after a
// clean sweep of n samples, and its high end is less than 1 if anything was lost. A player who wins
// all of a sample with probability q wins n of them with probability qⁿ. After a clean sweep, q is
// more than 0.05^(1/n) by a one-sided test (the rule of three), and so is the share. If some sample
// was not won, q is less than 0.975^(1/n).
func shares(mean, stderr float64, n int, least float64) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	sweep := math.Pow(0.05, 1/float64(n))
	switch mean {
	case 0:
		return 0, 1 - sweep
	case 1:
		return sweep, 1
	}
	lost := least * (1 - math.Pow(0.975, 1/float64(n)))
	low = max(min(mean-z95*stderr, sweep), lost)
	return low, min(max(mean+z95*stderr, 1-sweep), 1-lost)
}

// leads converts an interval of expected scores.
func leads(low, high float64) Interval { return Interval{leadOf(low), leadOf(high)} }

// Text formats a lead with its interval, "+500 [+412, +669]", using number. A lead without a bound
// on one side is printed as the other bound: "more than +75".
func (i Interval) Text(lead float64, number func(float64) string) string {
	if math.IsInf(i.Low, 0) || math.IsInf(i.High, 0) {
		return i.Ends(number)
	}
	return number(lead) + " " + i.Ends(number)
}

// Ends formats the interval alone.
func (i Interval) Ends(number func(float64) string) string {
	switch open, below := math.IsInf(i.High, 0), math.IsInf(i.Low, 0); {
	case open && below:
		return "unknown"
	case open:
		return "more than " + number(i.Low)
	case below:
		return "less than " + number(i.High)
	}
	return "[" + number(i.Low) + ", " + number(i.High) + "]"
}

// Signed returns a function that formats numbers with their sign and a number of decimals, and zero
// without a minus.
func Signed(decimals int) func(float64) string {
	return func(x float64) string {
		text := strconv.FormatFloat(x, 'f', decimals, 64)
		if strings.Trim(text, "-0.") == "" {
			text = strings.TrimPrefix(text, "-")
		}
		if text[0] == '-' {
			return text
		}
		return "+" + text
	}
}

// MarshalJSON implements [json.Marshaler].
func (i Interval) MarshalJSON() ([]byte, error) {
	var ends [2]*float64
	for at, end := range []float64{i.Low, i.High} {
		if !math.IsInf(end, 0) {
			ends[at] = &end
		}
	}
	return json.Marshal(ends)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (i *Interval) UnmarshalJSON(text []byte) error {
	var ends []*float64
	if err := json.Unmarshal(text, &ends); err != nil {
		return err
	}
	if len(ends) != 2 {
		return errors.New("an interval: expected two numbers")
	}
	*i = unknown
	if ends[0] != nil {
		i.Low = *ends[0]
	}
	if ends[1] != nil {
		i.High = *ends[1]
	}
	return nil
}
