package run

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/engine"
	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/agreement"
	"kroo/internal/doc"
	"kroo/report"
	"kroo/sampler"
)

// storyParts are the pictures of seed counts: those before the matches, and those after them.
type storyParts struct{ done, rest []doc.Section }

// countSections returns the pictures of seed counts, and the parts for experts.
func (p *results) countSections() (s storyParts, experts []doc.Section, err error) {
	training, validation := p.training, p.validation
	if training != nil && validation != nil {
		experts = append(experts, p.samplesSection(training, validation))
	}
	if p.fit != nil {
		s.done = []doc.Section{p.doneSection(validation)}
		s.rest = append(s.rest, p.weightSection())
		if validation != nil {
			s.rest = append(s.rest, p.errorSections(validation)...)
		}
		experts = append(experts, p.fitSections(validation)...)
	}
	if p.patterns != nil {
		experts = append(experts, p.patternSection())
	}
	if p.book != nil && p.has(bookFile, leavesFile) {
		tree, leaves, err := p.bookSections()
		if err != nil {
			return s, nil, err
		}
		s.rest, experts = append(s.rest, tree), append(experts, leaves)
	}
	if p.fit != nil {
		experts = append(experts, p.nextToThesis(training)...)
	}
	return s, experts, nil
}

// countFacts returns the main figures of seed counts, except matches.
func (p *results) countFacts() (facts []doc.Fact) {
	if f := p.fit; f != nil {
		full, selected, captures := f.Full.Measured(), f.Selected.Measured(), f.Captures.Measured()
		score := report.Number(features.Seeds(selected.MAE), 2) + " seeds of score"
		off := doc.Fact{Name: "mean error", Value: score, Note: fmt.Sprintf("on the validation sample; captures alone: %s seeds", report.Number(features.Seeds(captures.MAE), 2))}
		if v := p.validation; v != nil && v.chance != nil {
			off.Value, off.Note = report.Number(mean(v.chance), 0)+" %", "of winning chance, or "+score+", "+off.Note
		}
		facts = append(facts, off,
			doc.Fact{Name: "correlation R", Value: report.Number(selected.R, 3), Note: fmt.Sprintf("with %d features; all %d: %s; captures alone: %s",
				len(f.Selected.Features), len(f.Full.Features), report.Number(full.R, 3), report.Number(captures.R, 3))})
	}
	if b := p.book; b != nil {
		facts = append(facts,
			doc.Fact{Name: "opening book", Value: report.Count(b.Entries) + " entries", Note: fmt.Sprintf("of %s positions searched, to ply %d", report.Count(b.Nodes), b.MaxDepth)},
			p.firstMove())
	}
	return facts
}

// labelled is a sample with labels and predictions by the weights.
type labelled struct {
	name   string // of the sample
	kind   sampler.Config
	model  *patterns.Model
	rows   []datasets.Row[oware.Position]
	left   int            // rows that are left out: the training sample has their situations
	fitted []report.Point // prediction and label of each row, for the side to move; nil before the fit
	chance []float64      // error of each prediction in winning chance, percent; nil without a calibration
}

// readSample reads a sample without the rows whose situations another one has, as the fit does; nil
// if its features are not there.
func (p *results) readSample(name string, kind sampler.Config, file string, without *labelled) (*labelled, error) {
	if p.manifest.stage(strings.TrimSuffix(file, ".parquet")) == nil || !p.has(file) {
		return nil, nil
	}
	_, rows, err := datasets.Read(oware.Descriptor(), p.path(file), datasets.Features)
	if err != nil {
		return nil, err
	}
	s := &labelled{name: name, kind: kind}
	if p.fit != nil && p.has(weightsFile) {
		if s.model, err = patterns.Sets.Load(p.path(weightsFile)); err != nil {
			return nil, err
		}
	}
	known := map[int64]bool{}
	if without != nil {
		for _, row := range without.rows {
			known[situation(row)] = true
		}
	}
	for _, row := range rows {
		if known[situation(row)] {
			s.left++
			continue
		}
		s.rows = append(s.rows, row)
		if s.model == nil {
			continue
		}
		at := report.Point{X: s.model.Exact(row.Position), Y: row.Label}
		s.fitted = append(s.fitted, at)
		if predicted, ok := p.prospects(at.X, row.Position); ok {
			found, _ := p.prospects(at.Y, row.Position)
			s.chance = append(s.chance, math.Abs(predicted.Expected()-found.Expected()))
		}
	}
	return s, nil
}

