package agreement

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Clusters adds up the gradients of rows over the clusters that they are from. Rows of one
// cluster, such as the positions of a game, may depend on each other in any way; clusters
// are independent.
type Clusters struct {
	at   map[uint64]int // of each cluster, its row of the sums
	size int
	sums []float64
	rows int
}

// NewClusters has none yet; gradients have the given number of terms.
func NewClusters(size int) *Clusters { return &Clusters{at: map[uint64]int{}, size: size} }

// Add adds the gradient of a row.
func (c *Clusters) Add(cluster uint64, gradient ...float64) {
	row, known := c.at[cluster]
	if !known {
		row = len(c.at)
		c.at[cluster] = row
		c.sums = append(c.sums, make([]float64, c.size)...)
	}
	c.rows++
	sum := c.sums[row*c.size:]
	for i, g := range gradient {
		sum[i] += g
	}
}

// MeanError is the standard error of a mean, if what has been added is by how much each row
// is off it.
func (c *Clusters) MeanError() float64 {
	return c.Errors(mat.NewDense(1, 1, []float64{1 / float64(c.rows)}))[0]
}

// clusterBlock is how many clusters are multiplied at a time.
const clusterBlock = 4096

// Errors are standard errors that allow for any dependence within a cluster: the roots of
// the diagonal of H⁻¹·(Σ gg')·H⁻¹ over the clusters, times G/(G−1) for G clusters (Liang and
// Zeger 1986). inverse is that of the loss's second derivatives. With fewer than two
// clusters the errors are NaN.
func (c *Clusters) Errors(inverse mat.Matrix) []float64 {
	n := len(c.at)
	errs := make([]float64, c.size)
	var block mat.Dense
	for from := 0; from < n; from += clusterBlock {
		to := min(from+clusterBlock, n)
		block.Reset()
		block.Mul(mat.NewDense(to-from, c.size, c.sums[from*c.size:to*c.size]), inverse)
		for i := range to - from {
			for j, v := range block.RawRowView(i) {
				errs[j] += v * v
			}
		}
	}
	for j := range errs {
		errs[j] = math.Sqrt(errs[j] * float64(n) / float64(n-1))
	}
	return errs
}
