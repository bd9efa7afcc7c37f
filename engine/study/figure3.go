package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	othellofeatures "kroo/features/othello"
	"kroo/games/othello"
	"kroo/internal/outline"
	"kroo/report"
)

// Figure3Result compares fitted weights of Othello's squares with those published by a magazine as
// its figure 3. Fitted weights have a scale of their own: they are divided by a factor that makes
// the sums of squares of all sixty weights equal.
type Figure3Result struct {
	Weights string        `json:"weights"` // hash of the weights
	Labels  string        `json:"labels"`  // labels they were fitted to
	Scale   float64       `json:"scale"`   // points per 1 of the published table
	R       float64       `json:"r"`       // correlation over the sixty squares
	Agree   int           `json:"agree"`   // squares of classes that agree
	Classes []Figure3Line `json:"classes"`
}

// Figure3Line is a class of squares.
type Figure3Line struct {
	Square    string  `json:"square"`    // first of the class
	Squares   int     `json:"squares"`   // number of squares
	Published float64 `json:"published"` // weight
	Points    float64 `json:"points"`    // fitted
	StdErr    float64 `json:"stderr"`    // standard error of Points; 0 if unknown
	Fitted    float64 `json:"fitted"`    // in the unit of the published table
	Agrees    bool    `json:"agrees"`
}

// rounding is the largest difference of weights that agree: the published ones are whole numbers,
// rounded by up to half a unit, and so are those they are compared with.
const rounding = 1

// Figure3 compares fitted weights of the classes of the 8×8 board with the published ones. It
// returns an error for weights that omit classes.
func Figure3(m *othellofeatures.Model) (*Figure3Result, error) {
	if err := m.CheckComplete(); err != nil {
		return nil, err
	}
	set, w := m.Set, m.Named
	names := othellofeatures.ClassNames(othello.Large)
	if w.Rules != othello.Large.String() || set.Len() != len(names) {
		return nil, fmt.Errorf("weights of %s for %s: expected squares for %s, the board of the published table",
			set, w.Rules, othello.Large)
	}
	r := &Figure3Result{Weights: w.Hash(), Labels: w.Provenance.Labels}
	for i, name := range names {
		k := slices.Index(w.Features, name) // all are there
		l := Figure3Line{Square: name, Published: othellofeatures.Figure3[i], Points: w.Points[k]}
		if w.StdErr != nil {
			l.StdErr = w.StdErr[k]
		}
		r.Classes = append(r.Classes, l)
	}
	for at := range othello.Move(64) {
		if c := othellofeatures.ClassOf(othello.Large, at); c >= 0 {
			r.Classes[c].Squares++
		}
	}
	r.compare()
	return r, nil
}

// compare fills in everything that follows from the weights of the classes.
func (r *Figure3Result) compare() {
	var published, fitted, weights []float64
	var p2, f2 float64
	for _, l := range r.Classes {
		n := float64(l.Squares)
		published = append(published, l.Published)
		fitted = append(fitted, l.Points)
		weights = append(weights, n)
		p2 += n * l.Published * l.Published
		f2 += n * l.Points * l.Points
	}
	r.R = stat.Correlation(published, fitted, weights)
	r.Scale = math.Sqrt(f2 / p2)
	for i := range r.Classes {
		l := &r.Classes[i]
		if r.Scale > 0 {
			l.Fitted = l.Points / r.Scale
		}
		l.Agrees = math.Abs(l.Fitted-l.Published) <= rounding
		if l.Agrees {
			r.Agree += l.Squares
		}
	}
}

// Doc has a line per class, and both boards, square by square.
func (r *Figure3Result) Doc() *outline.Doc {
	t := outline.NewTable("class of", "squares", "figure 3", "fitted", "points", "±", "")
	chart := report.Chart{
		Name:  "study-othello",
		Title: "Weights of Othello's squares",
		Line:  fmt.Sprintf("correlation %.3f", r.R),
		X:     "class of squares:",
		Y:     "weight",
	}
	for i, l := range r.Classes {
		points, errText := outline.FormatEstimate(l.Points, cmp.Or(l.StdErr, math.NaN()))
		verdict := ""
		if l.Agrees {
			verdict = "agrees"
		}
		t.Add(l.Square, l.Squares, fmt.Sprintf("%g", l.Published), fmt.Sprintf("%.1f", l.Fitted),
			points, errText, verdict)
		chart.Add("figure 3", float64(i+1), l.Published)
		chart.Add("fitted", float64(i+1), l.Fitted)
		chart.X += " " + l.Square
	}
	d := docOf(r, t, chart, fmt.Sprintf("Correlation over the 60 squares %.3f; %d squares agree within %d. 1 of "+
		"figure 3 is worth %.2f points here (1000 points: 64 discs, or a won game).", r.R, r.Agree, rounding, r.Scale),
		"Figure 3: MCmicrocomputer, the article on Othello; the four squares in the middle have no weight.")
	d.Add(outline.Section{Heading: "square by square", Plain: r.boards()})
	return d
}

// boards formats both tables as boards.
func (r *Figure3Result) boards() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-33s %s\n", "figure 3", "fitted, in its unit")
	for row := range 8 {
		var left, right strings.Builder
		for column := range 8 {
			c := othellofeatures.ClassOf(othello.Large, othello.Move(8*row+column))
			if c < 0 {
				left.WriteString("   ·")
				right.WriteString("     ·")
				continue
			}
			fmt.Fprintf(&left, "%4g", r.Classes[c].Published)
			fmt.Fprintf(&right, "%6.1f", r.Classes[c].Fitted)
		}
		fmt.Fprintf(&b, "%-33s %s\n", left.String(), right.String())
	}
	return b.String()
}
