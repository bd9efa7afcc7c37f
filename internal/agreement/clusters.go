package agreement

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Clusters sums the gradients of rows by cluster. Rows of one cluster, such as the positions of
// a game, may depend on each other in any way; clusters are independent.
type Clusters struct {
	at    map[uint64]int // row of sums for each cluster
	names []uint64       // cluster of each row of sums
	size  int
	sums  []float64
	rows  int
}

// NewClusters returns an empty Clusters for gradients of the given size.
func NewClusters(size int) *Clusters { return &Clusters{at: map[uint64]int{}, size: size} }

// Add adds the gradient of a row.
func (c *Clusters) Add(cluster uint64, gradient ...float64) {
	c.rows++
	c.add(cluster, gradient)
}

func (c *Clusters) add(cluster uint64, gradient []float64) {
	row, known := c.at[cluster]
	if !known {
		row = len(c.at)
		c.at[cluster] = row
		c.names = append(c.names, cluster)
		c.sums = append(c.sums, make([]float64, c.size)...)
	}
	sum := c.sums[row*c.size:]
	for i, g := range gradient {
		sum[i] += g
	}
}

// Merge adds the rows of o. New clusters follow those of c.
func (c *Clusters) Merge(o *Clusters) {
	for i, cluster := range o.names {
		c.add(cluster, o.sums[i*o.size:(i+1)*o.size])
	}
	c.rows += o.rows
}

// Len returns the number of clusters.
func (c *Clusters) Len() int { return len(c.names) }

// MeanError returns the standard error of a mean, if each row's gradient is its deviation from
// the mean.
func (c *Clusters) MeanError() float64 {
	return c.Errors(mat.NewDense(1, 1, []float64{1 / float64(c.rows)}))[0]
}

// clusterBlock is the number of clusters multiplied at a time.
const clusterBlock = 4096

// Squares returns the diagonal of H⁻¹·(Σ gg')·H⁻¹, summed over the clusters, given the inverse
// of H, the second derivatives of the loss.
func (c *Clusters) Squares(inverse mat.Matrix) []float64 {
	squares := make([]float64, c.size)
	for from := 0; from < len(c.names); from += clusterBlock {
		to := min(from+clusterBlock, len(c.names))
		AddSquares(squares, mat.NewDense(to-from, c.size, c.sums[from*c.size:to*c.size]), inverse)
	}
	return squares
}

// AddSquares adds the contribution of clusters to Squares; each row of gradients is a cluster.
func AddSquares(squares []float64, gradients, inverse mat.Matrix) {
	var block mat.Dense
	block.Mul(gradients, inverse)
	n, _ := block.Dims()
	for i := range n {
		for j, v := range block.RawRowView(i) {
			squares[j] += v * v
		}
	}
}

// Errors returns standard errors that allow for any dependence within a cluster: [ErrorsOf] of
// Squares.
func (c *Clusters) Errors(inverse mat.Matrix) []float64 {
	return ErrorsOf(c.Squares(inverse), len(c.names))
}

// ErrorsOf returns the square roots of squares·n/(n−1), where n is the number of clusters (Liang
// and Zeger 1986). The errors are NaN for fewer than two clusters.
func ErrorsOf(squares []float64, n int) []float64 {
	errs := make([]float64, len(squares))
	for j, v := range squares {
		errs[j] = math.Sqrt(v * float64(n) / float64(n-1))
	}
	return errs
}
