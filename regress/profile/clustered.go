package profile

import (
	"context"
	"iter"
	"math"
)

// byCluster hands the rows of a second pass over a dataset to sums, cluster by cluster: those of a
// cluster whose rows follow each other at once, others from a file in the end.
type byCluster struct {
	clusters  int // different ones
	single    bool
	scattered *sorter // numbers of the rows of clusters with others in between
	kept      *sorter // cluster and numbers of these rows
	width     int     // of the numbers of a row
	sums      clusterSums

	row   uint64 // of the pass
	next  func() ([]uint64, error, bool)
	stop  func()
	await uint64 // next scattered row
	more  bool
	last  uint64 // cluster
	begun bool
	bits  []uint64
}

// clusterSums are sums over clusters of rows that depend on each other.
type clusterSums interface {
	// add adds a row to its cluster, and flush ends the cluster.
	add(row []float64)
	flush()
}

// clusterOrder finds out how the clusters of a survey lie in the file: records of a cluster and a
// row, in order.
func clusterOrder(ctx context.Context, records *sorter, width int, sums clusterSums) (b *byCluster, err error) {
	b = &byCluster{scattered: newSorter(1, sortRoom/2), kept: newSorter(width+1, sortRoom), width: width, sums: sums, single: true}
	defer func() {
		if err != nil {
			b.close()
		}
	}()
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
				if err := b.scattered.Add(i); err != nil {
					return nil, err
				}
			}
		}
		if last = r[1]; together {
			continue
		}
		if err := b.scattered.Add(last); err != nil {
			return nil, err
		}
	}
	b.next, b.stop = iter.Pull2(b.scattered.all(ctx))
	return b, b.advance()
}

func (b *byCluster) advance() error {
	record, err, more := b.next()
	if b.more = more; more && err == nil {
		b.await = record[0]
	}
	return err
}

// add takes the next row of the pass.
func (b *byCluster) add(cluster uint64, row []float64) error {
	number := b.row
	b.row++
	if b.more && b.await == number {
		b.bits = append(b.bits[:0], cluster)
		for _, v := range row {
			b.bits = append(b.bits, math.Float64bits(v))
		}
		if err := b.kept.Add(b.bits...); err != nil {
			return err
		}
		return b.advance()
	}
	b.take(cluster, row)
	return nil
}

func (b *byCluster) take(cluster uint64, row []float64) {
	if b.begun && cluster != b.last {
		b.sums.flush()
	}
	b.begun, b.last = true, cluster
	b.sums.add(row)
}

// end hands over the rows of scattered clusters.
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

func (b *byCluster) close() error {
	if b.stop != nil {
		b.stop()
	}
	err := b.scattered.Close()
	if closed := b.kept.Close(); err == nil {
		err = closed
	}
	return err
}
