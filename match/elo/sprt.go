package elo

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Model is the scale of the Elo values of an [SPRT].
type Model string

// The models.
const (
	// Logistic Elo measures the mean score: s = 1/(1+10^(-Elo/400)).
	Logistic Model = "logistic"
	// Normalized Elo measures the distance of the mean score from ½ in standard deviations of one
	// game, times 800/ln 10. A match takes equally long to resolve a given normalized difference,
	// whatever the draws and the openings (M. Van den Bergh, Normalized Elo, 2021).
	Normalized Model = "normalized"
)

// SPRT is a sequential probability ratio test of H0, A leads by Elo0, against H1, A leads by Elo1
// (Wald 1945; generalised to unknown spread by maximum likelihood, M. Van den Bergh, The generalized
// sequential probability ratio test, 2020).
type SPRT struct {
	Leads Leads   `name:"sprt" json:",omitzero" group:"Games" made:"-" help:"stop when a sequential test between these two Elo differences is decided, such as 0,5"`
	Model Model   `name:"model" group:"Games" default:"normalized" choices:"normalized logistic" made:"-" help:"unit of the --sprt hypotheses: normalized or logistic Elo"`
	Alpha float64 `name:"alpha" group:"Games" default:"0.05" made:"-" help:"false-positive rate of --sprt"`
	Beta  float64 `name:"beta" group:"Games" default:"0.05" made:"-" help:"false-negative rate of --sprt"`
}

// Leads are the leads of the two hypotheses. The zero value means no test.
type Leads struct{ Elo0, Elo1 float64 }

// Verdict is the state or result of a test.
type Verdict string

// The verdicts.
const (
	Undecided  Verdict = "undecided"
	AcceptedH0 Verdict = "H0 accepted"
	AcceptedH1 Verdict = "H1 accepted"
)

// UnmarshalText reads "elo0,elo1".
func (l *Leads) UnmarshalText(text []byte) error {
	a, b, ok := strings.Cut(string(text), ",")
	var err0, err1 error
	l.Elo0, err0 = strconv.ParseFloat(strings.TrimSpace(a), 64)
	l.Elo1, err1 = strconv.ParseFloat(strings.TrimSpace(b), 64)
	if !ok || err0 != nil || err1 != nil || l.Elo0 == l.Elo1 {
		return errors.New("expected two different numbers, such as 0,5")
	}
	return nil
}

// MarshalText writes the format of UnmarshalText, "" without a test.
func (l Leads) MarshalText() ([]byte, error) {
	if l == (Leads{}) {
		return nil, nil
	}
	return fmt.Appendf(nil, "%g,%g", l.Elo0, l.Elo1), nil
}

// Given reports whether there is a test.
func (t SPRT) Given() bool { return t.Leads != Leads{} }

// Check returns an error for an invalid test.
func (t SPRT) Check() error {
	switch {
	case t.Model != Logistic && t.Model != Normalized:
		return fmt.Errorf("SPRT model %q: expected %s or %s", t.Model, Logistic, Normalized)
	case !(t.Leads.Elo0 < t.Leads.Elo1):
		return fmt.Errorf("SPRT hypotheses %g,%g: expected the first to be less, such as 0,5", t.Leads.Elo0, t.Leads.Elo1)
	case math.Abs(t.Leads.Elo0) > 100 || math.Abs(t.Leads.Elo1) > 100:
		return errors.New("SPRT hypotheses beyond ±100: a larger lead needs no test; expected such as 0,5")
	case !(t.Alpha > 0 && t.Alpha < 0.5 && t.Beta > 0 && t.Beta < 0.5):
		return fmt.Errorf("SPRT alpha %g, beta %g: expected both between 0 and 0.5, such as 0.05", t.Alpha, t.Beta)
	}
	return nil
}

// LLRBounds returns the log-likelihood ratios at which H0 and H1 are accepted (Wald).
func (t SPRT) LLRBounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// Decide compares a log-likelihood ratio with [SPRT.LLRBounds].
func (t SPRT) Decide(llr float64) Verdict {
	lower, upper := t.LLRBounds()
	switch {
	case llr <= lower:
		return AcceptedH0
	case llr >= upper:
		return AcceptedH1
	}
	return Undecided
}

// Explain describes the state of a test in a sentence.
func (t SPRT) Explain(llr float64) string {
	lower, upper := t.LLRBounds()
	what := fmt.Sprintf("LLR %.2f in (%.2f, %.2f), %s Elo [%g, %g]", llr, lower, upper, t.Model, t.Leads.Elo0, t.Leads.Elo1)
	switch t.Decide(llr) {
	case AcceptedH0:
		return what + ": H0 accepted, the lead is less than " + strconv.FormatFloat(t.Leads.Elo1, 'g', -1, 64)
	case AcceptedH1:
		return what + ": H1 accepted, the lead is more than " + strconv.FormatFloat(t.Leads.Elo0, 'g', -1, 64)
	}
	return what + ": undecided"
}

