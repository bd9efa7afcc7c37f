package search

// steadyOver is how many iterations Result.Steady is the mean of.
const steadyOver = 3

// Steady keeps the scores of the last iterations.
type Steady struct {
	scores [steadyOver]int
	n      int // iterations so far
}

// Add takes the score of another iteration.
func (t *Steady) Add(score int) {
	t.scores[t.n%steadyOver] = score
	t.n++
}

// Mean is [Result.Steady], given the score of the last iteration.
func (t *Steady) Mean(last int) int {
	n, sum := min(t.n, steadyOver), 0
	for _, score := range t.scores[:n] {
		if Proven(score) {
			return last
		}
		sum += score
	}
	if n == 0 || Proven(last) {
		return last
	}
	if sum < 0 {
		return (sum - n/2) / n
	}
	return (sum + n/2) / n
}
