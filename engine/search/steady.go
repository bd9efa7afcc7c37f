package search

// steadyOver is how many iterations Result.Steady is the mean of.
const steadyOver = 3

// steady keeps the scores of the last iterations.
type steady struct {
	scores [steadyOver]int
	n      int // iterations so far
}

func (t *steady) add(score int) {
	t.scores[t.n%steadyOver] = score
	t.n++
}

// mean is Result.Steady, given the score of the last iteration.
func (t *steady) mean(last int) int {
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