// prospects returns the prospects of a score in points for the side to move.
func (p *results) prospects(points float64, at oware.Position) (engine.Prospects, bool) {
	return engine.Oware().Prospects(engine.Evaluation[oware.Position]{Calibration: p.calibration}, at, int(math.Round(100*features.Seeds(points))))
}

// mean returns the mean of a list, 0 if it is empty.
func mean(list []float64) (m float64) {
	for _, x := range list {
		m += x / float64(len(list))
	}
	return m
}

// situation returns the number of a row's situation, the same for both sides to move.
func situation(row datasets.Row[oware.Position]) int64 {
	return datasets.GroupOf(oware.Descriptor(), 0, row.Position, 0)
}

// decided reports whether a label is a won or lost game.
func decided(row datasets.Row[oware.Position]) bool { return math.Abs(row.Label) == games.MaxPoints }

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

// advantage returns the mean of label minus prediction, which is the value of the move, and half of
// its 95 % interval.
func (s *labelled) advantage() (lead, bar float64) {
	for _, at := range s.fitted {
		lead += (at.Y - at.X) / float64(len(s.fitted))
	}
	off := agreement.NewClusters(1)
	for i, at := range s.fitted {
		off.Add(uint64(datasets.GroupOf(oware.Descriptor(), 0, s.rows[i].Position, s.rows[i].Game)), at.Y-at.X-lead)
	}
	return lead, 1.96 * off.MeanError()
}

// doneSection describes what was done, and shows one board of it.
func (p *results) doneSection(validation *labelled) doc.Section {
	who := p.searched("a captures-only search")
	one := doc.Section{Heading: "What was done", Text: append([]string{fmt.Sprintf("%s%s (%s) gave each of %s boards a label: the score for the side to move, in seeds, 24 for a won game. "+
		"A sum of seed counts, those of the side to move minus those of the other side, was fitted to the labels. %s more boards, drawn in another way, check it.",
		strings.ToUpper(who[:1]), who[1:], p.limitText(), report.Count(p.Config.Training.N), report.Count(p.Config.Validation.N))}, p.labels.texts()...)}
	if validation != nil && len(validation.fitted) > 0 {
		order := validation.byError()
		one.Text = append(one.Text, "One of them, house by house: the numbers below the seeds add up to the score by the weights. Half of the boards have larger errors.")
		one.Figures = []doc.Drawing{p.board(validation, order[len(order)/2], "board", "A position, house by house")}
	}
	return one
}

func (p *results) limitText() string { return cmp.Or(p.limits, p.labels.search.String()) }

// byError returns the numbers of the rows, the largest error in winning chance first.
func (s *labelled) byError() []int {
	order := make([]int, len(s.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if s.chance != nil && s.chance[a] != s.chance[b] {
			return cmp.Compare(s.chance[b], s.chance[a])
		}
		return cmp.Compare(s.missed(b), s.missed(a))
	})
	return order
}

// missed returns the error of a row, in points.
func (s *labelled) missed(i int) float64 { return math.Abs(s.fitted[i].Y - s.fitted[i].X) }

// board returns a drawing of a row, with the score that each house adds.
func (p *results) board(s *labelled, i int, name, title string) report.Board {
	at, predicted := s.rows[i].Position, s.fitted[i]
	line := fmt.Sprintf("%s to move. The weights say %s, the search %s.", oware.Descriptor().Sides[at.ToMove()], p.worth(predicted.X, at), p.worth(predicted.Y, at))
	shares, rest := sharesOf(s.model, at)
	for _, part := range rest {
		line += fmt.Sprintf(" %s is of no single house: %s seeds.", part.Name, report.Signed(features.Seeds(part.Points), 1))
	}
	return report.Board{Position: at, Worth: shares, Name: name, Title: title, Line: line}
}

// worth formats a score in points for the side to move: its winning chance, and in seeds.
func (p *results) worth(points float64, at oware.Position) string {
	score := "a score of " + report.Signed(features.Seeds(points), 1)
	if s, ok := p.prospects(points, at); ok {
		return fmt.Sprintf("%s %% winning chance (%s)", report.Number(s.Expected(), 0), score)
	}
	return score + " seeds"
}

