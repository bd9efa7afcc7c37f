package profile

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/doc"
	"kroo/internal/parallel"
)

// survey sums the rows of a dataset in one pass. Memory use does not grow with their number.
type survey struct {
	game     games.Info
	manifest datasets.Manifest
	rows     int

	fields    []field // without values
	tallies   []tally // of the fields
	phases    []phaseSums
	histogram doc.Bins // of labels; nil without labels
	exact     int

	situations *sorter       // orbit and label of each row
	clusters   *sorter       // see addClusters; nil if nothing needs the order of clusters
	features   *featureSums  // nil without features
	residuals  *residualSums // nil without predictions
	fieldsAt   int           // index of the first field in a record of clusters

	head     []map[string]any // the first rows
	headRows []FittedRow      // the same as boards with a line
	most     int              // greatest length of head
}

// phaseSums are sums over the rows of a phase.
type phaseSums struct {
	rows, exact int
	depth       float64
	labels      tally
}

// sortRoom is a sorter's memory in bytes.
const sortRoom = 1 << 21

// newSurvey returns an empty survey. For one that is only compared with another, like is the other.
func newSurvey(g games.Info, from *datasets.Table, o Options, like *survey) *survey {
	s := &survey{
		game: g, manifest: from.Manifest, most: o.Head, phases: make([]phaseSums, g.MaxPhase+1),
		situations: newSorter(2, sortRoom),
	}
	for _, c := range from.Fields() {
		f := field{name: c.Name, typ: c.Type}
		if c.Name == "label" {
			s.histogram = doc.NewBins(games.MaxPoints)
		}
		if like != nil {
			if i := like.column(f); i >= 0 {
				f.names = append(f.names, like.fields[i].names...) // texts of both have the same numbers
			}
		}
		s.fields = append(s.fields, f)
	}
	s.tallies = newTallies(len(s.fields))
	for i, t := range newTallies(len(s.phases)) {
		s.phases[i].labels = t
	}
	if names := fitted(from.Meta); len(names) > 0 && like == nil {
		s.features = newFeatureSums(names, len(from.Meta.Features), g.MaxPhase)
	}
	if from.Meta.Predicted() && like == nil {
		s.residuals = newResidualSums(from.Meta.Features)
	}
	width := 2
	if s.features != nil {
		width += 1 + len(s.features.names)
	}
	if s.fieldsAt = width; o.Compare != "" {
		width += len(s.fields)
	}
	if width > 2 {
		s.clusters = newSorter(width, 2*sortRoom)
	}
	return s
}

// column returns the number of the field with the name and type of another, or -1.
func (s *survey) column(of field) int {
	for i, f := range s.fields {
		if f.name == of.name && f.typ == of.typ {
			return i
		}
	}
	return -1
}

// close removes the temporary files.
func (s *survey) close() (err error) {
	all := []*sorter{s.situations}
	if s.clusters != nil {
		all = append(all, s.clusters)
	}
	for _, t := range s.tallies {
		all = append(all, t.counts)
	}
	for _, p := range s.phases {
		all = append(all, p.labels.counts)
	}
	for _, one := range all {
		err = cmp.Or(err, one.Close())
	}
	return err
}

