package elo

import (
	"math/rand/v2"
	"slices"
)

// Lines aggregates games by opening line. Games that share a line are one sample, not several: a
// book that has a good line wins by it again and again. The zero value is empty.
type Lines struct {
	at    map[string]int
	lines []lineScore
}

// lineScore is A's score in the games of a line.
type lineScore struct{ halfPoints, games int }

// Add counts a game that starts with a line.
func (l *Lines) Add(line string, o Outcome) {
	if l.at == nil {
		l.at = map[string]int{}
	}
	i, known := l.at[line]
	if !known {
		i = len(l.lines)
		l.at[line] = i
		l.lines = append(l.lines, lineScore{})
	}
	l.lines[i].halfPoints += o.Points
	l.lines[i].games++
}

// Len returns the number of lines.
func (l *Lines) Len() int { return len(l.lines) }

const (
	// minLines is the number of lines that an interval needs: resamples of fewer are too much
	// alike, and the interval is too narrow.
	minLines  = 10
	resamples = 10_000
)

// Interval returns the 95 % interval of A's lead in Elo by the bootstrap over lines (Efron, 1979;
// percentiles): it draws as many lines as there are, with replacement, each with all of its games,
// 10 000 times. The random seed is fixed, so that equal lines give equal intervals. A share of the
// points of 0 or 1 counts as half a point less or more. After a clean sweep the interval is a bound.
// ok is false for fewer than ten lines.
func (l *Lines) Interval() (in Interval, ok bool) {
	if len(l.lines) < minLines {
		return unknown, false
	}
	if m := l.mean(); m == 0 || m == 1 {
		return leads(shares(m, 0, len(l.lines), 0)), true
	}
	random := rand.New(rand.NewPCG(1979, 0))
	drawn := make([]float64, resamples)
	for i := range drawn {
		drawn[i] = l.resample(random)
	}
	slices.Sort(drawn)
	return Interval{drawn[resamples/40], drawn[resamples-1-resamples/40]}, true
}

// mean returns A's share of the points.
func (l *Lines) mean() float64 {
	var all lineScore
	for _, x := range l.lines {
		all.halfPoints += x.halfPoints
		all.games += x.games
	}
	return float64(all.halfPoints) / 2 / float64(all.games)
}

// resample returns A's lead in lines drawn with replacement.
func (l *Lines) resample(random *rand.Rand) float64 {
	var s lineScore
	for range l.lines {
		x := l.lines[random.IntN(len(l.lines))]
		s.halfPoints += x.halfPoints
		s.games += x.games
	}
	n := float64(s.games)
	return leadOf(min(max(float64(s.halfPoints)/2, 0.5), n-0.5) / n)
}
