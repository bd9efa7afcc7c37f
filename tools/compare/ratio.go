package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
	"time"
)

// estimate is the median of a sample, and an interval that holds the true median
// with the stated confidence. Both ends are values of the sample.
type estimate struct {
	median, low, high float64
	confidence        float64 // of the interval, 0 to 1
}

// medianOf needs no distribution. Each value is below the true median with
// probability 1/2, like a coin that falls heads. The true median therefore lies
// between the k-th smallest and the k-th largest of n values unless fewer than k of n
// throws are heads, or fewer than k tails: with probability 1 - 2 P(fewer than k
// heads). It takes the largest k for which that is at least 95 %, or 1.
func medianOf(sample []float64) estimate {
	s := slices.Sorted(slices.Values(sample))
	n := len(s)
	k, outside := 1, math.Pow(0.5, float64(n)) // outside is P(fewer than k heads)
	for p := outside; k < n/2; k++ {
		p *= float64(n-k+1) / float64(k) // of exactly k heads
		if 2*(outside+p) > 0.05 {
			break
		}
		outside += p
	}
	return estimate{(s[(n-1)/2] + s[n/2]) / 2, s[k-1], s[n-k], 1 - 2*outside}
}

// ratios pairs the runs of both sides, new to old.
func (t *timing) ratios() []float64 {
	r := make([]float64, min(len(t.seconds[0]), len(t.seconds[1])))
	for i := range r {
		r[i] = t.seconds[1][i] / max(t.seconds[0][i], 1e-9)
	}
	return r
}

// print writes the table. It tells whether all medians are within the limit.
func (c config) print(w io.Writer, all timings) (within bool, err error) {
	within = true
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "\told\tnew\tnew/old\tinterval\t")
	for _, t := range all {
		r := t.ratios()
		if len(r) == 0 {
			fmt.Fprintf(out, "%s\ton one side only\t\t\t\t\n", t.name)
			continue
		}
		e := medianOf(r)
		fmt.Fprintf(out, "%s\t%s\t%s\t%.3f\t%.3f to %.3f (%.0f %%)\t%s\n", t.name,
			duration(medianOf(t.seconds[0]).median), duration(medianOf(t.seconds[1]).median),
			e.median, e.low, e.high, 100*e.confidence, e.verdict())
		if t.answer[0] != t.answer[1] {
			fmt.Fprintf(out, "  the answers differ: it is not the same work\t\t\t\t\t\n")
		}
		within = within && (c.limit == 0 || e.median <= c.limit)
	}
	return within, out.Flush()
}

func (e estimate) verdict() string {
	switch {
	case e.high < 1:
		return "faster"
	case e.low > 1:
		return "slower"
	}
	return "no difference shown"
}

func duration(seconds float64) string {
	d := time.Duration(seconds * 1e9)
	switch {
	case d >= time.Second:
		return d.Round(time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(time.Microsecond).String()
	}
	return d.String()
}
