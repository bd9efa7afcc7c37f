package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/dropout"
	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/agreement"
	"kroo/internal/doc"
	"kroo/regress"
	"kroo/report"
	"kroo/sampler"
)

// Counts are the results of a run of seed counts. What its stages have not found yet is nil,
// and the names of files that they have not made are "".
type Counts struct {
	Rules                     oware.Rules
	Training, Validation      Sample
	Labels                    Labels
	Limits                    string // of the labels of another program, as records have them
	FitConfig                 regress.Config
	Fit                       *regress.Summary
	Match                     *Match    // of the fitted weights against captures alone
	Champion                  *Match    // of the fitted weights against the program's own
	Patterns                  *Patterns // fitted to the same labels
	Book                      *dropout.Summary
	BookPlay                  *Match // from the book against play without it
	Weights, Leaves, BookFile string // files: of the fit, of the book's leaves, and the book
}

// Sample is how positions were drawn, and their file of features.
type Sample struct {
	sampler.Config
	Features string
}

// Patterns are a fit of patterns, and their match against the seed counts.
type Patterns struct {
	Fit   regress.PatternSummary
	Match *Match
}

// storyParts are the pictures of seed counts: the first, and those after the matches.
type storyParts struct {
	done doc.Section
	rest []doc.Section
}

// parts are the pictures, and the parts for experts.
func (c *Counts) parts() (s storyParts, experts []doc.Section, err error) {
	var m *patterns.Model
	if c.Fit != nil {
		if m, err = patterns.Sets.Load(c.Weights); err != nil {
			return s, nil, err
		}
	}
	training, err := c.readLabelled("training", c.Training, m, nil)
	if err != nil {
		return s, nil, err
	}
	validation, err := c.readLabelled("validation", c.Validation, m, training)
	if err != nil {
		return s, nil, err
	}
	s.done = c.doneSection(validation, m)
	if training != nil && validation != nil {
		experts = append(experts, c.samplesSection(training, validation))
	}
	if c.Fit != nil {
		if validation != nil {
			s.rest = append(append(s.rest, weightSection(*c.Fit)), c.errorSections(validation, m)...)
		}
		experts = append(experts, c.fitSections(validation)...)
	}
	if c.Patterns != nil {
		experts = append(experts, c.Patterns.section())
	}
	if c.Book != nil {
		tree, leaves, err := c.bookSections()
		if err != nil {
			return s, nil, err
		}
		s.rest, experts = append(s.rest, tree), append(experts, leaves)
	}
	if c.Fit != nil {
		thesis, err := c.nextToThesis(training)
		if err != nil {
			return s, nil, err
		}
		experts = append(experts, thesis...)
	}
	return s, experts, nil
}

// facts are the figures that matter most, but for matches.
func (c *Counts) facts() (rows []doc.Fact) {
	if f := c.Fit; f != nil {
		full, selected, captures := f.Full.Measured(), f.Selected.Measured(), f.Captures.Measured()
		rows = append(rows,
			doc.Fact{Name: "mean error", Value: report.Number(features.Seeds(selected.MAE), 2) + " seeds", Note: fmt.Sprintf("of a prediction, on the validation sample; captures alone: %s seeds", report.Number(features.Seeds(captures.MAE), 2))},
			doc.Fact{Name: "correlation R", Value: report.Number(selected.R, 3), Note: fmt.Sprintf("with %d features; all %d: %s; captures alone: %s",
				len(f.Selected.Features), len(f.Full.Features), report.Number(full.R, 3), report.Number(captures.R, 3))})
	}
	if b := c.Book; b != nil {
		rows = append(rows,
			doc.Fact{Name: "opening book", Value: report.Count(b.Entries) + " entries", Note: fmt.Sprintf("of %s positions searched, to ply %d", report.Count(b.Nodes), b.MaxDepth)},
			c.firstMove())
	}
	return rows
}

// labelled is a sample with its labels and what the weights predict.
type labelled struct {
	name    string // of the sample
	kind    sampler.Config
	rows    []datasets.Row[oware.Position]
	left    int            // rows that are left out: the training sample has their situations
	fitted  []report.Point // prediction and label of each row, for the side to move; nil before the fit
	seeds   float64        // mean of seeds in play
	exact   int            // proven labels
	decided int            // labels of ±1000
	depth   [3]int32       // of searches that proved nothing: quartiles
}

