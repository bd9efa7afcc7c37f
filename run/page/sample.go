package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kroo/datasets"
	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/agreement"
	"kroo/internal/doc"
	"kroo/report"
	"kroo/sampler"
)

// A labelled sample is what the report shows of the positions of a fit.
type labelled struct {
	name    string // of the sample
	kind    sampler.Config
	rows    []datasets.Row[oware.Position]
	used    int            // rows that the fit has used or measured
	fitted  []report.Point // prediction and label of each row, for the side to move
	seeds   float64        // mean of seeds in play
	mean    float64        // of the absolute label
	sd      float64        // of the doubled labels: their mean is 0
	exact   int            // proven labels
	decided int            // labels of ±1000
	depth   [3]int32       // of searches that proved nothing: quartiles
}

// readLabelled reads the features of a sample and what the weights make of them.
func (c *Counts) readLabelled(name string, sample Sample, used int, m *patterns.Model) (*labelled, error) {
	_, rows, err := datasets.Read(oware.Descriptor(), sample.Features, datasets.Features)
	if err != nil {
		return nil, err
	}
	s := &labelled{name: name, kind: sample.Config, rows: rows, used: used}
	var depths []int32
	n, square := float64(len(rows)), 0.0
	for _, row := range rows {
		s.fitted = append(s.fitted, report.Point{X: m.Exact(row.Position), Y: row.Label})
		s.seeds += float64(row.Position.SeedsInPlay()) / n
		s.mean += math.Abs(row.Label) / n
		square += row.Label * row.Label / n
		switch {
		case row.Exact:
			s.exact++
		default:
			depths = append(depths, row.Depth)
		}
		if math.Abs(row.Label) == games.MaxPoints {
			s.decided++
		}
	}
	s.sd, s.depth = math.Sqrt(square), quartiles(depths)
	return s, nil
}

// quartiles are zero for no depths.
func quartiles(depths []int32) (q [3]int32) {
	slices.Sort(depths)
	for i := range q {
		if len(depths) > 0 {
			q[i] = depths[(len(depths)-1)*(i+1)/4]
		}
	}
	return q
}

// drawn says how the positions were drawn, and what that means.
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

// advantage is the mean of label minus prediction, with its 95 % bar, for which the rows of a
// game are one observation. The fitted
// function gives both players the same, so what is left in the mean is what it is worth
// to be the one to move.
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

// samplesSection says what is compared with what.
func samplesSection(training, validation *labelled, overlap int) doc.Section {
	t := &doc.Table{Header: []string{"", training.name, validation.name}, Caption: "Labels are for the side to move, in seeds. A proven label is the end of a search that saw how the game ends."}
	row := func(name string, value func(*labelled) string) {
		t.Rows = append(t.Rows, []string{name, value(training), value(validation)})
	}
	share := func(n int, s *labelled) string {
		return report.Number(100*float64(n)/max(float64(len(s.rows)), 1), 1) + " %"
	}
	row("drawn", (*labelled).drawn)
	row("positions", func(s *labelled) string { return report.Count(len(s.rows)) })
	row("positions in the fit", func(s *labelled) string { return report.Count(s.used) })
	row("rows, after doubling", func(s *labelled) string { return report.Count(2 * s.used) })
	row("mean seeds in play", func(s *labelled) string { return report.Number(s.seeds, 1) })
	row("mean absolute label", func(s *labelled) string { return report.Number(features.Seeds(s.mean), 2) })
	row("spread of labels (standard deviation)", func(s *labelled) string { return report.Number(features.Seeds(s.sd), 2) })
	row("labels of ±24: won and lost games", func(s *labelled) string { return share(s.decided, s) })
	row("proven labels", func(s *labelled) string { return share(s.exact, s) })
	row("depth of the other searches, quartiles", func(s *labelled) string {
		return fmt.Sprintf("%d, %d, %d plies", s.depth[0], s.depth[1], s.depth[2])
	})
	row("advantage of the side to move", func(s *labelled) string {
		mean, bar := s.advantage()
		return report.Signed(features.Seeds(mean), 2) + " ± " + report.Number(features.Seeds(bar), 2)
	})
	return doc.Section{Heading: "Samples", Text: samplesTexts(training, validation, overlap), Table: t, Figures: distributions(training, validation)}
}

func samplesTexts(training, validation *labelled, overlap int) []string {
	doubled := "The weights are fitted to the training sample; the validation sample is only measured on. " +
		"Each position is two rows of the fit: as the side to move sees it, and with label and differences negated, as the other side does."
	if overlap > 0 {
		doubled += fmt.Sprintf(" Left out of the validation rows: %s that the training sample holds too.", report.Count(overlap))
	}
	spread := fmt.Sprintf("The two samples are drawn in different ways, so R on one does not measure itself against R on the other: R sets the errors against the spread of the labels, and labels of the validation sample spread %s (%s seeds against %s). "+
		"So R can be higher on validation although the mean error is larger there, and it says nothing of overfitting. Compare R between functions, on one sample.",
		map[int]string{-1: "less", 0: "as much", 1: "more"}[cmp.Compare(validation.sd, training.sd)], report.Number(features.Seeds(validation.sd), 2), report.Number(features.Seeds(training.sd), 2))
	mean, bar := training.advantage()
	advantage := fmt.Sprintf("The fitted function is the same for both sides, so it cannot know what it is worth to be on the move. The labels do: for the side to move they are %s ± %s seeds (95 %%) above the prediction on the training sample. Patterns see who is to move, and can learn it.",
		report.Signed(features.Seeds(mean), 2), report.Number(features.Seeds(bar), 2))
	return []string{doubled, spread, advantage}
}

// distributions draw how often each label and each depth occurs.
func distributions(samples ...*labelled) []doc.Drawing {
	labels := report.Chart{Name: "labels", Title: "Labels", Line: "share of each sample, a seed a step", X: "label, seeds", Y: "positions, %"}
	depths := report.Chart{Name: "depths", Title: "Depth of the labelling searches", Line: "share of the searches that proved nothing", X: "depth, plies", Y: "searches, %"}
	for _, s := range samples {
		labels.Curves = append(labels.Curves, shares(s, func(r datasets.Row[oware.Position]) (float64, bool) { return features.Seeds(r.Label), true }))
		depths.Curves = append(depths.Curves, shares(s, func(r datasets.Row[oware.Position]) (float64, bool) { return float64(r.Depth), !r.Exact }))
	}
	return []doc.Drawing{labels, depths}
}

// shares is how many per cent of the counted rows are nearest to each whole number.
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
