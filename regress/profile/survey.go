package profile

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/outline"
	"kroo/internal/parallel"
)

// survey sums the rows of a dataset in one pass. Memory use does not grow with their number.
type survey struct {
	game games.Info
	from *datasets.Table
	temp *tempFile // of all sorters
	rows int

	columns   []column
	phases    []phaseSums
	histogram outline.Bins // of labels; nil without labels
	exact     int

	positions  *sorter       // orbit and label of each row
	situations *sorter       // [datasets.SituationOf] of each row; nil unless datasets are compared
	clusters   *sorter       // see addClusters; nil if nothing needs the order of clusters
	fieldsAt   int           // index of the first field in a record of clusters
	features   *featureSums  // nil without features
	residuals  *residualSums // nil without predictions

	// The rows being added.
	numbers     []int64             // in the file, from 1
	differences [][]float64         // of the features, the mover's value minus the opponent's, and columns of other programs
	orbit       func(row int) int64 // number of the position and its mirror images
	situation   func(row int) int64 // [datasets.SituationOf]
	rowClusters []uint64            // [datasets.ClusterOf]

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
func newSurvey(ctx context.Context, g games.Info, from *datasets.Table, o Options, like *survey) *survey {
	s := &survey{game: g, from: from, temp: newTempFile(ctx), most: o.Head, phases: make([]phaseSums, g.MaxPhase+1)}
	s.positions = s.temp.sorter(2, sortRoom)
	fields := from.Fields()
	room := leastRoom + tallyRoom/(len(fields)+len(s.phases))
	for _, c := range fields {
		f := column{name: c.Name, typ: c.Type, tally: s.temp.tally(room)}
		if c.Name == "label" {
			s.histogram = outline.NewBins(games.MaxPoints)
		}
		if like != nil {
			if same := like.column(c.Name, c.Type); same != nil {
				f.names = append(f.names, same.names...) // texts of both have the same numbers
			}
		}
		s.columns = append(s.columns, f)
	}
	for i := range s.phases {
		s.phases[i].labels = s.temp.tally(room)
	}
	width := 2
	if names := slices.Concat(from.Meta.Features, from.Meta.FitColumns()); len(names) > 0 && like == nil {
		s.features = newFeatureSums(names, len(from.Meta.Features), g.MaxPhase)
		s.differences = make([][]float64, len(names))
		width += 1 + len(names)
	}
	if from.Meta.HasPredictions() && like == nil {
		s.residuals = newResidualSums()
	}
	s.fieldsAt = width
	if o.Compare != "" {
		width += len(s.columns)
		s.situations = s.temp.sorter(1, sortRoom)
	}
	if width > 2 {
		s.clusters = s.temp.sorter(width, 2*sortRoom)
	}
	return s
}

// read adds the rows of the dataset that match a filter.
func read[P games.Position[P]](g *games.Game[P], s *survey, where string, progress parallel.Progress) error {
	var positions []P
	for b, err := range s.from.Batches(s.temp.ctx, datasets.Query{Where: where, Progress: progress}) {
		if err == nil {
			positions, err = datasets.CheckRows(g, s.from, b, positions[:0])
		}
		if err != nil {
			return err
		}
		s.fill(b)
		s.orbit = func(i int) int64 { return g.Orbit(positions[i]) }
		s.situation = func(i int) int64 { return datasets.SituationOf(g, positions[i]) }
		at := s.from.Column(s.from.ClusterColumn())
		s.rowClusters = datasets.AppendClusters(g, s.from, 0, b, at, positions, s.rowClusters[:0])
		s.add()
	}
	return context.Cause(s.temp.ctx)
}

// column returns the column with a name and one of some types, any if there are none; nil without one.
func (s *survey) column(name string, types ...string) *column {
	for i := range s.columns {
		if c := &s.columns[i]; c.name == name && (types == nil || slices.Contains(types, c.typ)) {
			return c
		}
	}
	return nil
}

// values returns the values of a column, or nil.
func (s *survey) values(name string) []float64 {
	if c := s.column(name); c != nil {
		return c.values
	}
	return nil
}

// fill replaces the rows being added by those of a batch.
func (s *survey) fill(b *datasets.Batch) {
	s.numbers = s.numbers[:0]
	for i := range b.Len() {
		s.numbers = append(s.numbers, b.Row(i)+1)
	}
	for k := range s.columns {
		c := &s.columns[k]
		at := s.from.Column(c.name)
		if c.typ != datasets.TextField {
			c.values = b.Numbers(at)
			continue
		}
		c.values = c.values[:0]
		for _, text := range b.Texts(at) {
			c.values = append(c.values, c.code(text))
		}
	}
	for j := range s.differences {
		name := s.features.names[j]
		if j >= s.features.plain {
			s.differences[j] = s.values(name)
			continue
		}
		own, opp := s.values("own_"+datasets.ColumnName(name)), s.values("opp_"+datasets.ColumnName(name))
		s.differences[j] = floats.SubTo(slices.Grow(s.differences[j][:0], len(own))[:len(own)], own, opp)
	}
}

// add adds rows. It uses several goroutines; no two share a sum.
func (s *survey) add() {
	jobs := []func(){s.addPositions, s.addPhases}
	if s.clusters != nil {
		jobs = append(jobs, s.addClusters)
	}
	if s.features != nil {
		jobs = append(jobs, func() { s.features.add(s) })
	}
	if s.residuals != nil {
		jobs = append(jobs, func() { s.residuals.add(s) })
	}
	for i := range s.columns {
		jobs = append(jobs, func() { s.columns[i].tally.add(s.columns[i].values...) })
	}
	parallel.For(0, len(jobs), func(_, i int) { jobs[i]() })
	for i := 0; i < len(s.numbers) && len(s.head) < s.most; i++ {
		s.addHead(i)
	}
	s.rows += len(s.numbers)
}

func (s *survey) addPositions() {
	labels := s.values("label")
	for i := range s.numbers {
		label := 0.0
		if labels != nil {
			label = labels[i]
		}
		s.positions.Add(uint64(s.orbit(i)), math.Float64bits(label))
		if s.situations != nil {
			s.situations.Add(uint64(s.situation(i)))
		}
	}
}

// addClusters adds a record for each row: its cluster and number, then what [survey.byCluster] needs:
// label and differences if there are features, and all fields if datasets are compared.
func (s *survey) addClusters() {
	var columns [][]float64
	if s.features != nil {
		columns = append(append(columns, s.values("label")), s.differences...)
	}
	if s.fieldsAt < s.clusters.width/8 {
		for i := range s.columns { // not by value: another goroutine changes tallies
			columns = append(columns, s.columns[i].values)
		}
	}
	record := make([]uint64, s.clusters.width/8)
	for i, number := range s.numbers {
		record[0], record[1] = s.rowClusters[i], uint64(number)
		for k, of := range columns {
			record[2+k] = math.Float64bits(of[i])
		}
		s.clusters.Add(record...)
	}
}

// byCluster passes the records of all rows to add, cluster by cluster, and calls end after each
// cluster. It returns the number of clusters.
func (s *survey) byCluster(work *parallel.Tally, add func(record []uint64), end func()) (n int) {
	rows := 0
	for other, r := range s.clusters.all() {
		if other && n > 0 {
			end()
		}
		if other {
			n++
		}
		add(r)
		rows++
		if rows%checkRecords == 0 {
			work.Add(checkRecords)
		}
	}
	if n > 0 {
		end()
	}
	work.Add(int64(rows % checkRecords))
	return n
}

func (s *survey) addPhases() {
	labels := s.values("label")
	depth := s.values("depth")
	exact := s.values("exact")
	predictions := s.values(datasets.PredictionColumns[0])
	for i, v := range s.values("phase") {
		p := &s.phases[int(v)]
		p.rows++
		if labels == nil {
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
func (s *survey) addHead(i int) {
	row, line := map[string]any{}, fmt.Sprintf("row %d", s.numbers[i])
	for _, f := range s.columns {
		v := f.values[i]
		if v == v { // not missing
			row[f.name] = f.value(v)
		}
		line += "; " + heading(s.game, f.name) + " " + f.text(s.game, v)
	}
	s.head, s.headRows = append(s.head, row), append(s.headRows, FittedRow{Row: s.numbers[i], line: line})
}

// describe fills in the statistics of columns, phases, situations and residuals.
func (s *survey) describe(to *Profile) {
	for i := range s.columns {
		of := &s.columns[i]
		c := ColumnStats{Name: of.name, Type: of.typ, Rows: of.rows, Missing: of.missing}
		c.Spread, c.Distinct = outline.SpreadOf(of.all(), of.rows)
		if of.typ == datasets.TextField {
			c.Spread = nil
		}
		if to.filter != nil {
			c.bars = of.bars()
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
			p.Labels, _ = outline.SpreadOf(of.labels.all(), of.labels.rows)
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
	to.Repeats = s.repeats()
}

// repeats compares every row with the first of its situation.
func (s *survey) repeats() (r Repeats) {
	first, rows := 0.0, 0 // of the situation
	for other, of := range s.positions.all() {
		label := math.Float64frombits(of[1])
		if other {
			first, rows = label, 0
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

// countShared counts the situations that also occur in another survey, and the rows that have them.
func (s *survey) countShared(other *survey) (situations, rows int) {
	one := func([]uint64) int { return 1 }
	both(s.situations.keys(one), other.situations.keys(one), func(here, there int) {
		if here > 0 && there > 0 {
			situations, rows = situations+1, rows+here
		}
	})
	return situations, rows
}