// sharesOf returns the points that each house and store adds to the score, and the parts of the score
// that belong to no place.
func sharesOf(m *patterns.Model, p oware.Position) (points *[2][oware.Houses + 1]float64, rest []features.Part) {
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
func (p *results) samplesSection(training, validation *labelled) doc.Section {
	t := doc.NewTable("", training.name, validation.name)
	t.Caption = "Labels are for the side to move, in seeds of score. A proven label is the end of a search that saw how the game ends."
	row := func(name string, value func(*labelled) string) { t.Add(name, value(training), value(validation)) }
	share := func(name string, of func(datasets.Row[oware.Position]) bool) {
		row(name, func(s *labelled) string {
			n := 0
			for _, r := range s.rows {
				if of(r) {
					n++
				}
			}
			return report.Number(100*float64(n)/max(float64(len(s.rows)), 1), 1) + " %"
		})
	}
	row("drawn", (*labelled).drawn)
	row("positions in the fit", func(s *labelled) string { return report.Count(len(s.rows)) })
	row("left out: the training sample has them", func(s *labelled) string { return report.Count(s.left) })
	row("mean seeds in play", func(s *labelled) string {
		var seeds []float64
		for _, r := range s.rows {
			seeds = append(seeds, float64(r.Position.SeedsInPlay()))
		}
		return report.Number(mean(seeds), 1)
	})
	share("labels of ±24: won and lost games", decided)
	share("proven labels", func(r datasets.Row[oware.Position]) bool { return r.Exact })
	text := []string{"The weights are fitted to the training sample; the validation sample only measures them. They are drawn in different ways, so compare R and errors between functions, on one sample, not between the samples."}
	if p.fit != nil {
		row("advantage of the side to move", func(s *labelled) string {
			lead, bar := s.advantage()
			return report.Signed(features.Seeds(lead), 2) + " ± " + report.Number(features.Seeds(bar), 2)
		})
		text = append(text, "The advantage of the side to move is the mean of label minus prediction, with its 95 % interval. The fitted function is the same for both sides, so it cannot see who is to move; patterns can.")
	}
	if n := p.labels.noise; n != nil {
		text = append(text, noiseText(*n))
	}
	labels := report.Chart{Name: "labels", Title: "Labels", Line: "share of each sample, one seed per step", X: "label, seeds of score", Y: "positions, %",
		Caption: "Peaks at both ends: decided games. A peak right of 0: the side to move has an advantage."}
	depths := report.Chart{Name: "depths", Title: "Depth of the labelling searches", Line: "share of the searches that proved nothing", X: "depth, plies", Y: "searches, %",
		Caption: "Curves that differ: one sample is easier to search, so its labels see further."}
	for _, s := range []*labelled{training, validation} {
		labels.Curves = append(labels.Curves, shares(s, func(r datasets.Row[oware.Position]) (float64, bool) { return features.Seeds(r.Label), true }))
		depths.Curves = append(depths.Curves, shares(s, func(r datasets.Row[oware.Position]) (float64, bool) { return float64(r.Depth), !r.Exact }))
	}
	return doc.Section{Heading: "Samples and labels", Text: text, Table: t, Figures: []doc.Drawing{labels, depths}}
}

// noiseText describes how labels of one position differ.
func noiseText(n sampler.Noise) string {
	return fmt.Sprintf("Noise of labels: %s positions were searched %d times each; the labels of one position spread by %s seeds (standard deviation), and %s %% of the positions got different ones.",
		report.Count(n.Positions), n.Repeats, report.Number(features.Seeds(n.Within), 2), report.Number(100*n.Changed, 0))
}

// shares returns the distribution of a value of a sample, in percent.
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

// patternSection describes the patterns; their match compares them with the seed counts.
func (p *results) patternSection() doc.Section {
	text := fmt.Sprintf("%s, %s weights.", strings.ReplaceAll(p.patterns.Set, "+", " + "), report.Count(p.patterns.Weights))
	if v := p.patterns.Validation; v != nil {
		text += fmt.Sprintf(" Mean error on the validation sample: %s seeds of score, predictions clamped to ±24 as labels are.", report.Number(features.Seeds(v.MAE), 2))
	}
	return doc.Section{Heading: "Patterns", Text: []string{"A pattern is a combination of seed counts in some houses. One function serves both players: it sees the houses of the side to move and those of the other side apart, so that it also learns what it is worth to move. It is fitted to the same labels.", text}}
}
