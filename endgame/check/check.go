// Package check checks endgame tables and shares no code with what builds them: it has rules of
// its own, written from docs/architecture.md, reads files by docs/formats.md alone, and finds
// values by the plainest iteration. docs/bounds.md has its proof.
package check

import (
	"context"
	"fmt"
)

// Level is what was checked of the positions with a number of seeds.
type Level struct {
	Seeds, Positions int
	Open             int // positions of a settled level whose value does not follow: it lies within their bounds
}

// Table checks a file's bytes. The error names the first position whose value is wrong. progress
// receives the number of positions done and of all.
func Table(ctx context.Context, file []byte, progress func(done, total int64)) (list []Level, err error) {
	t, err := read(file)
	if err != nil {
		return nil, err
	}
	progress(0, int64(comb[t.seeds+12][12]))
	for n := range t.seeds + 1 { // those below have passed
		sure := t.level(ctx, n).sure()
		if ctx.Err() != nil {
			return list, ctx.Err()
		}
		wrong, open := compare(t.values[n], sure, n, n <= t.settled)
		if wrong >= 0 {
			return list, fmt.Errorf("%d, the mover's houses first: the table says %d for the mover and the other, their bounds are %d",
				at(n, wrong), t.values[n][2*wrong:2*wrong+2], sure[2*wrong:2*wrong+2])
		}
		list = append(list, Level{n, positions(n), open})
		progress(int64(comb[n+12][12]), int64(comb[t.seeds+12][12]))
	}
	return list, nil
}

// compare compares the values of n seeds with the bounds: they are the same, or in a settled level
// within them. It returns the first position that is wrong, -1 for none, and how many of a settled
// level have bounds that are no value.
func compare(values, sure []int8, n int, settled bool) (wrong int, open int) {
	for v := 0; v < len(values); v += 2 {
		mine, theirs, least, left := int(values[v]), int(values[v+1]), int(sure[v]), int(sure[v+1])
		within := mine >= least && theirs >= left && mine+theirs <= n
		if (mine != least || theirs != left) && !(settled && within) {
			return v / 2, open
		}
		if settled && least+left < n {
			open++
		}
	}
	return -1, open
}