// readLabelled reads a sample without the rows whose situations another one has, as the fit does;
// nil if it is not there yet.
func (c *Counts) readLabelled(name string, sample Sample, m *patterns.Model, without *labelled) (*labelled, error) {
	if sample.Features == "" {
		return nil, nil
	}
	_, rows, err := datasets.Read(oware.Descriptor(), sample.Features, datasets.Features)
	if err != nil {
		return nil, err
	}
	s := &labelled{name: name, kind: sample.Config}
	known := map[int64]bool{}
	if without != nil {
		for _, row := range without.rows {
			known[situation(row)] = true
		}
	}
	var depths []int32
	for _, row := range rows {
		if known[situation(row)] {
			s.left++
			continue
		}
		s.rows = append(s.rows, row)
		if m != nil {
			s.fitted = append(s.fitted, report.Point{X: m.Exact(row.Position), Y: row.Label})
		}
		s.seeds += float64(row.Position.SeedsInPlay())
		switch {
		case row.Exact:
			s.exact++
		default:
			depths = append(depths, row.Depth)
		}
		if decided(row) {
			s.decided++
		}
	}
	s.seeds /= max(1, float64(len(s.rows)))
	s.depth = quartiles(depths)
	return s, nil
}

// situation numbers that of a row, whichever side is to move.
func situation(row datasets.Row[oware.Position]) int64 {
	return datasets.GroupOf(oware.Descriptor(), 0, row.Position, 0)
}

// decided reports whether a label is that of a won or lost game.
func decided(row datasets.Row[oware.Position]) bool { return math.Abs(row.Label) == games.MaxPoints }

func quartiles(depths []int32) (q [3]int32) {
	slices.Sort(depths)
	for i := range q {
		if len(depths) > 0 {
			q[i] = depths[(len(depths)-1)*(i+1)/4]
		}
	}
	return q
}

// drawn describes how the sample was drawn.
func (s *labelled) drawn() string {
	switch s.kind.Method {
	case sampler.Uniform:
		return "uniform: every board equally likely"
	case sampler.PPS:
		return "proportional to size: the more seeds captured, the likelier"
	case sampler.Games:
		return "games of self-play"
	}
	return s.kind.Method
}

// advantage is what the labels are above the predictions on average, and its 95 % interval: what
// it is worth to be on the move.
func (s *labelled) advantage() (mean, bar float64) {
	for _, p := range s.fitted {
		mean += p.Y - p.X
	}
	mean /= max(1, float64(len(s.fitted)))
	off := agreement.NewClusters(1)
	for i, p := range s.fitted {
		off.Add(uint64(datasets.GroupOf(oware.Descriptor(), 0, s.rows[i].Position, s.rows[i].Game)), p.Y-p.X-mean)
	}
	return mean, 1.96 * off.MeanError()
}

// doneSection says what was done, and shows one board of it.
func (c *Counts) doneSection(validation *labelled, m *patterns.Model) doc.Section {
	who := "A captures-only search"
	if c.Labels.Searcher != "" {
		who = "The program " + c.Labels.Searcher
	}
	one := doc.Section{Heading: "What was done", Text: append([]string{fmt.Sprintf("%s (%s) gave %s boards a label each: the score for the side to move, in seeds, 24 for a won game. "+
		"A sum of seed counts, those of the side to move minus those of the other side, was fitted to the labels. %s more boards, drawn in another way, check it.",
		who, c.limits(), report.Count(c.Training.N), report.Count(c.Validation.N))}, c.Labels.texts()...)}
	if m != nil && validation != nil && len(validation.rows) > 0 {
		order := validation.byError()
		one.Text = append(one.Text, "One of them, house by house: the numbers below the seeds add up to what the weights say. Half of the boards have larger errors, half have smaller ones.")
		one.Figures = []doc.Drawing{validation.board(order[len(order)/2], m, "board", "A position, house by house")}
	}
	return one
}

func (c *Counts) limits() string {
	if c.Labels.Searcher != "" {
		return c.Limits
	}
	return c.Labels.Search.String()
}

// byError are the numbers of the rows, the largest error first.
func (s *labelled) byError() []int {
	order := make([]int, len(s.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.missed(b), s.missed(a)) })
	return order
}

// missed is the error of a row, in points.
func (s *labelled) missed(i int) float64 { return math.Abs(s.fitted[i].Y - s.fitted[i].X) }

// board draws a row, with what each house is worth.
func (s *labelled) board(i int, m *patterns.Model, name, title string) report.Board {
	p, predicted := s.rows[i].Position, s.fitted[i]
	line := fmt.Sprintf("%s to move. The weights say %s seeds, the search %s.", oware.Descriptor().Sides[p.ToMove()],
		report.Signed(features.Seeds(predicted.X), 1), report.Signed(features.Seeds(predicted.Y), 1))
	points, rest := worth(m, p)
	for _, part := range rest {
		line += fmt.Sprintf(" %s is of no single house: %s seeds.", part.Name, report.Signed(features.Seeds(part.Points), 1))
	}
	return report.Board{Position: p, Worth: points, Name: name, Title: title, Line: line}
}

// worth is what each house and store adds, and what belongs to none.
func worth(m *patterns.Model, p oware.Position) (points *[2][oware.Houses + 1]float64, rest []features.Part) {
	points = new([2][oware.Houses + 1]float64)
	for _, part := range m.Parts(p) {
		for i, share := range part.Shares {
			points[i/len(points[0])][i%len(points[0])] += share
		}
		if part.Shares == nil && part.Points != 0 {
			rest = append(rest, part)
		}
	}
	return points, rest
}