// read adds the rows of a dataset.
func read[P games.Position[P]](ctx context.Context, g *games.Game[P], s *survey, from *datasets.Table, where string, progress parallel.Progress) error {
	for c, err := range chunks(ctx, g, from, s.fields, datasets.Query{Where: where, Progress: progress}) {
		if err == nil {
			err = s.add(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds rows. It uses several goroutines; no two share a sum.
func (s *survey) add(c *chunk) error {
	jobs := []func() error{
		func() error { return s.addSituations(c) },
		func() error { return s.addPhases(c) },
	}
	if s.clusters != nil {
		jobs = append(jobs, func() error { return s.addClusters(c) })
	}
	if s.features != nil {
		jobs = append(jobs, func() error { s.features.add(c); return nil })
	}
	if s.residuals != nil {
		jobs = append(jobs, func() error { s.residuals.add(c); return nil })
	}
	for i, f := range c.fields {
		jobs = append(jobs, func() error {
			for _, v := range f.values {
				if err := s.tallies[i].add(v); err != nil {
					return err
				}
			}
			return nil
		})
	}
	errs := make([]error, len(jobs))
	parallel.For(0, len(jobs), func(_, i int) { errs[i] = jobs[i]() })
	for i := 0; i < len(c.numbers) && len(s.head) < s.most; i++ {
		s.addHead(c, i)
	}
	s.rows += len(c.numbers)
	return cmp.Or(errs...)
}

func (s *survey) addSituations(c *chunk) error {
	labels := c.values("label")
	for i := range c.numbers {
		label := 0.0
		if labels != nil {
			label = labels[i]
		}
		if err := s.situations.Add(uint64(c.orbit(i)), math.Float64bits(label)); err != nil {
			return err
		}
	}
	return nil
}

// addClusters adds a record for each row: its cluster and number, then what [survey.byCluster] needs:
// label and differences if there are features, and all fields if datasets are compared.
func (s *survey) addClusters(c *chunk) error {
	var columns [][]float64
	if s.features != nil {
		columns = append(append(columns, c.values("label")), c.differences...)
	}
	if s.fieldsAt < s.clusters.width {
		for _, f := range c.fields {
			columns = append(columns, f.values)
		}
	}
	record := make([]uint64, s.clusters.width)
	for i, number := range c.numbers {
		record[0], record[1] = uint64(c.cluster(i)), uint64(number)
		for k, of := range columns {
			record[2+k] = math.Float64bits(of[i])
		}
		if err := s.clusters.Add(record...); err != nil {
			return err
		}
	}
	return nil
}

// byCluster passes the records of all rows to add, cluster by cluster, and calls end after each
// cluster. It returns the number of clusters.
func (s *survey) byCluster(ctx context.Context, work *parallel.Tally, add func(record []uint64), end func()) (n int, err error) {
	last, rows := uint64(0), 0
	for r, err := range s.clusters.all(ctx) {
		if err != nil {
			return n, err
		}
		if n > 0 && r[0] != last {
			end()
		}
		if n == 0 || r[0] != last {
			n, last = n+1, r[0]
		}
		add(r)
		if rows++; rows%checkRecords == 0 {
			work.Add(checkRecords)
		}
	}
	if n > 0 {
		end()
	}
	return n, nil
}

func (s *survey) addPhases(c *chunk) error {
	labels, depth, exact := c.values("label"), c.values("depth"), c.values("exact")
	for i, v := range c.values("phase") {
		p := &s.phases[int(v)]
		p.rows++
		if labels == nil {
			continue
		}
		if err := p.labels.add(labels[i]); err != nil {
			return err
		}
		p.depth += depth[i]
		p.exact += int(exact[i])
		s.exact += int(exact[i])
		s.histogram.Count(labels[i], exact[i] != 0)
	}
	return nil
}

// addHead adds a row that is shown in full.
func (s *survey) addHead(c *chunk, i int) {
	row, line := map[string]any{}, fmt.Sprintf("row %d", c.numbers[i])
	for _, f := range c.fields {
		v := f.values[i]
		if v == v { // not missing
			row[f.name] = f.value(v)
		}
		line += "; " + heading(s.game, f.name) + " " + f.text(s.game, v)
	}
	s.head, s.headRows = append(s.head, row), append(s.headRows, FittedRow{Row: c.numbers[i], line: line})
}

// describe fills in the statistics of columns, phases, situations and residuals.
func (s *survey) describe(ctx context.Context, to *Profile) (err error) {
	for i, f := range s.fields {
		t := &s.tallies[i]
		c := ColumnStats{Name: f.name, Type: f.typ, Rows: t.rows, Missing: t.missing}
		if c.Distinct, c.Spread, err = t.describe(ctx); err != nil {
			return err
		}
		if to.filter != nil {
			if c.bars, err = bars(ctx, f, t); err != nil {
				return err
			}
		}
		if f.typ == datasets.TextField {
			c.Spread = nil
		}
		to.Columns = append(to.Columns, c)
	}
	for k := range s.phases {
		of := &s.phases[k]
		if of.rows == 0 {
			continue
		}
		p := PhaseStats{Phase: k, Rows: of.rows}
		if s.histogram != nil {
			if _, p.Labels, err = of.labels.describe(ctx); err != nil {
				return err
			}
			p.Exact, p.Depth = float64(of.exact)/float64(of.rows), of.depth/float64(of.rows)
		}
		to.Phases = append(to.Phases, p)
	}
	if s.rows > 0 && s.histogram != nil {
		share := float64(s.exact) / float64(s.rows)
		to.ExactShare = &share
	}
	if s.rows > 0 && s.residuals != nil {
		to.Residuals = s.residuals.residuals()
	}
	to.Repeats, err = s.repeats(ctx)
	return err
}

// mostNamed is the number of texts that get a bar of their own.
const mostNamed = 24

// bars counts the values of a column: texts, most frequent first, booleans, or numbers.
func bars(ctx context.Context, f field, t *tally) (all doc.Bins, err error) {
	if f.typ == datasets.NumberField {
		return doc.BinsOf(func(yield func(float64, int) bool) error {
			for c, err := range t.all(ctx) {
				if err != nil {
					return err
				}
				if !yield(c.value, c.rows) {
					break
				}
			}
			return nil
		})
	}
	for c, err := range t.all(ctx) {
		if err != nil {
			return nil, err
		}
		all = append(all, doc.Bin{Name: fmt.Sprint(f.value(c.value)), Rows: c.rows})
	}
	if f.typ == datasets.TextField {
		slices.SortStableFunc(all, func(a, b doc.Bin) int { return cmp.Compare(b.Rows, a.Rows) })
	}
	return all[:min(len(all), mostNamed)], nil
}

// repeats compares every row with the first of its situation.
func (s *survey) repeats(ctx context.Context) (r Repeats, err error) {
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

// shared counts the situations that also occur in another survey, and the rows that have them.
func (s *survey) shared(ctx context.Context, other *survey) (situations, rows int, err error) {
	next, stop := iter.Pull2(other.situations.all(ctx))
	defer stop()
	their, err, more := next()
	last := uint64(0)
	for our, failed := range s.situations.all(ctx) {
		for more && err == nil && their[0] < our[0] {
			their, err, more = next()
		}
		if err := cmp.Or(failed, err); err != nil {
			return 0, 0, err
		}
		if more && their[0] == our[0] {
			if rows++; situations == 0 || last != our[0] {
				situations++
			}
			last = our[0]
		}
	}
	return situations, rows, nil
}