// LLR returns the log-likelihood ratio of H1 to H0 for counts of pairs, as in [Score.Pairs].
func (t SPRT) LLR(pairs [5]int) float64 { return t.ratio(distributionOf(pairs[:]), math.Sqrt2) }

// LLRGames is [SPRT.LLR] of games counted singly, as if they were independent.
func (t SPRT) LLRGames(wins, draws, losses int) float64 {
	return t.ratio(distributionOf([]int{losses, draws, wins}), 1)
}

// minCount replaces a count of zero: enough to keep logarithms finite and too little to matter
// (fishtest uses the same).
const minCount = 1e-3

// distribution is an observed distribution of scores: score x[i] in [0, 1] has the share p[i] of n
// samples.
type distribution struct {
	x, p []float64
	n    float64
}

func distributionOf(counts []int) distribution {
	d := distribution{x: make([]float64, len(counts)), p: make([]float64, len(counts))}
	for i, c := range counts {
		d.x[i] = float64(i) / float64(len(counts)-1)
		d.p[i] = max(float64(c), minCount)
		d.n += d.p[i]
	}
	for i := range d.p {
		d.p[i] /= d.n
	}
	return d
}

// ratio compares the most likely distributions under both hypotheses. deviate is the standard
// deviation of the score of one game, divided by that of an entry of the distribution: √2 for pairs,
// since the mean of two games spreads less.
func (t SPRT) ratio(d distribution, deviate float64) float64 {
	var p0, p1 []float64
	if t.Model == Normalized {
		p0 = d.mostLikelyDeviation(t.Leads.Elo0 / (2 * eloPerNat) * deviate)
		p1 = d.mostLikelyDeviation(t.Leads.Elo1 / (2 * eloPerNat) * deviate)
	} else {
		p0 = d.mostLikely(shift(d.x, logistic(t.Leads.Elo0)))
		p1 = d.mostLikely(shift(d.x, logistic(t.Leads.Elo1)))
	}
	var sum float64
	for i := range d.p {
		sum += d.p[i] * math.Log(p1[i]/p0[i])
	}
	return d.n * sum
}

func shift(x []float64, by float64) []float64 {
	out := slices.Clone(x)
	floats.AddConst(-by, out)
	return out
}

// mostLikely returns the distribution on the same scores that makes the observed one most likely
// among those under which the mean of a is 0. By Lagrange multipliers it is p/(1+θa), with θ the
// root of Σ p·a/(1+θa), which decreases in θ.
func (d distribution) mostLikely(a []float64) []float64 {
	low, high := -1/slices.Max(a), -1/slices.Min(a) // between its poles
	for range 200 {
		theta := (low + high) / 2
		var sum float64
		for i, v := range a {
			sum += d.p[i] * v / (1 + theta*v)
		}
		if sum > 0 {
			low = theta
		} else {
			high = theta
		}
	}
	theta := (low + high) / 2
	p := make([]float64, len(a))
	for i, v := range a {
		p[i] = d.p[i] / (1 + theta*v)
	}
	return p
}

// mostLikelyDeviation is mostLikely among distributions whose mean is t standard deviations above ½.
// The condition is not linear in the shares; each step solves it linearised at the previous
// distribution (Van den Bergh 2021): mean − ½ = t·sd has the derivative x − ½ −
// t·sd·(1+((x−mean)/sd)²)/2.
func (d distribution) mostLikelyDeviation(t float64) []float64 {
	p := make([]float64, len(d.p))
	for i := range p {
		p[i] = 1 / float64(len(p))
	}
	a, last := make([]float64, len(p)), p
	for range 200 {
		mean, sd := stat.PopMeanStdDev(d.x, p)
		for i, x := range d.x {
			z := (x - mean) / sd
			a[i] = x - 0.5 - t*sd*(1+z*z)/2
		}
		if slices.Min(a) >= 0 || slices.Max(a) <= 0 { // too far from the solution: halve the step
			p = between(last, p)
			continue
		}
		next := d.mostLikely(a)
		last, p = p, next
		if floats.Distance(p, last, math.Inf(1)) < 1e-12 {
			break
		}
	}
	return p
}

func between(p, q []float64) []float64 {
	out := make([]float64, len(p))
	floats.AddTo(out, p, q)
	floats.Scale(0.5, out)
	return out
}
