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
	"kroo/internal/agreement"
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
	fieldsAt   int           // index of the first field in a record of clusters
	features   *featureSums  // nil without features
	residuals  *residualSums // nil without predictions
	sorters    []*sorter     // all

	head     []map[string]any // the first rows
	headRows []FittedRow      // the same as boards with a line
	most     int              // greatest length of head
}

// phaseSums are sums over the rows of a phase.
type phaseSums struct {
	rows, exact int
	depth       float64
	labels      tally
	residuals   agreement.Sums
}

// Memory in bytes of a sorter of rows; of all tallies, and in addition of each.
const (
	sortRoom  = 1 << 21
	tallyRoom = 1 << 24
	leastRoom = 1 << 16
)

// newSurvey returns an empty survey. For one that is only compared with another, like is the other.
func newSurvey(g games.Info, from *datasets.Table, o Options, like *survey) *survey {
	s := &survey{
		game: g, manifest: from.Manifest, most: o.Head, phases: make([]phaseSums, g.MaxPhase+1),
		situations: newSorter(2, sortRoom),
	}
	fields := from.Fields()
	room := leastRoom + tallyRoom/(len(fields)+len(s.phases))
	for _, c := range fields {
		f := field{name: c.Name, typ: c.Type}
		if c.Name == "label" {
			s.histogram = doc.NewBins(games.MaxPoints)
		}
		if like != nil {
			if i := like.column(f); i >= 0 {
				f.names = append(f.names, like.fields[i].names...) // texts of both have the same numbers
			}
		}
		s.fields, s.tallies = append(s.fields, f), append(s.tallies, newTally(room))
	}
	for i := range s.phases {
		s.phases[i].labels = newTally(room)
	}
	width := 2
	if names := fitted(from.Meta); len(names) > 0 && like == nil {
		s.features = newFeatureSums(names, len(from.Meta.Features), g.MaxPhase)
		width += 1 + len(names)
	}
	if from.Meta.Predicted() && like == nil {
		s.residuals = newResidualSums()
	}
	if s.fieldsAt = width; o.Compare != "" {
		width += len(s.fields)
	}
	if s.sorters = append(s.sorters, s.situations); width > 2 {
		s.clusters = newSorter(width, 2*sortRoom)
		s.sorters = append(s.sorters, s.clusters)
	}
	for _, t := range s.tallies {
		s.sorters = append(s.sorters, t.counts)
	}
	for _, p := range s.phases {
		s.sorters = append(s.sorters, p.labels.counts)
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

// err returns the first error of a sorter.
func (s *survey) err() (err error) {
	for _, one := range s.sorters {
		err = cmp.Or(err, one.err)
	}
	return err
}

// close removes the temporary files, and returns [survey.err].
func (s *survey) close() (err error) {
	for _, one := range s.sorters {
		err = cmp.Or(err, one.Close())
	}
	return err
}

// read adds the rows of a dataset.
func read[P games.Position[P]](ctx context.Context, g *games.Game[P], s *survey, from *datasets.Table, where string, progress parallel.Progress) error {
	for c, err := range chunks(ctx, g, from, s.fields, datasets.Query{Where: where, Progress: progress}) {
		if err == nil {
			s.add(c)
			err = s.err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds rows. It uses several goroutines; no two share a sum.
func (s *survey) add(c *chunk) {
	jobs := []func(*chunk){s.addSituations, s.addPhases}
	if s.clusters != nil {
		jobs = append(jobs, s.addClusters)
	}
	if s.features != nil {
		jobs = append(jobs, s.features.add)
	}
	if s.residuals != nil {
		jobs = append(jobs, s.residuals.add)
	}
	for i := range s.tallies {
		jobs = append(jobs, func(c *chunk) {
			for _, v := range c.fields[i].values {
				s.tallies[i].add(v)
			}
		})
	}
	parallel.For(0, len(jobs), func(_, i int) { jobs[i](c) })
	for i := 0; i < len(c.numbers) && len(s.head) < s.most; i++ {
		s.addHead(c, i)
	}
	s.rows += len(c.numbers)
}

func (s *survey) addSituations(c *chunk) {
	labels := c.values("label")
	for i := range c.numbers {
		label := 0.0
		if labels != nil {
			label = labels[i]
		}
		s.situations.Add(uint64(c.orbit(i)), math.Float64bits(label))
	}
}

// addClusters adds a record for each row: its cluster and number, then what [survey.byCluster] needs:
// label and differences if there are features, and all fields if datasets are compared.
func (s *survey) addClusters(c *chunk) {
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
		s.clusters.Add(record...)
	}
}

// byCluster passes the records of all rows to add, cluster by cluster, and calls end after each
// cluster. It returns the number of clusters.
func (s *survey) byCluster(ctx context.Context, work *parallel.Tally, add func(record []uint64), end func()) (n int) {
	last, rows := uint64(0), 0
	for r := range s.clusters.all(ctx) {
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
	return n
}

func (s *survey) addPhases(c *chunk) {
	labels, depth, exact, predictions := c.values("label"), c.values("depth"), c.values("exact"), c.values(datasets.PredictionColumns[0])
	for i, v := range c.values("phase") {
		p := &s.phases[int(v)]
		if p.rows++; labels == nil {
			continue
		}
		p.labels.add(labels[i])
		p.depth += depth[i]
		p.exact += int(exact[i])
		s.exact += int(exact[i])
		s.histogram.Count(labels[i], exact[i] != 0)
		if s.residuals != nil {
			p.residuals.Add(predictions[i], labels[i], 1)
		}
	}
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
func (s *survey) describe(ctx context.Context, to *Profile) {
	for i, f := range s.fields {
		t := &s.tallies[i]
		c := ColumnStats{Name: f.name, Type: f.typ, Rows: t.rows, Missing: t.missing}
		if c.Distinct, c.Spread = t.describe(ctx); f.typ == datasets.TextField {
			c.Spread = nil
		}
		if to.filter != nil {
			c.bars = bars(ctx, f, t)
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
			_, p.Labels = of.labels.describe(ctx)
			p.Exact, p.Depth = float64(of.exact)/float64(of.rows), of.depth/float64(of.rows)
		}
		if s.residuals != nil {
			p.Residuals = residualStats(&of.residuals)
		}
		to.Phases = append(to.Phases, p)
	}
	if s.rows > 0 && s.histogram != nil {
		share := float64(s.exact) / float64(s.rows)
		to.ExactShare = &share
	}
	if s.rows > 0 && s.residuals != nil {
		r := s.residuals
		to.Residuals = &Residuals{Stats: r.all.Stats(), Worst: r.worst.rows, drawn: r.drawn}
	}
	to.Repeats = s.repeats(ctx)
}

// mostNamed is the number of texts that get a bar of their own.
const mostNamed = 24

// bars counts the values of a column: texts, most frequent first, booleans, or numbers.
func bars(ctx context.Context, f field, t *tally) (all doc.Bins) {
	if f.typ == datasets.NumberField {
		return doc.BinsOf(t.all(ctx))
	}
	for v, rows := range t.all(ctx) {
		all = append(all, doc.Bin{Name: fmt.Sprint(f.value(v)), Rows: rows})
	}
	if f.typ == datasets.TextField {
		slices.SortStableFunc(all, func(a, b doc.Bin) int { return cmp.Compare(b.Rows, a.Rows) })
	}
	return all[:min(len(all), mostNamed)]
}

// repeats compares every row with the first of its situation.
func (s *survey) repeats(ctx context.Context) (r Repeats) {
	var orbit uint64
	var first float64
	rows := 0 // of the situation
	for of := range s.situations.all(ctx) {
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
	return r
}

// shared counts the situations that also occur in another survey, and the rows that have them.
func (s *survey) shared(ctx context.Context, other *survey) (situations, rows int) {
	next, stop := iter.Pull(other.situations.all(ctx))
	defer stop()
	their, more := next()
	last := uint64(0)
	for our := range s.situations.all(ctx) {
		for more && their[0] < our[0] {
			their, more = next()
		}
		if more && their[0] == our[0] {
			if rows++; situations == 0 || last != our[0] {
				situations++
			}
			last = our[0]
		}
	}
	return situations, rows
}
