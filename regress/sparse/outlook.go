package sparse

import "math"

// outlook is what the number of steps of a fit is estimated from.
type outlook struct {
	begun int     // steps made when this call began
	first float64 // relative gradient then
}

// expected estimates how many steps the fit takes in all: the residual falls by about
// the same factor in each, down to the tolerance. It is at most what the options allow.
func (s *solver) expected() int64 {
	most := float64(s.o.Rounds) * float64(s.o.Steps)
	all := math.Log(s.first / s.o.Tolerance)
	gone := math.Log(s.first * s.size / math.Sqrt(s.rho))
	if !(gone > 0) {
		return int64(most)
	}
	made := float64(s.steps - s.begun)
	return int64(min(most, float64(s.begun)+max(made*all/gone, made+1)))
}

// trialsOutlook tells the progress of a choice of ridges: the steps made in all its
// fits, and an estimate of all that there will be.
type trialsOutlook struct {
	report func(done, total int64)
	steps  int64 // of the fits that are finished
	fits   float64
	all    float64 // fits, estimated
}

// tell is the progress of one of the fits.
func (p *trialsOutlook) tell(done, total int64) {
	fits := p.fits + float64(done)/float64(max(total, 1))
	p.report(p.steps+done, int64(float64(p.steps+done)*max(p.all, math.Ceil(fits))/fits))
}

// next counts a finished fit of so many steps.
func (p *trialsOutlook) next(steps int) {
	p.steps += int64(steps)
	p.fits++
}
