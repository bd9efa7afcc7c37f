package elo

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
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
// The interval is the normal approximation within limits. A player who wins all of a sample with
// probability q wins n of them with probability qⁿ: after a clean sweep q, and so the share, is more
// than 0.05^(1/n) by a one-sided test (the rule of three); if some sample was not won, q is less than
// 0.975^(1/n).
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

// SignedFormat returns a function that formats numbers with their sign and a number of decimals, and zero
// without a minus.
func SignedFormat(decimals int) func(float64) string {
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

// Lines aggregates games by opening line. Games that share a line are one sample, not several: a
// book that has a good line wins by it again and again. The zero value is empty.
type Lines struct {
	at    map[string]int
	lines []lineScore
}

// lineScore is A's score in the games of a line.
type lineScore struct{ halfPoints, games int }

// Add counts a game that starts with a line.
func (l *Lines) Add(line string, o Outcome) {
	if l.at == nil {
		l.at = map[string]int{}
	}
	i, known := l.at[line]
	if !known {
		i = len(l.lines)
		l.at[line] = i
		l.lines = append(l.lines, lineScore{})
	}
	l.lines[i].halfPoints += o.HalfPoints
	l.lines[i].games++
}

// Len returns the number of lines.
func (l *Lines) Len() int { return len(l.lines) }

const (
	// minLines is the number of lines that an interval needs: resamples of fewer are too much
	// alike, and the interval is too narrow.
	minLines  = 10
	resamples = 10_000
)

// Interval returns the 95 % interval of A's lead in Elo by the bootstrap over lines (Efron, 1979;
// percentiles), each line with all of its games. The random seed is fixed, so that equal lines give
// equal intervals. After a clean sweep the interval is a bound. ok is false for fewer than ten lines.
func (l *Lines) Interval() (in Interval, ok bool) {
	if len(l.lines) < minLines {
		return unknown, false
	}
	if m := l.mean(); m == 0 || m == 1 {
		return leads(shares(m, 0, len(l.lines), 0)), true
	}
	random := rand.New(rand.NewPCG(1979, 0))
	drawn := make([]float64, resamples)
	for i := range drawn {
		drawn[i] = l.resample(random)
	}
	slices.Sort(drawn)
	return Interval{drawn[resamples/40], drawn[resamples-1-resamples/40]}, true
}

// mean returns A's share of the points.
func (l *Lines) mean() float64 {
	var all lineScore
	for _, x := range l.lines {
		all.halfPoints += x.halfPoints
		all.games += x.games
	}
	return float64(all.halfPoints) / 2 / float64(all.games)
}

// resample returns A's lead in lines drawn with replacement.
func (l *Lines) resample(random *rand.Rand) float64 {
	var s lineScore
	for range l.lines {
		x := l.lines[random.IntN(len(l.lines))]
		s.halfPoints += x.halfPoints
		s.games += x.games
	}
	n := float64(s.games)
	return leadOf(min(max(float64(s.halfPoints)/2, 0.5), n-0.5) / n)
}
