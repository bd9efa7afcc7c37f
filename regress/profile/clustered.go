package profile

import (
	"cmp"
	"context"
	"math"
	"slices"

	"kroo/datasets"
	"kroo/internal/parallel"
)

// byCluster passes the rows of a second pass over a dataset to sums, cluster by cluster. Rows of
// contiguous clusters are passed at once; those of scattered ones are sorted in a file and passed
// at the end.
type byCluster struct {
	clusters  int // number of clusters
	single    bool
	scattered []uint64 // a bit per row: whether its cluster is scattered
	kept      *sorter  // cluster and values of these rows
	width     int      // values per row
	sums      clusterSums

	row   uint64 // number within the pass
	last  uint64 // previous cluster
	begun bool
	bits  []uint64
}

// clusterSums are sums over clusters of dependent rows.
type clusterSums interface {
	// add adds a row to the current cluster; flush ends the cluster.
	add(row []float64)
	flush()
}

// clusterOrder finds the scattered clusters of a survey: those whose rows are not contiguous in the
// file. Records are pairs of cluster and row, sorted; there are the given number of rows.
func clusterOrder(ctx context.Context, records *sorter, rows, width int, sums clusterSums) (*byCluster, error) {
	b := &byCluster{scattered: make([]uint64, rows/64+1), kept: newSorter(width+1, sortRoom), width: width, sums: sums, single: true}
	scatter := func(row uint64) { b.scattered[row/64] |= 1 << (row % 64) }
	var cluster, first, last uint64
	together := true
	for r, err := range records.all(ctx) {
		if err != nil {
			return nil, err
		}
		if b.clusters == 0 || r[0] != cluster {
			b.clusters++
			cluster, first, last, together = r[0], r[1], r[1], true
			continue
		}
		b.single = false
		if together && r[1] != last+1 {
			together = false
			for i := first; i <= last; i++ {
				scatter(i)
			}
		}
		if last = r[1]; !together {
			scatter(last)
		}
	}
	return b, nil
}

// add takes the next row of the pass.
func (b *byCluster) add(cluster uint64, row []float64) error {
	number := b.row
	b.row++
	if b.scattered[number/64]>>(number%64)&1 == 0 {
		b.take(cluster, row)
		return nil
	}
	b.bits = append(b.bits[:0], cluster)
	for _, v := range row {
		b.bits = append(b.bits, math.Float64bits(v))
	}
	return b.kept.Add(b.bits...)
}

func (b *byCluster) take(cluster uint64, row []float64) {
	if b.begun && cluster != b.last {
		b.sums.flush()
	}
	b.begun, b.last = true, cluster
	b.sums.add(row)
}

// end passes the rows of scattered clusters.
func (b *byCluster) end(ctx context.Context) error {
	row := make([]float64, b.width)
	for r, err := range b.kept.all(ctx) {
		if err != nil {
			return err
		}
		for i := range row {
			row[i] = math.Float64frombits(r[i+1])
		}
		b.take(r[0], row)
	}
	if b.begun {
		b.sums.flush()
	}
	return nil
}

// mostCuts is the number of values at which a column's rows are divided to measure its design
// effect.
const mostCuts = 7

// designSums measure the design effect of columns: how much more they vary between clusters than
// between as many independent rows (Kish 1965), averaged over the shares of rows up to several
// values.
type designSums struct {
	cuts    [][]float64 // of each column, ascending
	shares  [][]float64 // of rows up to each cut
	rows    float64
	squares [][]float64 // over clusters: rows up to each cut, less the expected number

	cluster float64     // rows of the current cluster
	upTo    [][]float64 // of these, up to each cut
}

// cutsOf returns values that divide a column's rows into parts of similar size, and the shares of
// rows up to each.
func cutsOf(ctx context.Context, t *tally) (cuts, shares []float64, err error) {
	seen, next := 0, 1
	for c, err := range t.all(ctx) {
		if err != nil {
			return nil, nil, err
		}
		seen += c.rows
		if seen*(mostCuts+1) < next*t.rows || seen == t.rows {
			continue
		}
		cuts, shares = append(cuts, c.value), append(shares, float64(seen)/float64(t.rows))
		next = seen*(mostCuts+1)/t.rows + 1
	}
	return cuts, shares, nil
}

func newDesignSums(ctx context.Context, tallies []tally) (*designSums, error) {
	d := &designSums{}
	for i := range tallies {
		cuts, shares, err := cutsOf(ctx, &tallies[i])
		if err != nil {
			return nil, err
		}
		d.cuts, d.shares = append(d.cuts, cuts), append(d.shares, shares)
		d.squares, d.upTo = append(d.squares, make([]float64, len(cuts))), append(d.upTo, make([]float64, len(cuts)))
	}
	return d, nil
}

// add implements [clusterSums].
func (d *designSums) add(row []float64) {
	d.cluster++
	for i, v := range row {
		at, _ := slices.BinarySearch(d.cuts[i], v) // index of the first cut at or above v
		for k := at; k < len(d.cuts[i]) && v == v; k++ {
			d.upTo[i][k]++
		}
	}
}

// flush implements [clusterSums].
func (d *designSums) flush() {
	d.rows += d.cluster
	for i, of := range d.upTo {
		for k, n := range of {
			off := n - d.cluster*d.shares[i][k]
			d.squares[i][k] += off * off
		}
		clear(of)
	}
	d.cluster = 0
}

// effects returns the design effect of each column; 1 for constant ones.
func (d *designSums) effects() (all []float64) {
	for i, shares := range d.shares {
		sum := 0.0
		for k, p := range shares {
			sum += d.squares[i][k] / (d.rows * p * (1 - p))
		}
		if len(shares) > 0 && sum > 0 {
			all = append(all, sum/float64(len(shares)))
		} else {
			all = append(all, 1)
		}
	}
	return all
}

// designEffects reads the rows again if some depend on each other.
func (s *survey[P]) designEffects(ctx context.Context, from *datasets.Table, where string, progress parallel.Progress) (all []float64, err error) {
	d, err := newDesignSums(ctx, s.tallies)
	if err != nil {
		return nil, err
	}
	b, err := clusterOrder(ctx, s.clusters, s.rows, len(s.fields), d)
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, b.kept.Close()) }()
	if b.single {
		return slices.Repeat([]float64{1}, len(s.fields)), nil
	}
	row := make([]float64, len(s.fields))
	t := newTable(s.game, from, nil)
	for err := range t.chunks(ctx, where, progress) {
		if err != nil {
			return nil, err
		}
		game := t.field("game")
		for i := range t.positions {
			for k := range row {
				row[k] = t.fields[k].values[i]
			}
			if err := b.add(t.cluster(i, game), row); err != nil {
				return nil, err
			}
		}
	}
	if err := b.end(ctx); err != nil {
		return nil, err
	}
	return d.effects(), nil
}
