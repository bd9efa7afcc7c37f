// Package check verifies endgame tables independently: it shares no code with package endgame. Its
// rules are written from docs/architecture.md, its reader from docs/formats.md, and it finds values
// by plain iteration, which docs/bounds.md proves correct.
package check

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
)

// Level is the result for the positions with a given number of seeds.
type Level struct {
	Seeds, Positions int
	Checked          int  // positions
	Sampled          bool // the values are only checked to be those that the moves give
	Open             int  // positions of a resolved level that are only checked to be within their bounds
}

// Limits are how much of a table is checked.
type Limits struct {
	// Memory is what a check may take, in bytes besides the file. Levels that need more are sampled.
	Memory int64
	// Sample is the number of random positions that are checked of such a level, or of all if it has
	// fewer. Their values must be those that their moves give. This does not find values that support
	// each other around a cycle. Levels with values that depend on history are not sampled.
	Sample int
}

// historySeeds is the most seeds with which a resolved value depends on history (docs/bounds.md).
const historySeeds = 13

// ErrMemory is the error of [Table] for a level that needs more memory and is not sampled.
var ErrMemory = errors.New("more memory than the check may take")

// positionBytes is the most memory per position of a level that is checked whole: 35 bytes by
// [level] with six moves, 4 for two arrays of claims, the rest of both for the level before, which
// has at most 7 of 10 positions and may not be collected yet.
const positionBytes = 64

// Table checks the contents of a table file. The error names the first position with a wrong value.
// Progress is in positions.
func Table(ctx context.Context, file []byte, limits Limits, progress func(done, total int64)) (list []Level, err error) {
	t, err := read(file)
	if err != nil {
		return nil, err
	}
	total := int64(0)
	for n := range t.seeds + 1 {
		need := int64(positions(n)) * positionBytes
		l := Level{Seeds: n, Positions: positions(n), Checked: positions(n)}
		if need > limits.Memory {
			if limits.Sample == 0 || n <= min(historySeeds, t.resolved) {
				return nil, fmt.Errorf("the level of %d seeds: %w: it needs %d MiB", n, ErrMemory, need>>20)
			}
			l.Checked = min(limits.Sample, l.Positions)
			l.Sampled = true
		}
		list = append(list, l)
		total += int64(l.Checked)
	}
	done := int64(0)
	progress(done, total)
	for i := range list { // the levels below have passed
		l := &list[i]
		if l.Sampled {
			err = t.checkSample(ctx, l.Seeds, l.Checked)
		} else {
			l.Open, err = t.checkLevel(ctx, l.Seeds)
		}
		if err != nil {
			return list[:i], err
		}
		done += int64(l.Checked)
		progress(done, total)
	}
	return list, nil
}

// checkLevel checks all values of level n, and counts those that are only checked to be within their
// bounds.
func (t *table) checkLevel(ctx context.Context, n int) (open int, err error) {
	sure := t.level(ctx, n).sure()
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	values := t.values[n]
	wrong, open := compare(values, sure, n, n <= t.resolved)
	if wrong >= 0 {
		return 0, wrongValues(at(n, wrong), values.of(2*wrong), values.of(2*wrong+1), sure[2*wrong], sure[2*wrong+1])
	}
	return open, nil
}

// checkSample checks that the values of random positions of level n, or of all if count is their number,
// are those that their moves give. A claim that is neither too high nor too low is equal to its step
// (docs/bounds.md).
func (t *table) checkSample(ctx context.Context, n, count int) error {
	random := rand.New(rand.NewPCG(uint64(n), 1))
	values := t.values[n]
	for i := range count {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if count < positions(n) {
			i = random.IntN(positions(n))
		}
		b := at(n, i)
		m := t.moves(b, n)
		mover := m.exitMover
		other := m.exitOther
		for _, to := range m.quiet {
			mover = max(mover, values.of(2*int(to)+1))
			other = min(other, values.of(2*int(to)))
		}
		if values.of(2*i) != mover || values.of(2*i+1) != other {
			return wrongValues(b, values.of(2*i), values.of(2*i+1), mover, other)
		}
	}
	return nil
}

func wrongValues(b board, mine, theirs, expectedMine, expectedTheirs int8) error {
	return fmt.Errorf("%d, the mover's houses first: values %d for mover and opponent: expected %d", b,
		[]int8{mine, theirs}, []int8{expectedMine, expectedTheirs})
}

// compare compares the values of level n with the bounds: they must be equal, or in a resolved level
// within the bounds. It returns the first wrong position, or -1, and the number of positions of a
// resolved level whose bounds differ.
func compare(values levelValues, sure []int8, n int, resolved bool) (wrong int, open int) {
	for v := 0; v < len(sure); v += 2 {
		mine := int(values.of(v))
		theirs := int(values.of(v + 1))
		least := int(sure[v])
		left := int(sure[v+1])
		within := mine >= least && theirs >= left && mine+theirs <= n
		if (mine != least || theirs != left) && !(resolved && within) {
			return v / 2, open
		}
		if resolved && least+left < n {
			open++
		}
	}
	return -1, open
}
