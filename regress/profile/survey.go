package profile

import (
	"cmp"
	"context"
	"math"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/doc"
	"kroo/internal/parallel"
)

// survey sums the rows of a dataset in one pass. Memory use does not grow with their number.
type survey[P games.Position[P]] struct {
	game     *games.Game[P]
	manifest datasets.Manifest
	rows     int

	fields     []field // without values
	tallies    []tally // of the fields
	phases     []phaseSums
	phaseTally []tally  // of the labels of each phase
	histogram  doc.Bins // of labels; nil without labels
	exact      int

	situations *sorter          // orbit and label of each row
	clusters   *sorter          // cluster and number of each row
	features   *featureSums     // nil without features
	residuals  *residualSums[P] // nil without predictions
	first      []headRow
	most       int // greatest length of head
}

// phaseSums are sums over the rows of a phase.
type phaseSums struct {
	rows, exact int
	depth       float64
}

// sortRoom is a sorter's memory in bytes.
const sortRoom = 1 << 21

// newSurvey returns an empty survey of a table's columns.
func newSurvey[P games.Position[P]](t *table[P], head int) *survey[P] {
	s := &survey[P]{
		game: t.game, manifest: t.manifest, most: head, phases: make([]phaseSums, t.game.MaxPhase+1),
		situations: newSorter(2, sortRoom), clusters: newSorter(2, sortRoom),
	}
	for _, f := range t.fields {
		s.fields = append(s.fields, field{name: f.name, typ: f.typ})
	}
	s.tallies, s.phaseTally = newTallies(len(s.fields)), newTallies(len(s.phases))
	if t.field("label") != nil {
		s.histogram = doc.NewBins(games.MaxPoints)
	}
	if names := fitted(t.manifest.Meta); len(names) > 0 {
		s.features = newFeatureSums(names, len(t.manifest.Meta.Features), t.game.MaxPhase)
	}
	return s
}

// fitted returns the features of a dataset, including columns of other programs, that weights can
// be fitted to.
func fitted(m datasets.Meta) []string {
	return append(append([]string{}, m.Features...), m.Fitted()...)
}

// surveyOf reads a dataset. The caller closes the survey.
func surveyOf[P games.Position[P]](ctx context.Context, g *games.Game[P], from *datasets.Table, o Options[P], progress parallel.Progress) (s *survey[P], err error) {
	t := newTable(g, from, nil)
	s = newSurvey(t, o.Head)
	s.residuals = newResidualSums(s.manifest.Meta, o)
	for err := range t.chunks(ctx, o.Where, progress) {
		if err == nil {
			err = s.add(t)
		}
		if err != nil {
			return nil, cmp.Or(err, s.close())
		}
	}
	return s, nil
}

// close removes the temporary files.
func (s *survey[P]) close() error {
	return cmp.Or(closeAll(s.tallies), closeAll(s.phaseTally), s.situations.Close(), s.clusters.Close())
}

// add adds rows. It uses several goroutines; no two share a sum.
func (s *survey[P]) add(t *table[P]) error {
	jobs := []func() error{
		func() error { return s.addSituations(t) },
		func() error { return s.addClusters(t) },
		func() error { return s.addPhases(t) },
	}
	if s.features != nil {
		jobs = append(jobs, func() error { addFeatures(s.features, t); return nil })
	}
	if s.residuals != nil {
		jobs = append(jobs, func() error { s.residuals.add(t); return nil })
	}
	for i := range s.fields {
		jobs = append(jobs, func() error {
			s.fields[i].names = t.fields[i].names
			for _, v := range t.fields[i].values {
				if err := s.tallies[i].add(v); err != nil {
					return err
				}
			}
			return nil
		})
	}
	errs := make([]error, len(jobs))
	parallel.For(0, len(jobs), func(_, i int) { errs[i] = jobs[i]() })
	for i := 0; i < t.rows() && len(s.first) < s.most; i++ {
		s.first = append(s.first, headOf(t, i))
	}
	s.rows += t.rows()
	return cmp.Or(errs...)
}

func (s *survey[P]) addSituations(t *table[P]) error {
	labels := t.labels()
	for i, p := range t.positions {
		label := 0.0
		if labels != nil {
			label = labels[i]
		}
		if err := s.situations.Add(uint64(t.game.Orbit(p)), math.Float64bits(label)); err != nil {
			return err
		}
	}
	return nil
}

// cluster returns the number of the cluster of row i.
func (t *table[P]) cluster(i int, game *field) uint64 {
	return uint64(datasets.GroupOf(t.game, 0, t.positions[i], int32(game.values[i])))
}

func (s *survey[P]) addClusters(t *table[P]) error {
	game := t.field("game")
	for i := range t.positions {
		if err := s.clusters.Add(t.cluster(i, game), uint64(s.rows+i)); err != nil {
			return err
		}
	}
	return nil
}

func (s *survey[P]) addPhases(t *table[P]) error {
	phase, labels := t.field("phase").values, t.labels()
	for i, v := range phase {
		s.phases[int(v)].rows++
		if labels == nil {
			continue
		}
		if err := s.phaseTally[int(v)].add(labels[i]); err != nil {
			return err
		}
		s.phases[int(v)].depth += t.field("depth").values[i]
		exact := t.field("exact").values[i] != 0
		if exact {
			s.exact++
			s.phases[int(v)].exact++
		}
		s.histogram.Count(labels[i], exact)
	}
	return nil
}

// columns describes every column.
func (s *survey[P]) columns(ctx context.Context, bars bool) (all []ColumnStats, err error) {
	for i, f := range s.fields {
		c, err := columnOf(ctx, f, &s.tallies[i], bars)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// byPhase describes every phase that has rows.
func (s *survey[P]) byPhase(ctx context.Context) (all []PhaseStats, err error) {
	for k, of := range s.phases {
		if of.rows == 0 {
			continue
		}
		p := PhaseStats{Phase: k, Rows: of.rows}
		if s.histogram != nil {
			if _, p.Labels, err = s.phaseTally[k].describe(ctx); err != nil {
				return nil, err
			}
			p.Exact, p.Depth = float64(of.exact)/float64(of.rows), of.depth/float64(of.rows)
		}
		all = append(all, p)
	}
	return all, nil
}

// repeats compares every row with the first of its situation.
func (s *survey[P]) repeats(ctx context.Context) (r Repeats, err error) {
	var orbit uint64
	var first float64
	rows := 0 // of the situation
	for of, err := range s.situations.all(ctx) {
		if err != nil {
			return r, err
		}
		label := math.Float64frombits(of[1])
		if rows == 0 || of[0] != orbit {
			orbit, first, rows = of[0], label, 0
			r.Situations++
		} else {
			r.Repeated++
			r.Apart += math.Abs(label - first)
		}
		rows++
		r.Most = max(r.Most, rows)
	}
	if r.Repeated > 0 {
		r.Apart /= float64(r.Repeated)
	}
	return r, nil
}
