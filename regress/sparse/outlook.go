package sparse

import (
	"math"

	"kroo/internal/parallel"
)

// outlook is what the number of steps of a fit is estimated from.
type outlook struct {
	begun int     // steps made when this round began, or this call
	first float64 // relative gradient then
	least float64 // residual of the round so far, relative as well
	rate  float64 // steps to reduce the gradient by a factor e in the round before; 0 is unknown
	grown float64 // factor by which rate has grown from round to round, 1 to maxGrowth
}

// maxGrowth limits grown. As a rule each round needs more steps for the same factor than
// the one before, because the directions that are left are the flat ones.
const maxGrowth = 1.5

// round begins another round, after a given number of steps in all.
func (l *outlook) round(steps int, gradient float64) {
	if gradient < l.first {
		rate := float64(steps-l.begun) / math.Log(l.first/gradient)
		l.grown = 1
		if l.rate > 0 {
			l.grown = min(max(rate/l.rate, 1), maxGrowth)
		}
		l.rate = rate
	}
	l.begun, l.first, l.least = steps, gradient, gradient
}

// expected estimates how many steps the fit takes in all, at most what the options
// allow. In the first round it assumes that the residual continues falling as it has so
// far, in later rounds that they take as many steps as the rounds before, or more.
func (s *solver) expected() int64 {
	most := float64(s.o.Rounds) * float64(s.o.Steps)
	all := math.Log(s.first / s.o.Tolerance)
	s.least = min(s.least, math.Sqrt(s.rho)/s.size)
	left := most
	if s.rate > 0 {
		left = all * s.rate * s.grown
	} else if gone := math.Log(s.first / s.least); gone > 0 {
		left = float64(s.steps-s.begun) * all / gone
	}
	return int64(min(most, max(float64(s.begun)+left, float64(s.steps+1))))
}

// trialsOutlook tells the progress of a choice of ridges: the steps made in all its
// fits, and an estimate of all that there will be.
type trialsOutlook struct {
	report parallel.Progress
	steps  int64 // of the fits that are finished
	fits   float64
	all    float64 // fits, estimated
}

// tell is the progress of one of the fits.
func (p *trialsOutlook) tell(done, total int64, note string) {
	fits := p.fits + float64(done)/float64(max(total, 1))
	p.report.Note(p.steps+done, int64(float64(p.steps+done)*max(p.all, math.Ceil(fits))/fits), note)
}

// next counts a finished fit of a given number of steps.
func (p *trialsOutlook) next(steps int) {
	p.steps += int64(steps)
	p.fits++
}
