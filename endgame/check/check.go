// Package check verifies endgame tables independently: it shares no code with package endgame. Its
// rules are written from docs/architecture.md, its reader from docs/formats.md, and it finds values
// by plain iteration, which docs/bounds.md proves correct.
package check

import (
	"context"
	"fmt"
)

// Level is the result for the positions with a given number of seeds.
type Level struct {
	Seeds, Positions int
	Open             int // positions of a resolved level that are only checked to be within their bounds
}

// Table checks the contents of a table file. The error names the first position with a wrong value.
// Progress is in positions.
func Table(ctx context.Context, file []byte, progress func(done, total int64)) (list []Level, err error) {
	t, err := read(file)
	if err != nil {
		return nil, err
	}
	progress(0, int64(comb[t.seeds+12][12]))
	for n := range t.seeds + 1 { // the levels below have passed
		sure := t.level(ctx, n).sure()
		if ctx.Err() != nil {
			return list, ctx.Err()
		}
		wrong, open := compare(t.values[n], sure, n, n <= t.resolved)
		if wrong >= 0 {
			return list, fmt.Errorf("%d, the mover's houses first: values %d for mover and opponent: expected %d",
				at(n, wrong), t.values[n][2*wrong:2*wrong+2], sure[2*wrong:2*wrong+2])
		}
		list = append(list, Level{n, positions(n), open})
		progress(int64(comb[n+12][12]), int64(comb[t.seeds+12][12]))
	}
	return list, nil
}

// compare compares the values of level n with the bounds: they must be equal, or in a resolved level
// within the bounds. It returns the first wrong position, or -1, and the number of positions of a
// resolved level whose bounds differ.
func compare(values, sure []int8, n int, resolved bool) (wrong int, open int) {
	for v := 0; v < len(values); v += 2 {
		mine, theirs, least, left := int(values[v]), int(values[v+1]), int(sure[v]), int(sure[v+1])
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