// samplesSection compares the two samples.
func (c *Counts) samplesSection(training, validation *labelled) doc.Section {
	t := &doc.Table{Header: []string{"", training.name, validation.name}, Caption: "Labels are for the side to move, in seeds. A proven label is the end of a search that saw how the game ends."}
	row := func(name string, value func(*labelled) string) {
		t.Rows = append(t.Rows, []string{name, value(training), value(validation)})
	}
	share := func(n int, s *labelled) string {
		return report.Number(100*float64(n)/max(float64(len(s.rows)), 1), 1) + " %"
	}
	row("drawn", (*labelled).drawn)
	row("positions in the fit", func(s *labelled) string { return report.Count(len(s.rows)) })
	row("left out: the training sample has them", func(s *labelled) string { return report.Count(s.left) })
	row("mean seeds in play", func(s *labelled) string { return report.Number(s.seeds, 1) })
	row("labels of ±24: won and lost games", func(s *labelled) string { return share(s.decided, s) })
	row("proven labels", func(s *labelled) string { return share(s.exact, s) })
	row("depth of the other searches, quartiles", func(s *labelled) string {
		return fmt.Sprintf("%d, %d, %d plies", s.depth[0], s.depth[1], s.depth[2])
	})
	text := []string{"The weights are fitted to the training sample; the validation sample is only measured on. They are drawn in different ways, so compare R and errors between functions, on one sample, not between the samples."}
	if c.Fit != nil {
		row("advantage of the side to move", func(s *labelled) string {
			mean, bar := s.advantage()
			return report.Signed(features.Seeds(mean), 2) + " ± " + report.Number(features.Seeds(bar), 2)
		})
		text = append(text, "The advantage of the side to move is the mean of label minus prediction, with its 95 % interval. The fitted function is the same for both sides, so it cannot see who is to move; patterns can.")
	}
	if n := c.Labels.Noise; n != nil {
		text = append(text, noiseText(*n))
	}
	return doc.Section{Heading: "Samples and labels", Text: text, Table: t, Figures: distributions(training, validation)}
}

// noiseText describes how labels of one position differ.
func noiseText(n sampler.Noise) string {
	return fmt.Sprintf("Noise of labels: %s positions were searched %d times each; the labels of one position spread by %s seeds (standard deviation), and %s %% of the positions got different ones.",
		report.Count(n.Positions), n.Repeats, report.Number(features.Seeds(n.Within), 2), report.Number(100*n.Changed, 0))
}

// distributions are what the labels are, and how deep their searches went.
func distributions(samples ...*labelled) []doc.Drawing {
	labels := report.Chart{Name: "labels", Title: "Labels", Line: "share of each sample, one seed per step", X: "label, seeds", Y: "positions, %"}
	depths := report.Chart{Name: "depths", Title: "Depth of the labelling searches", Line: "share of the searches that proved nothing", X: "depth, plies", Y: "searches, %"}
	for _, s := range samples {
		labels.Curves = append(labels.Curves, shares(s, func(r datasets.Row[oware.Position]) (float64, bool) { return features.Seeds(r.Label), true }))
		depths.Curves = append(depths.Curves, shares(s, func(r datasets.Row[oware.Position]) (float64, bool) { return float64(r.Depth), !r.Exact }))
	}
	return []doc.Drawing{labels, depths}
}

// shares is a curve of how many rows of a sample have a value.
func shares(s *labelled, value func(datasets.Row[oware.Position]) (v float64, counted bool)) report.Curve {
	counts, total := map[int]int{}, 0
	low, high := math.MaxInt, math.MinInt
	for _, r := range s.rows {
		if v, ok := value(r); ok {
			at := int(math.Round(v))
			counts[at]++
			total++
			low, high = min(low, at), max(high, at)
		}
	}
	c := report.Curve{Name: s.name}
	for at := low; at <= high; at++ {
		c.Points = append(c.Points, report.Point{X: float64(at), Y: 100 * float64(counts[at]) / float64(total)})
	}
	return c
}

// section compares patterns with the seed counts: both are measured alike by their match.
func (p *Patterns) section() doc.Section {
	text := fmt.Sprintf("%s, %s weights.", strings.ReplaceAll(p.Fit.Set, "+", " + "), report.Count(p.Fit.Weights))
	if v := p.Fit.Validation; v != nil {
		text += fmt.Sprintf(" Mean error on the validation sample: %s seeds, predictions clamped to ±24 as labels are.", report.Number(features.Seeds(v.MAE), 2))
	}
	return doc.Section{Heading: "Patterns", Text: []string{"A pattern is a combination of seed counts in some houses. One function serves both players: it sees the houses of the side to move and those of the other side apart, so that it also learns what it is worth to move. It is fitted to the same labels.", text}}
}
